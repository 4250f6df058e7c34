import Directory

extension Responder {
    /// Whether a client must ask again over TCP: it may be an enrolled device with a new address, and some group's
    /// rules close the name. The handshake tells the kernel its hardware address, unlike a single datagram. Each client
    /// is told once, so that a device without TCP (against RFC 7766) waits no longer than for a lost packet. Until its
    /// hardware address is known, its other questions are answered by `answerUnnamed`.
    func mustAskAgain(_ client: ClientAddress) -> Bool {
        let match = filter.table.match(name)
        let isClosed = filter.rules.groups.contains { group in
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
