import Directory

/// Reads an upstream's message into an `Answer`.
struct UpstreamReply {
    enum Reading {
        case answer(Answer)
        /// The right reply, cut short: ask again over TCP. With the records that came, if they reach the type.
        case truncated(Answer?)
        /// Ask another upstream. With what to tell clients if none knows better: an answer that leads nowhere; SERVFAIL
        /// with its Extended DNS Error; or that all failed.
        case failure(Responder.Resolution)
    }

    struct SentQuery {
        let name: WireName
        let type: UInt16
        let variant: UInt8
        /// Whether a public upstream answers, so that private addresses in its answer are worth a note.
        let isFromPublic: Bool
        /// It was asked without the EDNS that the client's DO needs, so that signatures are missing.
        var lacksSignatures = false
    }

    static let longestLifetime: UInt32 = 86_400
    static let longestNegativeLifetime: UInt32 = 3_600
    /// For an answer that lacks something a better upstream would have sent.
    static let makeshiftLifetime: UInt32 = 30

    private let message: UnsafeRawBufferPointer
    private let question: SentQuery
    private var ttlOffsets: [UInt16] = []
    private var lifetime = longestLifetime
    private var negativeLifetime: UInt32 = 0
    private var hasPrivate = false
    private var hasAnswer = false
    private var hasSOA = false
    /// The upper bits of the response code, which the OPT record holds: BADVERS, BADCOOKIE (RFC 6891, 6.1.3).
    private var extendedRCode: UInt8 = 0
    private var end: Int
    private var counts: [UInt16] = [0, 0, 0]

    /// - Parameter message: its ID and question have been matched by the caller.
    static func read(_ message: UnsafeRawBufferPointer, _ question: SentQuery) -> Reading {
        guard message.u16(4) == 1 else { return .failure(.failed) }
        let flags = message.u16(2)
        var reply = UpstreamReply(message, question)
        let isWhole = reply.readRecords()
        let rcode = UInt8(flags & 15)
        if rcode == RCode.serverFailure { return .failure(.failedThere(ExtendedError.code(in: message))) }
        guard rcode == RCode.noError || rcode == RCode.nameError, reply.extendedRCode == 0 else {
            return .failure(.failed)
        }
        let isFound = reply.hasAnswer || rcode == RCode.nameError
        let isCut = flags & HeaderFlag.truncated != 0 || !isWhole
        let answer = reply.answer(
            rcode, isAuthentic: flags & HeaderFlag.authentic != 0,
            isMakeshift: isCut || question.lacksSignatures)
        if isCut { return .truncated(isFound ? answer : nil) }
        // A chain of aliases without an end needs an SOA to say that the end is missing (RFC 2308, 2.2).
        let isComplete = isFound || reply.hasSOA || reply.hasPrivate
        return isComplete ? .answer(answer) : .failure(.answer(answer))
    }

    private init(_ message: UnsafeRawBufferPointer, _ question: SentQuery) {
        self.message = message
        self.question = question
        end = WireSize.header + question.name.length + 4
    }

    /// Walks the three sections. Everything behind an OPT record is left out with it; so is everything behind an
    /// additional private address, which need not be there (RFC 2181, 9): a service may have its host in the home.
    private mutating func readRecords() -> Bool {
        var records = Records(message, behindQuestion: end)
        while let record = records.next() {
            guard record.data.upperBound <= WireSize.message else { return false }
            if record.type == RecordType.opt {
                extendedRCode = message[record.ttlPlace]
                return record.section == 2
            }
            if record.section == 2 && leadsHome(record) { return true }
            take(record)
        }
        return !records.isMalformed
    }

    private mutating func take(_ record: Record) {
        if record.section == 0 && leadsHome(record) { hasPrivate = true }
        counts[record.section] += 1
        end = record.data.upperBound
        ttlOffsets.append(UInt16(record.ttlPlace))
        let raw = message.u32(record.ttlPlace)
        let ttl = raw > 0x7fff_ffff ? 0 : raw
        lifetime = min(lifetime, ttl)
        if record.section == 0 && record.type == question.type { hasAnswer = true }
        if record.section == 1 && record.type == RecordType.soa && record.data.count >= 22 {
            hasSOA = true
            negativeLifetime = min(ttl, message.u32(end - 4), Self.longestNegativeLifetime)
        }
    }

    /// Whether a public upstream's record has an address that no public name should have, or an unreadable one.
    private func leadsHome(_ record: Record) -> Bool {
        guard question.isFromPublic else { return false }
        return record.addresses(in: message)?.contains { $0?.leadsHome ?? true } ?? true
    }

    private func answer(_ rcode: UInt8, isAuthentic: Bool, isMakeshift: Bool) -> Answer {
        let isNegative = rcode == RCode.nameError || !hasAnswer
        let longest = isMakeshift ? min(lifetime, Self.makeshiftLifetime) : lifetime
        let questionEnd = WireSize.header + question.name.length + 4
        var kept = [UInt8](message[0..<end])
        for index in 0..<question.name.length { kept[WireSize.header + index] = question.name.bytes[index] }
        return Answer(
            message: kept, questionEnd: questionEnd, ttlOffsets: ttlOffsets,
            counts: (counts[0], counts[1], counts[2]), rcode: rcode, isAuthentic: isAuthentic,
            lifetime: isNegative ? min(longest, negativeLifetime) : longest,
            type: question.type, variant: question.variant, leadsHome: hasPrivate)
    }
}
