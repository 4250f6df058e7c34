extension Responder {
    /// A forwarder's question that names nobody: its own, or one of a device that it cannot name, because the device has a
    /// new address or left no room in its question; or one of a neighbour whose hardware address is not known yet. Nobody
    /// can tell whose rules hold, so that what is closed to anybody leads here, where the front door sees who comes: it
    /// passes on what is open to them. Nothing of it is to be kept, because a forwarder would give it to everybody.
    func answerUnnamed(
        _ query: Query, _ asking: Asking, _ reply: inout ReplyWriter, _ resolution: Resolution?
    ) -> Outcome {
        let match = filter.table.match(name)
        var isClosed = false
        for group in filter.compiled {
            switch group.decide(match, in: filter.table)?.kind {
            case .nameError: return nonexistent(&reply)
            case .null: return block(query, &reply, text: [], shield: nil)
            case .block, .relay: isClosed = true
            case .forward, .forwardUncapped, nil: break
            }
        }
        if isClosed && query.type.isOfConnections { return relay(query, asking, &reply, ttl: 0) }
        let passing = Passing(ceiling: 0, isLocal: false, isNoted: true)
        return forward(query, asking, &reply, passing, resolution)
    }
}
