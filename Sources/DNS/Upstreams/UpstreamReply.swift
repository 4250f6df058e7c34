/// Reads an upstream's message into an `Answer`.
struct UpstreamReply {
    enum Reading {
        case answer(Answer)
        /// The right reply, cut short: ask again over TCP.
        case truncated
        /// SERVFAIL, REFUSED, NOTIMP or what cannot be read: ask another upstream.
        /// SERVFAIL comes with its Extended DNS Error.
        case failure(error: UInt16?, isSaid: Bool)
        /// FORMERR, perhaps because it does not know EDNS.
        case formatError
    }

    /// What was asked.
    struct Question {
        let name: WireName
        let type: UInt16
        let variant: UInt8
        /// Whether answers in private ranges are left out.
        let stripsPrivate: Bool
    }

    static let longestLifetime: UInt32 = 86_400
    static let longestNegativeLifetime: UInt32 = 3_600

    private let message: UnsafeRawBufferPointer
    private let question: Question
    private var ttlOffsets: [UInt16] = []
    private var lifetime = longestLifetime
    private var negativeLifetime: UInt32 = 0
    private var hasPrivate = false
    private var hasAnswer = false
    private var end: Int
    private var counts: [UInt16] = [0, 0, 0]

    /// - Parameter message: whose ID and question the caller has matched already.
    static func read(_ message: UnsafeRawBufferPointer, _ question: Question) -> Reading {
        let flags = message.u16(2)
        let rcode = UInt8(flags & 15)
        if rcode == RCode.formatError { return .formatError }
        guard rcode == RCode.noError || rcode == RCode.nameError else {
            let isSaid = rcode == RCode.serverFailure
            return .failure(error: isSaid ? ExtendedError.code(in: message) : nil, isSaid: isSaid)
        }
        if flags & HeaderFlag.truncated != 0 { return .truncated }
        var reply = UpstreamReply(message, question)
        guard reply.readRecords() else { return .failure(error: nil, isSaid: false) }
        return .answer(reply.answer(rcode, isAuthentic: flags & HeaderFlag.authentic != 0))
    }

    private init(_ message: UnsafeRawBufferPointer, _ question: Question) {
        self.message = message
        self.question = question
        end = WireSize.header + question.name.length + 4
    }

    /// Walks the three sections; everything behind an OPT record is left out with it.
    private mutating func readRecords() -> Bool {
        var offset = end
        for section in 0..<3 {
            for _ in 0..<message.u16(6 + 2 * section) {
                guard let nameEnd = message.endOfName(at: offset), nameEnd + 10 <= message.count else {
                    return false
                }
                let type = message.u16(nameEnd)
                let data = nameEnd + 10
                let next = data + Int(message.u16(nameEnd + 8))
                guard next <= message.count, next <= WireSize.message else { return false }
                if type == RecordType.opt { return section == 2 }
                take(type, section, ttlAt: nameEnd + 4, data: data, end: next)
                counts[section] += 1
                offset = next
                end = next
            }
        }
        return true
    }

    private mutating func take(_ type: UInt16, _ section: Int, ttlAt: Int, data: Int, end: Int) {
        ttlOffsets.append(UInt16(ttlAt))
        let raw = message.u32(ttlAt)
        let ttl = raw > 0x7fff_ffff ? 0 : raw
        lifetime = min(lifetime, ttl)
        if section == 0 && type == question.type { hasAnswer = true }
        if section == 1 && type == RecordType.soa && end - data >= 22 {
            negativeLifetime = min(ttl, message.u32(end - 4), Self.longestNegativeLifetime)
        }
        if section != 1 && question.stripsPrivate { hasPrivate = hasPrivate || isPrivate(type, data, end) }
    }

    private func isPrivate(_ type: UInt16, _ data: Int, _ end: Int) -> Bool {
        switch type {
        case RecordType.a where end - data == 4:
            ClientAddress(v4: message.u32(data)).isPrivate
        case RecordType.aaaa where end - data == 16:
            ClientAddress(ipv6: UnsafeRawBufferPointer(rebasing: message[data..<end])).map(\.isPrivate)
                ?? true
        case RecordType.https, RecordType.svcb:
            ServiceBinding.hintsArePrivate(message, data, end)
        default:
            false
        }
    }

    private func answer(_ rcode: UInt8, isAuthentic: Bool) -> Answer {
        let isNegative = rcode == RCode.nameError || !hasAnswer && (counts[0] == 0 || negativeLifetime > 0)
        let questionEnd = WireSize.header + question.name.length + 4
        var kept = [UInt8](message[0..<(hasPrivate ? questionEnd : end)])
        for index in 0..<question.name.length { kept[WireSize.header + index] = question.name.bytes[index] }
        return Answer(
            message: kept, questionEnd: questionEnd, ttlOffsets: hasPrivate ? [] : ttlOffsets,
            counts: hasPrivate ? (0, 0, 0) : (counts[0], counts[1], counts[2]), rcode: hasPrivate ? 0 : rcode,
            isAuthentic: isAuthentic && !hasPrivate,
            lifetime: isNegative ? min(lifetime, negativeLifetime) : lifetime,
            type: question.type, variant: question.variant, isStripped: hasPrivate)
    }
}
