package import NIOCore

/// Bound sockets that outlive their channels: the next owner, perhaps another process, reads what the kernel queued.
/// Injected, because DNS does not know who keeps them.
package struct KeptSockets: Sendable {
    /// The kinds of sockets that an address can have.
    package enum Transport: Sendable { case datagram, stream }

    /// How many sockets are kept for an address.
    package var count: @Sendable (SocketAddress, Transport) -> Int
    /// A descriptor of the socket with this index, which the caller owns; nil: none is kept.
    package var take: @Sendable (SocketAddress, Transport, _ index: Int) -> NIOBSDSocket.Handle?
    /// Keeps a socket that was bound just now; the descriptor stays the caller's.
    package var keep: @Sendable (NIOBSDSocket.Handle, SocketAddress, Transport) -> Void
    /// Closes the kept sockets of an address that is no longer listened on.
    package var forget: @Sendable (SocketAddress, Transport) -> Void

    package init(
        count: @escaping @Sendable (SocketAddress, Transport) -> Int,
        take: @escaping @Sendable (SocketAddress, Transport, Int) -> NIOBSDSocket.Handle?,
        keep: @escaping @Sendable (NIOBSDSocket.Handle, SocketAddress, Transport) -> Void,
        forget: @escaping @Sendable (SocketAddress, Transport) -> Void
    ) {
        self.count = count
        self.take = take
        self.keep = keep
        self.forget = forget
    }

    /// Keeps nothing: a socket ends with its channel.
    package static let none = KeptSockets(
        count: { _, _ in 0 }, take: { _, _, _ in nil }, keep: { _, _, _ in }, forget: { _, _ in })
}

extension KeptSockets {
    /// Keeps the socket of a channel; to be called on its event loop.
    func keep(_ channel: any Channel, _ address: SocketAddress, _ transport: Transport) {
        _ = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self)
        {
            keep($0, address, transport)
        }
    }
}
