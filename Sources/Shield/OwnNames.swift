/// The Hosts under which the dashboard answers; every other one meets the shield (design.md, Shield).
///
/// A name of a stranger never is one of these, which is the defence against DNS rebinding; an IP literal always
/// is, because no stranger's name can be one.
package struct OwnNames: Sendable {
    private let names: Set<String>
    /// What the set-up check's one-time names end in.
    private let checkSuffix: String?

    /// `hostName` is the machine's, with or without a domain; it also counts with `.local`.
    package init(name: String, hostName: String?) {
        var names: Set = ["localhost"]
        var checkSuffix: String?
        if case .name(let own) = HostValue(name) {
            names.insert(own)
            checkSuffix = ".check.\(own)"
        }
        self.checkSuffix = checkSuffix
        if let hostName, case .name(let machine) = HostValue(hostName) {
            let label = String(machine.prefix { $0 != "." })
            names.formUnion([machine, label, label + ".local"])
        }
        self.names = names
    }

    package func contains(_ host: HostValue) -> Bool {
        switch host {
        case .name(let name):
            names.contains(name) || checkSuffix.map(name.hasSuffix) ?? false
        case .address: true
        case .malformed: false
        }
    }
}
