package import NIOCore
package import Policy
import Synchronization

/// One accepted connection, as the guest book sees it from any thread.
package final class Visit: Sendable {
    package let channel: any Channel
    /// The address by which the household knows the peer, without port; empty for a socket without one.
    package let address: String
    /// The holder whose share it uses.
    package let holder: Holder
    let isLoopback: Bool
    let acceptedAt: NIODeadline
    private let lastActive: Atomic<UInt64>

    package init(
        channel: any Channel, now: NIODeadline, known: (_ address: String) -> String = { $0 },
        holder: (_ address: String) -> Holder = { Holder($0) }
    ) {
        self.channel = channel
        let remote = channel.remoteAddress?.ipAddress ?? ""
        address = remote.isEmpty ? "" : known(remote)
        self.holder = holder(remote)
        isLoopback = address.hasPrefix("127.") || address == "::1"
        acceptedAt = now
        lastActive = Atomic(now.uptimeNanoseconds)
    }

    /// Notes that a byte was received or sent.
    func touch(_ now: NIODeadline) {
        lastActive.store(now.uptimeNanoseconds, ordering: .relaxed)
    }

    /// Closes the connection at once.
    func cut() {
        guard !channel.eventLoop.inEventLoop else { return channel.cut() }
        channel.eventLoop.execute { [channel] in channel.cut() }
    }

    func idle(at now: NIODeadline) -> TimeAmount {
        now - NIODeadline.uptimeNanoseconds(lastActive.load(ordering: .relaxed))
    }
}
