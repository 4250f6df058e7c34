/// The resolvers and search domains that this machine was given.
package struct ResolverSettings: Hashable, Sendable {
    /// Canonical text, link-local ones with their zone, in order.
    package var resolvers: [String] = []
    /// Lower case, without a trailing dot, in order.
    package var searchDomains: [String] = []

    package init(resolvers: [String] = [], searchDomains: [String] = []) {
        self.resolvers = resolvers
        self.searchDomains = searchDomains
    }

    /// Reads the text of a `resolv.conf` (resolv.conf(5)); the last `search` or `domain` line counts.
    package init(text: String) {
        for line in text.split(separator: "\n") {
            let fields = words(line.prefix { $0 != "#" && $0 != ";" })
            switch fields.first {
            case "nameserver" where fields.count > 1:
                let parts = fields[1].split(separator: "%", maxSplits: 1)
                guard let first = parts.first, let address = AddressBytes(text: String(first)) else {
                    continue
                }
                resolvers.append(parts.count > 1 ? "\(address.text)%\(parts[1])" : address.text)
            case "search", "domain":
                searchDomains = fields.dropFirst().compactMap { word in
                    let name = word.lowercased()
                    let bare = name.hasSuffix(".") ? String(name.dropLast()) : name
                    return bare.isEmpty ? nil : bare
                }
            default: break
            }
        }
    }

    /// The system's settings without this machine's own addresses: asking those could mean asking ourselves.
    ///
    /// Where `/etc/resolv.conf` names only this machine, systemd-resolved or NetworkManager's dnsmasq answers there. The
    /// servers that they ask are in a file of theirs.
    /// - Parameter root: what stands before every path, for tests.
    package static func current(
        own: [LocalAddress] = LocalAddresses.current() ?? [], root: String = ""
    ) -> ResolverSettings {
        let files = [
            "/etc/resolv.conf", "/run/systemd/resolve/resolv.conf", "/run/NetworkManager/no-stub-resolv.conf",
        ]
        let settings = files.compactMap { fileText(root + $0) }.map {
            ResolverSettings(text: $0).without(own)
        }
        return settings.first { !$0.resolvers.isEmpty } ?? settings.first ?? ResolverSettings()
    }

    package func without(_ own: [LocalAddress]) -> ResolverSettings {
        let addresses = Set(own.map(\.address))
        var others = self
        others.resolvers = resolvers.filter { resolver in
            let address = String(resolver.prefix { $0 != "%" })
            return !addresses.contains(address) && AddressBytes(text: address)?.reach != .loopback
        }
        return others
    }
}
