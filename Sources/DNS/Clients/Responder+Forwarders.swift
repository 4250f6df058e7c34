extension Responder {
    /// Answers a question of an unknown device. A forwarder names no device when it asks for itself, or when the device
    /// has a new address or left no room in its question; a neighbour is unknown until the kernel has its hardware
    /// address. Nobody can tell whose rules hold. So a name that is closed to anybody leads to this machine, where the
    /// front door sees who connects and relays what is open to them. The TTL is 0, because a forwarder would give a
    /// kept answer to everybody.
    func answerUnnamed(
        _ query: Query, _ asking: Asking, _ reply: inout ReplyWriter, _ resolution: Resolution?
    ) -> Outcome {
        let match = filter.table.match(name)
        var isClosed = false
        for group in filter.rules.groups {
            switch group.decide(match, in: filter.table)?.kind {
            case .nameError: return nonexistent(&reply)
            case .null: return block(query, &reply, text: [], shield: nil)
            case .block, .relay: isClosed = true
            case .forward, .forwardUncapped, nil: break
            }
        }
        if isClosed && query.type.isOfConnections { return relay(query, asking, &reply, ttl: 0) }
        let passing = Passing(ceiling: 0, isLocal: false, isNoted: true, isGuarded: true)
        return forward(query, asking, &reply, passing, resolution)
    }
}
