import Directory
import NIOCore

// The path of a question, stage by stage: this file lists the stages in their order and holds the short ones.
//
// A question is parsed once, before the first stage. The first stage with an outcome ends the path. A question for an
// upstream leaves at the last stage, waits (`Exchange`, or `ResolverLoop.hold` for a gateway), and passes all stages
// again with the result, because the rules may have changed meanwhile.

extension Responder {
    func outcome(_ pass: inout Pass, _ reply: inout ReplyWriter) -> Outcome {
        // Versions of EDNS that do not exist yet are refused.
        if let outcome = EDNSVersion.outcome(&pass, &reply, self) { return outcome }
        // Who asks? Strangers are refused, and so are zone transfers.
        if let outcome = Admission.outcome(&pass, &reply, self) { return outcome }
        // Names that are decided before every rule: this server's, the home's, those of RFCs.
        if let outcome = DecidedNames.outcome(&pass, &reply, self) { return outcome }
        // Unknown devices, whose rules nobody can tell.
        if let outcome = Unnamed.outcome(&pass, &reply, self) { return outcome }
        // The rules of the client's groups: blocked, relayed, or open and for how long.
        if let outcome = Rules.outcome(&pass, &reply, self) { return outcome }
        // Open names: ANY, the cache, or else an upstream, whose answer may wait until a gateway has opened its
        // addresses.
        return Forwarding.outcome(&pass, &reply, self)
    }
}

/// What the stages know of a question on its path; its name is the responder's `name`.
struct Pass {
    let query: Query
    /// Where the question came from; `asking` may be for a device that a forwarder named.
    let source: ClientAddress
    var asking: Responder.Asking
    /// The upstreams' result; nil for a new question.
    var resolution: Responder.Resolution?
    var client = ClientTable.Client(isServed: false)
    /// A forwarder asks without naming a device.
    var isForwardedUnnamed = false
    /// How an upstream's answer goes on to the client.
    var passing = Responder.Passing(ceiling: .max, isLocal: false)
}

/// A stage on the way of a question.
protocol Stage {
    /// - Returns: nil if the next stage decides.
    static func outcome(
        _ pass: inout Pass, _ reply: inout ReplyWriter, _ responder: Responder
    ) -> Responder.Outcome?
}

/// Versions of EDNS above 0 get BADVERS (RFC 6891, 6.1.3).
enum EDNSVersion: Stage {
    static func outcome(
        _ pass: inout Pass, _ reply: inout ReplyWriter, _ responder: Responder
    ) -> Responder.Outcome? {
        guard let edns = pass.query.edns, edns.version > 0 else { return nil }
        responder.tally.metrics.refused += 1
        reply.begin(rcode: UInt8(RCode.badVersion & 15))
        reply.opt(extendedRCode: UInt8(RCode.badVersion >> 4))
        return .replied
    }
}

/// Finds out who asks; refuses clients that are not at home, and questions that are not for records of class IN.
enum Admission: Stage {
    static func outcome(
        _ pass: inout Pass, _ reply: inout ReplyWriter, _ responder: Responder
    ) -> Responder.Outcome? {
        let source = pass.asking.client
        pass.client = responder.clients.client(source)
        let isForwarded = pass.client.isServed && responder.forwarders.contains(source)
        let named = pass.client.isServed ? pass.query.hardware : nil
        pass.isForwardedUnnamed = isForwarded && named == nil
        if let named, isForwarded {
            pass.asking.client = ClientAddress(named)
            pass.client = responder.clients.client(pass.asking.client)
        } else if named != nil {
            responder.checkNotes.note(unbelieved: source)
        }
        let query = pass.query
        let isQuestion =
            query.recordClass == 1 && query.type != 0 && !RecordType.metaTypes.contains(query.type)
        return pass.client.isServed && isQuestion ? nil : responder.refuse(&reply)
    }
}

/// Unknown devices: new neighbours, and devices that a forwarder does not name.
enum Unnamed: Stage {
    static func outcome(
        _ pass: inout Pass, _ reply: inout ReplyWriter, _ responder: Responder
    ) -> Responder.Outcome? {
        let asking = pass.asking
        let isUnsure = pass.client.isUnsure && !responder.ownAddresses.contains(asking.client)
        if isUnsure, asking.isDatagram, responder.mustAskAgain(asking.client) {
            return responder.askAgain(&reply)
        }
        guard isUnsure || pass.isForwardedUnnamed else { return nil }
        return responder.answerUnnamed(pass.query, asking, &reply, pass.resolution)
    }
}

/// The rules of the client's groups; a client that is in none is forwarded untouched.
enum Rules: Stage {
    static func outcome(
        _ pass: inout Pass, _ reply: inout ReplyWriter, _ responder: Responder
    ) -> Responder.Outcome? {
        if pass.client.groups.isEmpty { return nil }
        let (query, name, rules) = (pass.query, responder.name, responder.filter.rules)
        let table = rules.table
        let match = table.match(name)
        let group = rules.strictest(of: pass.client.groups, match, at: pass.asking.now)
        let step = group.decide(match, in: table)
        let kind = step?.kind ?? .forward
        let client = pass.asking.client
        if pass.resolution == nil && match.tag != 0 {
            responder.tally.count(client, tag: match.tag, blocked: kind == .block || kind == .null)
        }
        // A question that went upstream before the rules changed is noted too; the notes hold each name once.
        if kind == .block { responder.refused.note(client, name) }
        switch kind {
        case .block, .null:
            let text = step!.text < 0 ? [] : group.texts[Int(step!.text)]
            let isPage = kind == .block && (match.tag == 0 ? name.looksLikePageHost : match.isPage)
            let isShown =
                isPage && (group.shieldless < 0 || !table.contains(match, set: Int(group.shieldless)))
            return responder.block(query, &reply, text: text, shield: isShown ? pass.asking.endpoint : nil)
        case .nameError:
            return responder.nonexistent(&reply)
        case .relay where query.type.isOfConnections:
            return responder.relay(query, pass.asking, &reply, ttl: group.ceiling(at: pass.asking.now))
        case .forward, .forwardUncapped, .relay:
            let ceiling = kind == .forwardUncapped ? .max : group.ceiling(at: pass.asking.now)
            pass.passing = Responder.Passing(
                ceiling: ceiling, isLocal: false, isNoted: true, isGuarded: kind != .forwardUncapped)
            return nil
        }
    }
}

extension CompiledRules {
    /// The strictest of several groups for a name: a group that closes it, else the group with the strictest action. A
    /// client that may be one of several devices has the strictest answer.
    fileprivate func strictest(of indices: [Int], _ match: NameTable.Match, at now: NIODeadline)
        -> CompiledGroup
    {
        guard indices.count > 1 else { return groups[indices[0]] }
        // Help opens a name, also where the client may be another device.
        if let open = indices.first(where: { groups[$0].decide(match, in: table)?.kind == .forward }) {
            return groups[open]
        }
        func strictness(_ index: Int) -> (UInt8, Int64) {
            let group = groups[index]
            let kind = group.decide(match, in: table)?.kind ?? .forward
            return (kind.rawValue, -Int64(group.ceiling(at: now)))
        }
        return groups[indices.max { strictness($0) < strictness($1) }!]
    }
}

extension CompiledGroup {
    /// The largest TTL at an instant, in seconds: the group's, cut to the end of the verdict; at least 1.
    func ceiling(at now: NIODeadline) -> UInt32 {
        guard let answersEnd else { return ttlCeiling }
        let left = (answersEnd - now).nanoseconds / 1_000_000_000
        return min(ttlCeiling, UInt32(max(1, min(left, Int64(UInt32.max)))))
    }
}
