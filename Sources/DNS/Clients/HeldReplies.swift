import Directory
import NIOCore

// A gateway closes the addresses of blocked names, and services share addresses. If the answer for an allowed name has
// a closed address, it waits until the gateway has opened that address; otherwise the client could not connect. An
// answer for which the notes have no room waits for the next collection.

extension Resolver {
    /// Takes over the addresses that a gateway has closed, by client, and sends the answers whose addresses are open
    /// now.
    package func hold(answersThatLeadTo closed: [ClientAddress: Set<ClientAddress>]) {
        loops.send { loop in
            loop.responder.closed = closed
            loop.askHeld()
        }
    }
}

extension ResolverLoop {
    /// Bounds on held replies, and on how long they wait.
    private static let mostHeld = 256
    private static let mostHeldOfOne = 128
    private static let longestHold = TimeAmount.seconds(1)

    /// Makes a client wait for an upstream or for a gateway.
    func wait(_ waiter: Exchange.Waiter, for outcome: Responder.Outcome) {
        switch outcome {
        case .resolve(let lookup): resolve(lookup, for: waiter)
        // The answer came from the cache, which is read again after the wait.
        case .hold: hold(waiter, .failed)
        case .replied, .silence: break
        }
    }

    /// Decides anew: the filter may have changed while the client waited.
    func answer(_ waiter: Exchange.Waiter, _ resolution: Responder.Resolution) {
        var asking = waiter.asking
        asking.now = .now()
        asking.isHeldLong = waiter.heldUntil.map { $0 <= asking.now } ?? false
        let room = asking.isDatagram ? WireSize.datagram : WireSize.message
        let target = UnsafeMutableRawBufferPointer(rebasing: scratch[..<room])
        let (outcome, length) = responder.respond(to: waiter.question, asking, into: target, resolution)
        if case .hold = outcome { return hold(waiter, resolution) }
        waiter.deliver(ByteBuffer(bytes: target[..<length]))
    }

    private func hold(_ waiter: Exchange.Waiter, _ resolution: Responder.Resolution) {
        var waiter = waiter
        let until = waiter.heldUntil ?? .now() + (hasRoom(for: waiter.holder) ? Self.longestHold : .zero)
        waiter.heldUntil = until
        if until <= .now() { return answer(waiter, resolution) }
        held.append((waiter, resolution))
        if holdEnd == nil {
            holdEnd = eventLoop.assumeIsolated().scheduleTask(deadline: until) { [unowned self] in
                askHeld()
            }
        }
    }

    private func hasRoom(for holder: ClientAddress) -> Bool {
        held.count < Self.mostHeld && held.count { $0.waiter.holder == holder } < Self.mostHeldOfOne
    }

    /// Answers the clients that need not wait any longer.
    func askHeld() {
        holdEnd?.cancel()
        holdEnd = nil
        let all = held
        held.removeAll()
        for (waiter, resolution) in all { answer(waiter, resolution) }
    }
}
