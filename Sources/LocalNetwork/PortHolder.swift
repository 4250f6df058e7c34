import Glibc

/// A program that uses a port on this machine.
package struct PortHolder: Hashable, Sendable {
    package enum Transport: String, Sendable, CaseIterable { case tcp, udp }

    /// Canonical text; `0.0.0.0` or `::` for every address.
    package var address: String
    /// Nil if only root may know.
    package var processID: Int32?
    /// The kernel's name for it, at most 15 characters.
    package var program: String?

    package var place: String { ["0.0.0.0", "::"].contains(address) ? "every address" : address }

    /// Whether it prevents binding one of these addresses.
    package func isInTheWay(of addresses: [String]) -> Bool {
        ["0.0.0.0", "::"].contains(address) || addresses.contains(address)
    }

    /// The current users of a port, read from `/proc`; empty if it does not tell.
    package static func current(port: Int, transport: Transport) -> [PortHolder] {
        let tables = ["/proc/net/\(transport.rawValue)", "/proc/net/\(transport.rawValue)6"]
        let sockets = tables.flatMap {
            Self.sockets(in: fileText($0) ?? "", port: port, transport: transport)
        }
        guard !sockets.isEmpty else { return [] }
        let owners = owners(of: Set(sockets.map(\.inode)))
        return sockets.map { socket in
            let owner = owners[socket.inode]
            let program = owner.flatMap { fileText("/proc/\($0)/comm") }?.split(separator: "\n").first
            return PortHolder(address: socket.address, processID: owner, program: program.map(String.init))
        }
    }

    struct Socket: Hashable {
        var address: String
        var inode: String
    }

    /// Listening sockets in a kernel table; for UDP, all bound sockets.
    static func sockets(in table: String, port: Int, transport: Transport) -> [Socket] {
        let state = transport == .tcp ? "0A" : "07"
        return table.split(separator: "\n").compactMap { line in
            let columns = words(line)
            guard columns.count > 9, columns[3] == state else { return nil }
            let parts = columns[1].split(separator: ":")
            guard parts.count == 2, Int(parts[1], radix: 16) == port, let address = address(parts[0]) else {
                return nil
            }
            return Socket(address: address.text, inode: String(columns[9]))
        }
    }

    /// The kernel writes 32 bits at a time, in this machine's byte order.
    private static func address(_ hex: Substring) -> AddressBytes? {
        guard let bytes = AddressBytes(hex: hex)?.bytes else { return nil }
        let words = stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        return AddressBytes(words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } })
    }

    /// The owner of a socket among the processes that hold it: systemd (process 1) only keeps sockets for others.
    static func owner(among processes: [Int32]) -> Int32? { processes.first { $0 != 1 } ?? processes.first }

    /// Process ids by socket.
    private static func owners(of inodes: Set<String>) -> [String: Int32] {
        var holders: [String: [Int32]] = [:]
        for process in fileNames(in: "/proc").compactMap({ Int32($0) }) {
            for file in fileNames(in: "/proc/\(process)/fd") {
                guard let target = link("/proc/\(process)/fd/\(file)"), target.hasPrefix("socket:[") else {
                    continue
                }
                let inode = String(target.dropFirst(8).dropLast())
                if inodes.contains(inode) { holders[inode, default: []].append(process) }
            }
        }
        return holders.compactMapValues(owner)
    }

    private static func link(_ path: String) -> String? {
        var target = [UInt8](repeating: 0, count: 128)
        let count = target.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
        return count > 0 ? String(decoding: target[..<count], as: UTF8.self) : nil
    }
}
