import Directory
import NIOCore

extension Exchange {
    /// A client that waits for the answer.
    struct Waiter {
        let question: PendingQuery
        let asking: Responder.Asking
        /// The key by which its share is counted (`Responder.holder`).
        let holder: ClientAddress
        /// Until when to wait for a gateway at most; nil: it has not had to wait.
        var heldUntil: NIODeadline?
        let deliver: (ByteBuffer) -> Void
    }

    /// Adds a client that waits for the same answer.
    func join(_ waiter: Waiter) {
        waiters.append(waiter)
        if let place { loop.places.join(place, waiter.holder) }
    }

    /// Adds a look-up of this server that waits for the same answer.
    func join(_ done: @escaping (Responder.Resolution) -> Void) {
        ownWaiters.append(done)
        if let place { loop.places.join(place, .ownLookups) }
    }
}
