package import NIOSSL

/// Authenticates encrypted upstreams, by certificates under these roots. Made once, shared by all loops.
package struct UpstreamTLS: Sendable {
    let overTLS: NIOSSLContext
    let overHTTPS: NIOSSLContext

    /// - Parameter roots: the trusted roots; nil: this machine's.
    /// - Throws: if this machine's roots cannot be read.
    package init(roots: [NIOSSLCertificate]? = nil) throws {
        overTLS = try Self.context(roots, "dot")
        overHTTPS = try Self.context(roots, "h2")
    }

    private static func context(_ roots: [NIOSSLCertificate]?, _ protocolName: String) throws -> NIOSSLContext
    {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .fullVerification
        configuration.trustRoots = roots.map { .certificates($0) } ?? .default
        configuration.applicationProtocols = [protocolName]
        return try NIOSSLContext(configuration: configuration)
    }
}
