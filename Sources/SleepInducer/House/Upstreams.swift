import NIOCore

/// Who resolves what is allowed: what was asked for, else the machine's own resolvers, else Quad9.
enum Upstreams {
    static let fallback = "9.9.9.9"

    static func addresses(_ given: [ServerAddress], machine: Machine) throws -> [SocketAddress] {
        if !given.isEmpty { return try given.map(socket) }
        // A resolver that is this machine would ask us, and we it.
        let own = Set(machine.addresses().map(\.text))
        let system = machine.resolvers.filter { !own.contains($0) && !$0.hasPrefix("127.") && $0 != "::1" }
        return try (system.isEmpty ? [fallback] : system).map { try SocketAddress(ipAddress: $0, port: 53) }
    }

    static func socket(_ address: ServerAddress) throws -> SocketAddress {
        try SocketAddress(ipAddress: address.host, port: address.port ?? 53)
    }
}
