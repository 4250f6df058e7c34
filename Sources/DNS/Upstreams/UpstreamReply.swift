import Directory

/// Reads an upstream's message into an `Answer`.
struct UpstreamReply {
    enum Reading {
        case answer(Answer)
        /// The right reply, cut short: ask again over TCP.
        case truncated
        /// SERVFAIL, REFUSED, NOTIMP or an unreadable reply: ask another upstream. Only SERVFAIL is `isSaid`, with its
        /// Extended DNS Error if it has one.
        case failure(error: UInt16?, isSaid: Bool)
        /// FORMERR, perhaps because the upstream does not know EDNS.
        case formatError
    }

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

    /// - Parameter message: its ID and question have been matched by the caller.
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
        var records = Records(message, behindQuestion: end)
        while let record = records.next() {
            guard record.data.upperBound <= WireSize.message else { return false }
            if record.type == RecordType.opt { return record.section == 2 }
            take(record)
        }
        return !records.isMalformed
    }

    private mutating func take(_ record: Record) {
        counts[record.section] += 1
        end = record.data.upperBound
        ttlOffsets.append(UInt16(record.ttlPlace))
        let raw = message.u32(record.ttlPlace)
        let ttl = raw > 0x7fff_ffff ? 0 : raw
        lifetime = min(lifetime, ttl)
        if record.section == 0 && record.type == question.type { hasAnswer = true }
        if record.section == 1 && record.type == RecordType.soa && record.data.count >= 22 {
            negativeLifetime = min(ttl, message.u32(end - 4), Self.longestNegativeLifetime)
        }
        if record.section != 1 && question.stripsPrivate {
            // Unreadable addresses count as private.
            hasPrivate =
                hasPrivate || record.addresses(in: message)?.contains { $0?.isPrivate ?? true } ?? true
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
