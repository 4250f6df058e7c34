import DNS
import Directory
import Glibc
import LocalNetwork
import NIOCore
import NIOSSL

/// The servers that resolve allowed names: the chosen ones, else the machine's own resolvers, else Quad9.
enum Upstreams {
    static let fallback = "9.9.9.9"
    /// OpenSSL's name for a file of roots to trust instead of the machine's.
    static let rootsVariable = "SSL_CERT_FILE"

    static func servers(_ options: ServeCommand, machine: Machine) throws -> [UpstreamServer] {
        if !options.upstream.isEmpty { return options.upstream.map(\.server) }
        return try plain(own(options, machine)).map { UpstreamServer($0) }
    }

    /// The servers that resolve the names of encrypted upstreams: the plain ones among these, else the machine's own.
    static func bootstrap(_ servers: [UpstreamServer], _ options: ServeCommand, machine: Machine) throws
        -> [SocketAddress]
    {
        let named = servers.filter(\.isPlain).compactMap(\.address)
        if !named.isEmpty { return named }
        return try plain(own(options, machine))
    }

    /// The machine's own resolvers, without forwarders, which would only ask this server.
    private static func own(_ options: ServeCommand, _ machine: Machine) -> [String] {
        let forwarders = Set(options.forwarder.compactMap { ClientAddress($0) })
        let resolvers = machine.resolvers.filter { resolver in
            ClientAddress(resolver).map { !forwarders.contains($0) } ?? true
        }
        return resolvers.isEmpty ? [fallback] : resolvers
    }

    /// Nil if every upstream is plain.
    static func tls(for servers: [UpstreamServer]) throws -> UpstreamTLS? {
        guard servers.contains(where: { !$0.isPlain }) else { return nil }
        let file = getenv(rootsVariable).map { String(cString: $0) } ?? ""
        do {
            return try UpstreamTLS(roots: file.isEmpty ? nil : NIOSSLCertificate.fromPEMFile(file))
        } catch {
            throw Complaint(
                file.isEmpty
                    ? "Encrypted upstreams need the certificates that this machine trusts: install ca-certificates."
                    : "\(rootsVariable) names \(file), which holds no certificates.")
        }
    }

    static func socket(_ address: ServerAddress) throws -> SocketAddress {
        try SocketAddress(ipAddress: address.host, port: address.port ?? 53)
    }

    private static func plain(_ addresses: [String]) throws -> [SocketAddress] {
        try addresses.map { try SocketAddress(ipAddress: $0, port: 53) }
    }
}
