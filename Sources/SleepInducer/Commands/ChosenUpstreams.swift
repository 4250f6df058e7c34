import DNS
import Directory
import Glibc
import LocalNetwork
import NIOCore
import NIOSSL

/// The servers that resolve allowed names: the chosen ones, else the machine's own resolvers, else Quad9.
enum ChosenUpstreams {
    static let fallback = "9.9.9.9"
    /// OpenSSL's name for a file of roots to trust instead of the machine's.
    static let rootsVariable = "SSL_CERT_FILE"

    static func servers(_ options: ServeCommand, _ settings: ResolverSettings) -> [UpstreamServer] {
        options.upstream.isEmpty ? own(options, settings) : options.upstream.map(\.server)
    }

    /// The servers that resolve the names of encrypted upstreams: the plain ones among these, else the machine's own.
    static func bootstrap(
        _ servers: [UpstreamServer], _ options: ServeCommand, _ settings: ResolverSettings
    ) -> [UpstreamServer] {
        let named = servers.filter(\.isPlain)
        return named.isEmpty ? own(options, settings) : named
    }

    /// Whether the machine's own resolvers are asked: as upstreams where none was named, or for the name of an encrypted one.
    static func asksOwn(_ options: ServeCommand) -> Bool {
        let named = options.upstream.map(\.server)
        return named.isEmpty || !named.contains(where: \.isPlain) && named.contains { $0.fixed == nil }
    }

    /// The machine's own resolvers, without forwarders, which would only ask this server. If none can be used now, Quad9
    /// helps out.
    private static func own(_ options: ServeCommand, _ settings: ResolverSettings) -> [UpstreamServer] {
        let forwarders = Set(options.forwarder.compactMap { ClientAddress($0) })
        let found = settings.resolvers.compactMap { UpstreamAddress($0, port: 53) }
            .filter { !forwarders.contains($0.ip) }
        let isUsable = found.contains { $0.socket != nil }
        return (isUsable ? found : found + [UpstreamAddress(fallback, port: 53)].compactMap { $0 })
            .map { UpstreamServer($0) }
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

    /// Nil: a link-local IPv6 address without its interface.
    static func address(_ address: ServerAddress) -> UpstreamAddress? {
        UpstreamAddress(address.host, port: address.port ?? 53)
    }

    static let missingZone = "A link-local address needs its interface, such as fe80::1%eth0."
}
