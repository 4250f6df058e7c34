package import NIOCore

/// Listening sockets that outlive their channels, with the connections that nobody accepted yet. Handed in, because the
/// front door does not know who keeps them.
package struct KeptListeners: Sendable {
    /// A descriptor, the caller's own, of the socket at an address; nil: none is kept.
    package var take: @Sendable (SocketAddress) -> NIOBSDSocket.Handle?
    /// Keeps a socket that was bound just now; the descriptor stays the caller's.
    package var keep: @Sendable (NIOBSDSocket.Handle, SocketAddress) -> Void
    /// Closes what is kept of an address that is not to be listened on any more.
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

    /// A socket ends with its channel.
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
