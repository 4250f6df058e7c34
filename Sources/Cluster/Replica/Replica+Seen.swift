import Foundation
import Policy
import Store
import Synchronization

extension Replica {
    /// Whether this node hears the others.
    package var isLinked: Bool { state.withLock { $0.isLinked } }

    /// For `/metrics`, in Prometheus' text format.
    package var metrics: String {
        let (members, number) = (self.members, store.head?.number ?? 0)
        let delay = state.withLock { $0.roll.delay }
        let gauges: [(name: String, help: String, value: String?)] = [
            ("linked", "1 while this machine hears the household's other machines.", isLinked ? "1" : "0"),
            ("revision", "Changes of the household that this machine knows.", "\(number)"),
            (
                "behind", "Changes that this machine lacks.",
                members.first(where: \.isThisOne).map { "\(max(0, $0.behind))" }
            ),
            ("machines", "Machines of the household.", "\(members.count)"),
            ("machines_silent", "Of these, machines that are not heard.", "\(members.count { !$0.isHere })"),
            (
                "delay_seconds",
                "From the last change of another machine until it held here, by both clocks.",
                delay.map { String(format: "%.3f", $0) }
            ),
        ]
        return gauges.flatMap { gauge in
            let name = "sleep_inducer_cluster_\(gauge.name)"
            return gauge.value.map {
                ["# HELP \(name) \(gauge.help)", "# TYPE \(name) gauge", "\(name) \($0)"]
            } ?? []
        }.joined(separator: "\n")
    }
}
