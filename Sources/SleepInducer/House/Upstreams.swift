import NIOCore

/// Who resolves what is allowed: what was asked for, else the machine's own resolvers, else Quad9.
enum Upstreams {
    static let fallback = "9.9.9.9"

    static func addresses(_ given: [ServerAddress], machine: Machine) throws -> [SocketAddress] {
        if !given.isEmpty { return try given.map(socket) }
        return try (machine.resolvers.isEmpty ? [fallback] : machine.resolvers).map {
            try SocketAddress(ipAddress: $0, port: 53)
        }
    }

    static func socket(_ address: ServerAddress) throws -> SocketAddress {
        try SocketAddress(ipAddress: address.host, port: address.port ?? 53)
    }
}
