package import NIOCore

/// Listening sockets that outlive their channels, together with the connections that were not accepted yet. Injected,
/// because the front door does not know where they are kept.
package struct KeptListeners: Sendable {
    /// A duplicate descriptor, owned by the caller, of the socket at an address; nil if none is kept.
    package var take: @Sendable (SocketAddress) -> NIOBSDSocket.Handle?
    /// Keeps a newly bound socket; the caller still owns the descriptor.
    package var keep: @Sendable (NIOBSDSocket.Handle, SocketAddress) -> Void
    /// Closes the kept socket of an address that is no longer used.
    package var forget: @Sendable (SocketAddress) -> Void

    package init(
        take: @escaping @Sendable (SocketAddress) -> NIOBSDSocket.Handle?,
        keep: @escaping @Sendable (NIOBSDSocket.Handle, SocketAddress) -> Void,
        forget: @escaping @Sendable (SocketAddress) -> Void
    ) {
        self.take = take
        self.keep = keep
        self.forget = forget
    }

    /// Keeps nothing: a socket ends with its channel.
    package static let none = KeptListeners(take: { _ in nil }, keep: { _, _ in }, forget: { _ in })

    func keeping(_ channel: any Channel) async throws -> any Channel {
        guard let address = channel.localAddress else { return channel }
        _ = try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
                keep($0, address)
            }
        }.get()
        return channel
    }
}
