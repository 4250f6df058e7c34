package import Directory
package import NIOCore
import Synchronization

/// One accepted connection, as the guest book sees it from any thread.
package final class AcceptedConnection: Sendable {
    package let channel: any Channel
    /// The peer's address without port, in canonical text; empty for a socket without one.
    package let address: String
    /// The holder whose share it uses.
    package let holder: Holder
    /// Whether it brings the requests of many devices: from this machine, or from a trusted reverse proxy.
    let isShared: Bool
    /// Whether its requests say for whom they ask (`ReverseProxies`).
    let isProxy: Bool
    let acceptedAt: NIODeadline
    private let lastActive: Atomic<UInt64>

    package init(
        channel: any Channel, now: NIODeadline, proxies: ReverseProxies = ReverseProxies(),
        holder: (_ address: IPAddress) -> Holder = { Holder($0) }
    ) {
        self.channel = channel
        let remote = channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) }
        address = remote?.text ?? ""
        self.holder = remote.map(holder) ?? Holder(nil)
        isProxy = proxies.trusts(remote)
        isShared = isProxy || remote?.isLoopback ?? false
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
