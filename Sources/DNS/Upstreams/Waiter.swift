import Directory
import NIOCore

extension Exchange {
    /// Who gets the answer.
    struct Waiter {
        let question: Question
        let asking: Responder.Asking
        /// By what its share is counted (`Responder.holder`).
        let holder: ClientAddress
        /// Until when a gateway's look is waited for at the most; nil: it did not have to wait.
        var heldUntil: NIODeadline?
        let deliver: (ByteBuffer) -> Void
    }

    /// Lets somebody else wait for it too.
    func join(_ waiter: Waiter) {
        waiters.append(waiter)
        if let place { loop.places.join(place, waiter.holder) }
    }

    /// Lets this server wait for it too.
    func join(_ done: @escaping (Responder.Resolution) -> Void) {
        ownWaiters.append(done)
        if let place { loop.places.join(place, .ownLookups) }
    }
}
