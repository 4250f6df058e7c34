import Directory

extension Responder {
    /// Whether a client that may be somebody's device with a new address is to come over TCP, for a name that is closed to
    /// anybody: the handshake tells the kernel its hardware address, which a lone datagram does not. Once for each, so
    /// that a device without TCP (against RFC 7766) waits no longer than for a lost packet; what else it asks until its
    /// hardware address is known is answered like a question that names nobody.
    func mustAskAgain(_ client: ClientAddress) -> Bool {
        let match = filter.table.match(name)
        let isClosed = filter.compiled.contains { group in
            switch group.decide(match, in: filter.table)?.kind {
            case .block, .null, .relay: true
            case .forward, .forwardUncapped, .nameError, nil: false
            }
        }
        return isClosed && clients.sendsBack(client)
    }

    func askAgain(_ reply: inout ReplyWriter) -> Outcome {
        reply.begin(rcode: RCode.noError, flags: HeaderFlag.truncated)
        reply.opt()
        return .replied
    }
}
