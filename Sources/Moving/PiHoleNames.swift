import Directory
import Foundation
import Policy
import Store

/// What Pi-hole's files call devices, by hardware and IP address, and which of them belong together.
struct PiHoleNames {
    /// One fixed lease: `aa:bb:cc:dd:ee:ff,192.168.1.5,mias-phone,24h`.
    struct Lease {
        var hardware: String
        var name: String
    }

    private(set) var fixed: [Lease] = []
    private var names: [String: String] = [:]
    private var hardware: [String: String] = [:]

    /// - Parameters:
    ///   - leases: of `[dhcp] hosts`; hosts: of `[dns] hosts`, as `192.168.1.5 mias-phone`.
    ///   - given: `dhcp.leases`, a line each: when it ends, hardware address, IP address, name, id.
    init(leases: [String], hosts: [String], given: String) {
        for lease in leases {
            add(lease: lease.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        }
        for host in hosts {
            let words = host.split(whereSeparator: \.isWhitespace).map(String.init)
            if words.count > 1, let address = IPAddress(words[0]) { note(words[1], for: address.text) }
        }
        for line in given.split(separator: "\n").prefix(10_000) {
            let words = line.split(separator: " ").map(String.init)
            guard words.count >= 4, let mac = MACAddress(words[1]), let address = IPAddress(words[2]) else {
                continue
            }
            hardware[address.text] = hardware[address.text] ?? mac.text
            if words[3] != "*" { note(words[3], for: mac.text) }
        }
    }

    /// `network` and `network_addresses` of `pihole-FTL.db`.
    mutating func add(network database: ForeignDatabase) throws(ForeignDatabase.Fault) {
        var devices: [String: String] = [:]
        for row in try database.rows(of: "network", ["id", "hwaddr"]) ?? [] {
            if let mac = MACAddress(row[1]) { devices[row[0]] = mac.text }
        }
        for row in try database.rows(of: "network_addresses", ["network_id", "ip", "name"]) ?? [] {
            guard let mac = devices[row[0]], let address = IPAddress(row[1]) else { continue }
            hardware[address.text] = hardware[address.text] ?? mac
            if !row[2].isEmpty { note(row[2], for: mac) }
        }
    }

    /// Gives a client its hardware address where an IP address tells it, and a name where it has none.
    func complete(_ client: inout ForeignClient) {
        for address in client.addresses {
            guard let mac = hardware[address], !client.hardware.contains(mac) else { continue }
            client.hardware.append(mac)
        }
        // A client can be a host name too.
        for id in client.otherIDs {
            guard let mac = names.first(where: { $0.value == id && MACAddress($0.key) != nil })?.key else {
                continue
            }
            client.otherIDs.removeAll { $0 == id }
            client.hardware.append(mac)
        }
        guard client.name.isEmpty else { return }
        client.name = (client.hardware + client.addresses).lazy.compactMap { names[$0] }.first ?? ""
    }

    private mutating func add(lease parts: [String]) {
        guard let mac = parts.lazy.compactMap({ MACAddress($0) }).first else { return }
        let address = parts.lazy.compactMap { IPAddress($0) }.first
        let name = parts.first { part in
            MACAddress(part) == nil && IPAddress(part) == nil && !part.contains(":") && !part.contains("[")
                && !part.contains(/^(\d+[smhdw]?|infinite|ignore)$/)
        }
        if let address { hardware[address.text] = mac.text }
        guard let name else { return }
        note(name, for: mac.text)
        if !fixed.contains(where: { $0.hardware == mac.text }) {
            fixed.append(Lease(hardware: mac.text, name: name))
        }
    }

    /// The first name counts, as the most certain one, without its domain.
    private mutating func note(_ name: String, for address: String) {
        let short = String(name.prefix { $0 != "." })
        if names[address] == nil, !short.isEmpty { names[address] = short }
    }
}
