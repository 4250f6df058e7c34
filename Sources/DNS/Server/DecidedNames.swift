import Directory

/// Names of this machine, of the home and of RFCs, which are decided before every rule.
enum DecidedNames: Stage {
    static func outcome(
        _ pass: inout Pass, _ reply: inout ReplyWriter, _ responder: Responder
    ) -> Responder.Outcome? {
        let kinds = responder.served.kinds(of: responder.name)
        if pass.resolution == nil, !kinds.isDisjoint(with: .evasion) {
            responder.checkNotes.note(kinds, by: pass.asking.client)
        }
        if kinds.isEmpty && responder.name.labelCount != 1 { return nil }
        let (query, asking, name) = (pass.query, pass.asking, responder.name)
        // Before the own names, because many machines call themselves `localhost`.
        if kinds.contains(.localhost) { return responder.localhost(query, &reply) }
        if kinds.contains(.own) { return responder.own(query, asking, &reply) }
        if kinds.contains(.check) { return responder.check(query, asking, &reply) }
        if kinds.contains(.belowOwn), responder.isLoopCheck?(name) ?? false {
            return responder.nonexistent(&reply)
        }
        let isHome = isHome(kinds, query, name)
        if kinds.contains(.aboveOwn) && !responder.hasLocalUpstream && isHome {
            return responder.empty(&reply)
        }
        if kinds.contains(.resolverArpa) { return responder.empty(&reply) }
        if responder.isNonexistent(kinds) { return responder.nonexistent(&reply) }
        if kinds.contains(.reverse), let address = name.reversedAddress,
            responder.ownAddresses.contains(address)
        {
            return responder.pointer(query, &reply)
        }
        guard isHome else {
            guard kinds.contains(.proxy) else { return nil }
            pass.passing = Responder.Passing(ceiling: .max, isLocal: false)
            return Forwarding.outcome(&pass, &reply, responder)
        }
        guard responder.hasLocalUpstream, !(responder.isReturned?(pass.source) ?? false) else {
            return responder.nonexistent(&reply)
        }
        pass.passing = Responder.Passing(ceiling: .max, isLocal: true)
        return Forwarding.outcome(&pass, &reply, responder)
    }

    /// Names of the home; a single label is one, except where a validating client asks for a top-level domain.
    private static func isHome(_ kinds: ServedNames.Kinds, _ query: Query, _ name: WireName) -> Bool {
        if kinds.contains(.home) || kinds.contains(.nonexistent) { return true }
        let isDelegation = [RecordType.ns, RecordType.soa, RecordType.ds, RecordType.dnskey].contains(
            query.type)
        return name.labelCount == 1 && !isDelegation
    }
}

extension Responder {
    /// Whether RFCs keep a name from every server. The home's own server may have names below a search domain such as
    /// `office.local`, which many routers give out.
    func isNonexistent(_ kinds: ServedNames.Kinds) -> Bool {
        kinds.contains(.nonexistent) && !(kinds.contains(.home) && hasLocalUpstream)
    }
}

/// Replies that need no upstream.
extension Responder {
    /// A blocked name: the machine's own address for page hosts, the null address for others, and NODATA for types
    /// other than A and AAAA (design.md, "DNS answers").
    func block(_ query: Query, _ reply: inout ReplyWriter, text: [UInt8], shield: OwnAddresses?) -> Outcome {
        tally.metrics.blocked += 1
        let address: ClientAddress? =
            switch query.type {
            case RecordType.a: shield.map(\.v4) ?? ClientAddress(v4: 0)
            case RecordType.aaaa: shield.map(\.v6) ?? ClientAddress(high: 0, low: 0)
            default: nil
            }
        if let address {
            reply.begin(rcode: RCode.noError, answers: 1)
            reply.address(address, ttl: ReplyWriter.shortTTL)
        } else {
            reply.begin(rcode: RCode.noError, authorities: 1)
            reply.startOfAuthority(parentAt: nil)
        }
        reply.opt(code: ExtendedError.filtered, text: text)
        return .replied
    }

    /// A relayed name: this machine's address.
    func relay(_ query: Query, _ asking: Asking, _ reply: inout ReplyWriter, ttl: UInt32) -> Outcome {
        own(query, asking, &reply, ttl: ttl)
    }

    /// NXDOMAIN, its SOA one label above the name.
    func nonexistent(_ reply: inout ReplyWriter) -> Outcome {
        reply.begin(rcode: RCode.nameError, authorities: 1)
        let parent = name.labelCount > 1 ? Int(name.labels[1]) : name.length - 1
        reply.startOfAuthority(parentAt: parent)
        reply.opt()
        return .replied
    }

    /// NODATA.
    func empty(_ reply: inout ReplyWriter, code: UInt16? = nil, text: [UInt8] = []) -> Outcome {
        reply.begin(rcode: RCode.noError, authorities: 1)
        reply.startOfAuthority(parentAt: nil)
        reply.opt(code: code, text: text)
        return .replied
    }

    /// ANY gets one record that says so (RFC 8482).
    func any(_ reply: inout ReplyWriter) -> Outcome {
        let text: StaticString = "RFC8482"
        reply.begin(rcode: RCode.noError, answers: 1)
        reply.record(type: RecordType.hinfo, ttl: 3600, length: UInt16(text.utf8CodeUnitCount + 2))
        reply.writer.u8(UInt8(text.utf8CodeUnitCount))
        reply.writer.bytes(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        reply.writer.u8(0)
        reply.opt()
        return .replied
    }

    /// This machine's own addresses, for its own names and for relayed names.
    func own(
        _ query: Query, _ asking: Asking, _ reply: inout ReplyWriter,
        family: CheckQuestion.Family = .either, ttl: UInt32 = 60
    ) -> Outcome {
        let address: ClientAddress? =
            switch query.type {
            case RecordType.a: family == .v6 ? nil : asking.endpoint.v4
            case RecordType.aaaa: family == .v4 ? nil : asking.endpoint.v6
            default: nil
            }
        guard let address else { return empty(&reply) }
        reply.begin(rcode: RCode.noError, answers: 1)
        reply.address(address, ttl: ttl)
        reply.opt()
        return .replied
    }

    /// Notes and answers a one-time name; no upstream is asked, because the check needs to know who asks here.
    fileprivate func check(_ query: Query, _ asking: Asking, _ reply: inout ReplyWriter) -> Outcome {
        if name.labelCount == served.checkLabels { return empty(&reply) }
        guard let check = CheckName(name, checkLabels: served.checkLabels) else { return nonexistent(&reply) }
        checkNotes.note(check, by: asking.client, type: query.type, isDatagram: asking.isDatagram)
        return own(query, asking, &reply, family: check.family, ttl: 1)
    }

    fileprivate func localhost(_ query: Query, _ reply: inout ReplyWriter) -> Outcome {
        guard query.type == RecordType.a || query.type == RecordType.aaaa else { return empty(&reply) }
        reply.begin(rcode: RCode.noError, answers: 1)
        let isV4 = query.type == RecordType.a
        reply.address(isV4 ? ClientAddress(v4: 0x7f00_0001) : ClientAddress(high: 0, low: 1), ttl: 3600)
        reply.opt()
        return .replied
    }

    fileprivate func pointer(_ query: Query, _ reply: inout ReplyWriter) -> Outcome {
        guard query.type == RecordType.ptr else { return empty(&reply) }
        reply.begin(rcode: RCode.noError, answers: 1)
        reply.record(type: RecordType.ptr, ttl: 60, length: UInt16(served.ownName.count))
        served.ownName.withUnsafeBytes { reply.writer.bytes($0) }
        reply.opt()
        return .replied
    }
}
