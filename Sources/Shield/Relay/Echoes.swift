import NIOCore
import Synchronization

/// Detects loops, by the first bytes of relayed connections that wait for their first answer. A router may redirect
/// outgoing traffic to this server, which then relays its own request again and again: the fourth copy before any
/// answer is a loop.
///
/// A ClientHello is never sent twice, and the same plain request rarely at the same moment.
final class Echoes: Sendable {
    static let most = 3

    private let waiting = Mutex<[Int: Int]>([:])

    /// Nil if too many equal ones wait already.
    func begin(_ name: String, _ port: Int, _ first: ByteBuffer) -> Echo? {
        var hasher = Hasher()
        hasher.combine(name)
        hasher.combine(port)
        hasher.combine(first)
        let key = hasher.finalize()
        return waiting.withLock { waiting in
            guard waiting[key, default: 0] < Self.most else { return nil }
            waiting[key, default: 0] += 1
            return Echo { [self] in end(key) }
        }
    }

    private func end(_ key: Int) {
        waiting.withLock { waiting in
            let left = waiting[key, default: 1] - 1
            waiting[key] = left > 0 ? left : nil
        }
    }
}

/// A relayed connection that waits for its first answer. It ends once, at the latest when it is released.
final class Echo {
    private var onEnd: (() -> Void)?

    init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }

    deinit { end() }

    func end() {
        onEnd?()
        onEnd = nil
    }
}
