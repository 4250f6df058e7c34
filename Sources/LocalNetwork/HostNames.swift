import Glibc

/// Names of the home's devices from files on this machine: lease files of DHCP servers, and the hosts file. Names are
/// unchecked: the devices themselves chose those in leases.
package struct HostNames: Hashable, Sendable {
    /// By canonical address.
    package var byAddress: [String: String] = [:]
    /// By lower-case `aa:bb:cc:dd:ee:ff`.
    package var byHardware: [String: String] = [:]

    /// The name of a device: by its hardware address, else by its addresses in their order.
    package func name(hardware: String?, addresses: [String]) -> String? {
        if let name = hardware.flatMap({ byHardware[$0] }) { return name }
        return addresses.lazy.compactMap { byAddress[$0] }.first
    }

    /// How many names are kept; no home has more.
    static let limit = 20_000

    /// Notes a lease or a line; later ones replace earlier ones, as these files are written.
    mutating func note(_ name: some StringProtocol, address: String?, hardware: String?) {
        guard byAddress.count + byHardware.count < Self.limit else { return }
        let isName = !name.isEmpty && name != "*"
        if let address, let bytes = AddressBytes(text: address), bytes.reach != .loopback {
            byAddress[bytes.text] = isName ? String(name) : nil
        }
        if isName, let hardware = hardware.flatMap(Self.hardware) { byHardware[hardware] = String(name) }
    }

    /// Lower-case text of an Ethernet address; nil for anything else.
    static func hardware(_ text: String) -> String? {
        let bytes = text.lowercased().split(separator: ":", omittingEmptySubsequences: false)
        guard bytes.count == 6, bytes.allSatisfy({ $0.utf8.count == 2 && UInt8($0, radix: 16) != nil }),
            bytes.contains(where: { $0 != "00" }), bytes.allSatisfy({ !$0.hasPrefix("+") })
        else { return nil }
        return bytes.joined(separator: ":")
    }
}

extension HostNames {
    /// What this machine's files say now; unreadable files are skipped. The hosts file counts most: people write it by
    /// hand.
    package static func current() -> HostNames {
        var names = HostNames()
        for (path, form) in files {
            guard let text = leaseText(path) else { continue }
            switch form {
            case .dnsmasq: names.readDnsmasq(text)
            case .isc: names.readISC(text)
            case .kea: names.readKea(text)
            case .hosts: names.readHosts(text)
            }
        }
        return names
    }

    private enum Form { case dnsmasq, isc, kea, hosts }

    private static let files: [(String, Form)] = [
        ("/var/lib/kea/kea-leases4.csv.2", .kea), ("/var/lib/kea/kea-leases4.csv", .kea),
        ("/var/lib/kea/kea-leases6.csv.2", .kea), ("/var/lib/kea/kea-leases6.csv", .kea),
        ("/var/lib/dhcp/dhcpd.leases", .isc), ("/var/lib/dhcpd/dhcpd.leases", .isc),
        ("/tmp/dhcp.leases", .dnsmasq), ("/var/lib/misc/dnsmasq.leases", .dnsmasq),
        ("/var/lib/dnsmasq/dnsmasq.leases", .dnsmasq), ("/etc/pihole/dhcp.leases", .dnsmasq),
        ("/etc/hosts", .hosts),
    ]

    /// Reads only a regular file, without waiting; in `/tmp` only root's, because every user can create files there.
    private static func leaseText(_ path: String) -> String? {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
            info.st_uid == 0 || !path.hasPrefix("/tmp/")
        else { return nil }
        return fileText(path)
    }
}
