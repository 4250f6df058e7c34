import NIOCore

/// A question on its way over an encrypted connection.
final class LineQuestion {
    var attempt: Attempt
    /// Nil once it is answered, has failed or nobody waits any more.
    private(set) var onEnd: ((ByteBuffer?) -> Void)?
    /// How many questions its link had answered when a connection last left it unanswered; nil if none has.
    var progress: Int?

    /// - Parameter onEnd: called once, with the reply or with nil when there is none.
    init(_ attempt: Attempt, onEnd: @escaping (ByteBuffer?) -> Void) {
        self.attempt = attempt
        self.onEnd = onEnd
    }

    var isWanted: Bool { onEnd != nil }

    func end(_ reply: ByteBuffer?) {
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?(reply)
    }

    /// Nobody waits any more.
    func forget() { onEnd = nil }
}
