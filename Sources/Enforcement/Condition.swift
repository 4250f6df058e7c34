package import Policy
import Synchronization

/// The condition that `/healthz` reports: whether every bind was tried, and what was refused.
package final class Condition: Sendable {
    package let gauges = Gauges()
    package var metrics: String {
        [gauges.text, others?.metrics() ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// How the household's machines are asked about, where there are several.
    package struct Others: Sendable {
        let machines: @Sendable () -> HouseMachines
        /// In Prometheus' text format.
        let metrics: @Sendable () -> String

        package init(
            machines: @escaping @Sendable () -> HouseMachines, metrics: @escaping @Sendable () -> String
        ) {
            self.machines = machines
            self.metrics = metrics
        }
    }

    private struct State {
        var isReady = false
        var refused: [String: [String]] = [:]
        var backupFailure: String?
        var relayFault: String?
        var node: String?
        var others: Others?
        /// Clients that named the devices for which they asked without being configured forwarders, and when they last
        /// did.
        var unbelieved: [String: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package var isReady: Bool { state.withLock { $0.isReady } }
    package var refused: [String] {
        state.withLock { $0.refused.sorted { $0.key < $1.key }.flatMap(\.value) }
    }

    /// What was refused to a part of the house; nil: it reported nothing yet.
    package func refused(by part: String) -> [String]? { state.withLock { $0.refused[part] } }

    /// Why the last daily backup failed; nil: it did not.
    package var backupFailure: String? {
        get { state.withLock { $0.backupFailure } }
        set { state.withLock { $0.backupFailure = newValue } }
    }

    /// Why the relay cannot work; nil: no fault is known.
    package var relayFault: String? {
        get { state.withLock { $0.relayFault } }
        set { state.withLock { $0.relayFault = newValue } }
    }

    /// This machine's name among the household's machines; nil: there is only this one.
    package var node: String? {
        get { state.withLock { $0.node } }
        set { state.withLock { $0.node = newValue } }
    }

    package var others: Others? {
        get { state.withLock { $0.others } }
        set { state.withLock { $0.others = newValue } }
    }

    /// The household's machines; nil: there is only this one.
    package var machines: HouseMachines? { others?.machines() }

    /// Notes clients that name the devices for which they ask. Only configured forwarders are believed.
    package func note(unbelieved addresses: [String]) {
        guard !addresses.isEmpty else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            for address in addresses
            where state.unbelieved[address] != nil || state.unbelieved.count < Self.mostUnbelieved {
                state.unbelieved[address] = now
            }
        }
    }

    private static let mostUnbelieved = 64

    /// Such clients of the last hour.
    package var unbelieved: Set<String> {
        let hourAgo = ContinuousClock.now - .seconds(3600)
        return state.withLock { state in
            state.unbelieved = state.unbelieved.filter { $0.value > hourAgo }
            return Set(state.unbelieved.keys)
        }
    }

    package func becomeReady() { state.withLock { $0.isReady = true } }

    /// Replaces what was refused to a part of the house, such as "DNS".
    /// - Returns: reasons that are new, for the log.
    @discardableResult
    package func report(_ reasons: [String], from part: String) -> [String] {
        state.withLock { state in
            let known = state.refused.updateValue(reasons, forKey: part) ?? []
            return reasons.filter { !known.contains($0) }
        }
    }
}
