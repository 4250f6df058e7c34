import Directory
import Glibc

/// The resolvers and search domains that this machine was given, as of one reading.
package struct ResolverSettings: Hashable, Sendable {
    /// Canonical text, link-local ones with their zone, in order.
    package var resolvers: [String] = []
    /// Lower case, without a trailing dot, in order.
    package var searchDomains: [String] = []
    /// What is written there, but nobody can use: `nameserver router`.
    package var skipped: [String] = []

    package init(resolvers: [String] = [], searchDomains: [String] = [], skipped: [String] = []) {
        self.resolvers = resolvers
        self.searchDomains = searchDomains
        self.skipped = skipped
    }

    /// Reads the text of a `resolv.conf` (resolv.conf(5)); the last `search` or `domain` line counts.
    package init(text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = words(line.prefix { $0 != "#" && $0 != ";" })
            switch fields.first {
            case "nameserver" where fields.count > 1:
                if let resolver = Self.resolver(fields[1]) {
                    resolvers.append(resolver)
                } else {
                    skipped.append("nameserver \(fields[1])")
                }
            case "search", "domain":
                skipped.removeAll { $0.hasPrefix("search ") }
                searchDomains = []
                for word in fields.dropFirst() where word != "." {
                    // With a dot in front it means the same.
                    let bare = word.hasPrefix(".") ? word.dropFirst() : word
                    if case .name(let name) = HostValue(bare.utf8), !name.isEmpty {
                        searchDomains.append(name)
                    } else {
                        skipped.append("search \(word)")
                    }
                }
            default: break
            }
        }
    }

    /// Nil: it is no address, or a link-local IPv6 address without the interface that it is on. To other addresses a zone
    /// means nothing (RFC 4007, 6); routers write it all the same.
    private static func resolver(_ word: Substring) -> String? {
        guard let address = IPAddress(String(word)) else { return nil }
        let reach = AddressBytes(address.bytes)?.reach
        guard !address.isV4, reach == .link else { return address.text }
        let zone = word.drop { $0 != "%" }.dropFirst()
        return zone.isEmpty ? nil : "\(address.text)%\(zone)"
    }

    private static let files = [
        "/etc/resolv.conf", "/run/systemd/resolve/resolv.conf", "/run/NetworkManager/no-stub-resolv.conf",
    ]

    /// The system's settings without this machine's own addresses: asking those could mean asking ourselves.
    ///
    /// Where `/etc/resolv.conf` names only this machine, systemd-resolved or NetworkManager's dnsmasq answers there. The
    /// servers that they ask are in a file of theirs.
    /// - Parameter root: what stands before every path, for tests.
    package static func current(
        own: [LocalAddress] = LocalAddresses.current() ?? [], root: String = ""
    ) -> ResolverSettings {
        let settings = files.compactMap { fileText(root + $0) }.map {
            ResolverSettings(text: $0).without(own)
        }
        return settings.first { !$0.resolvers.isEmpty } ?? settings.first ?? ResolverSettings()
    }

    /// Whether nothing was said, as while a machine has no network.
    package var isEmpty: Bool { resolvers.isEmpty && searchDomains.isEmpty }

    package func without(_ own: [LocalAddress]) -> ResolverSettings {
        let addresses = Set(own.map(\.address))
        var others = self
        others.resolvers = resolvers.filter { resolver in
            let address = String(resolver.prefix { $0 != "%" })
            // The unspecified address means this machine too.
            return !addresses.contains(address) && address != "0.0.0.0" && address != "::"
                && AddressBytes(text: address)?.reach != .loopback
        }
        return others
    }
}

extension ResolverSettings {
    /// Tells when these files were written last, without reading them: programs replace or rewrite them.
    package struct Stamp: Hashable, Sendable {
        private let inode: UInt
        private let size: Int
        private let changed: Int

        /// Nil: there is no such file.
        init?(_ path: String) {
            var info = stat()
            guard stat(path, &info) == 0 else { return nil }
            inode = UInt(info.st_ino)
            size = info.st_size
            changed = info.st_ctim.tv_sec &* 1_000_000_000 &+ info.st_ctim.tv_nsec
        }

        package static var all: [Stamp?] { files.map { Stamp($0) } }
    }
}
