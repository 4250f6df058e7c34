/// Every name of this server: one value for the front door, the pages, DNS and certificates.
///
/// A foreign name is never among them: that is the defence against DNS rebinding.
package struct OwnNames: Hashable, Sendable {
    /// The server's own (`--name`), which is the answer to PTR. The set-up check's one-time names are below it.
    package let name: String
    /// The names that lead to this machine: its own, then its host name and the first label of that, each by itself, with
    /// `.local` (RFC 6762) and with each search domain. Lower case, without a dot at the end.
    package let all: [String]
    /// The names that a reverse proxy has for this server; they lead to the proxy.
    package let proxyNames: [String]
    private let hosts: Set<String>

    /// Text that is no name is ignored.
    /// - Parameters:
    ///   - hostName: the machine's, with or without a domain.
    ///   - searchDomains: the home's, as the machine was told.
    package init(
        name: String, hostName: String = "", searchDomains: [String] = [], proxyNames: [String] = []
    ) {
        self.name = Self.clean(name) ?? name.lowercased()
        self.proxyNames = proxyNames.compactMap(Self.clean)
        let machine = Self.clean(hostName).map { [$0, String($0.prefix { $0 != "." })] } ?? []
        let longer = machine.flatMap { short in
            (["local"] + searchDomains).filter { !short.hasSuffix(".\($0)") }.map { "\(short).\($0)" }
        }
        var all: [String] = []
        for name in [self.name] + (machine + longer).compactMap(Self.clean) where !all.contains(name) {
            all.append(name)
        }
        self.all = all
        hosts = Set(all + self.proxyNames + ["localhost"])
    }

    private static func clean(_ text: String) -> String? {
        if case .name(let name) = HostValue(text) { name } else { nil }
    }

    /// Whether the pages answer under a Host. An IP literal always counts, because no foreign name can be one.
    package func contains(_ host: HostValue) -> Bool {
        switch host {
        case .name(let name): hosts.contains(name)
        case .address: true
        case .malformed: false
        }
    }

    /// Whether the front door gives a Host to the pages: also the names below `check.`, which have one picture.
    package func admits(_ host: HostValue) -> Bool {
        if case .name(let name) = host, name.hasSuffix(".check.\(self.name)") { return true }
        return contains(host)
    }
}
