import NIOCore
import Synchronization

/// What was passed on and has heard no answer yet, by its first bytes. A router may lead what goes to the outside back to
/// this server, which then relays its own request, and again that one: what comes a fourth time before any answer is ours.
///
/// A ClientHello is never sent twice, and the same plain request seldom at the same moment.
final class Echoes: Sendable {
    static let most = 3

    private let waiting = Mutex<[Int: Int]>([:])

    /// Nil where it comes too often.
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

/// One that waits for its first answer; it ends once, and also when nobody has it any more.
final class Echo {
    private var onEnd: (() -> Void)?

    init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }

    deinit { end() }

    func end() {
        onEnd?()
        onEnd = nil
    }
}
