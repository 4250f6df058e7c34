extension HostNames {
    /// Leases of dnsmasq, OpenWrt and Pi-hole: one `expiry hardware address name client-id` on each line (dnsmasq(8)).
    /// A leading type (`06-`) marks hardware other than Ethernet; DHCPv6 has an identifier there.
    mutating func readDnsmasq(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = words(line)
            guard fields.count >= 4, UInt64(fields[0]) != nil else { continue }
            note(fields[3], address: String(fields[2]), hardware: String(fields[1]))
        }
    }

    /// `/etc/hosts`: an address, its name, and further names that are ignored (hosts(5)).
    mutating func readHosts(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = words(line.prefix { $0 != "#" })
            guard fields.count >= 2 else { continue }
            note(fields[1], address: String(fields[0]), hardware: nil)
        }
    }

    /// Kea's memfile: comma-separated, and the first line names the columns. A lease that was declined, reclaimed or
    /// released (`valid_lifetime` 0) has no name any more.
    mutating func readKea(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let head = lines.first else { return }
        let columns = head.split(separator: ",", omittingEmptySubsequences: false)
        func column(_ name: String) -> Int? { columns.firstIndex { $0 == name } }
        guard let address = column("address"), let hostname = column("hostname") else { return }
        let (hardware, lifetime, state) = (column("hwaddr"), column("valid_lifetime"), column("state"))
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            func field(_ index: Int?) -> Substring? {
                index.flatMap { fields.indices.contains($0) ? fields[$0] : nil }
            }
            guard let name = field(hostname), let place = field(address) else { continue }
            let isHeld = field(lifetime) != "0" && field(state).map { $0 == "0" || $0.isEmpty } ?? true
            note(isHeld ? name : "", address: String(place), hardware: field(hardware).map(String.init))
        }
    }

    /// ISC dhcpd's leases: `lease address { … }` with one statement on each line (dhcpd.leases(5)); the last lease of
    /// an address counts.
    mutating func readISC(_ text: String) {
        var address: String?
        var (hardware, name): (String?, String?) = (nil, nil)
        var isHeld = true
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = words(line)
            switch fields.first {
            case "lease" where fields.count >= 2:
                (address, hardware, name, isHeld) = (String(fields[1]), nil, nil, true)
            case "hardware" where fields.count >= 3:
                hardware = String(fields[2].prefix { $0 != ";" })
            case "binding" where fields.count >= 3:
                isHeld = fields[2].hasPrefix("active")
            case "client-hostname":
                name = Self.quoted(line)
            case "}":
                if let address { note(isHeld ? name ?? "" : "", address: address, hardware: hardware) }
                address = nil
            default: break
            }
        }
    }

    /// A quoted string: `\"`, `\\` and bytes in octal, as `\303\244`.
    private static func quoted(_ line: Substring) -> String? {
        let text = Array(line.utf8)
        guard let start = text.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        var bytes: [UInt8] = []
        var index = start + 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
                bytes.append(text[index])
                index += 1
                continue
            }
            let digits = text[(index + 1)...].prefix(3)
            if digits.count == 3, let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 8) {
                bytes.append(byte)
                index += 4
            } else {
                bytes.append(text[index + 1])
                index += 2
            }
        }
        return index < text.count ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
