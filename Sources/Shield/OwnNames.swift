/// The Hosts under which the dashboard answers; every other Host gets the shield (design.md, Shield).
///
/// A foreign name is never among them: that is the defence against DNS rebinding. An IP literal always is, because no
/// foreign name can be one.
package struct OwnNames: Sendable {
    private let names: Set<String>
    /// The suffix of the set-up check's one-time names.
    private let checkSuffix: String?

    /// `hostName` is the machine's name, with or without a domain; its `.local` form counts too. `proxyNames` are a
    /// reverse proxy's names for this server.
    package init(name: String, hostName: String?, proxyNames: [String] = []) {
        var names: Set = ["localhost"]
        for case .name(let name) in proxyNames.map({ HostValue($0) }) { names.insert(name) }
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
