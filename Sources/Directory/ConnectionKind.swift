/// What a channel that carries requests speaks.
package enum ConnectionKind: Sendable {
    /// HTTP/1.1 without TLS.
    case plain
    /// HTTP/1.1 over TLS, which was removed already.
    case secure
    /// One stream of HTTP/2 over TLS.
    case stream
}
