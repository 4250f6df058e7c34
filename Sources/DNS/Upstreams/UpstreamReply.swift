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

    struct Question {
        let name: WireName
        let type: UInt16
        let variant: UInt8
        /// Whether answers in private ranges are left out.
        let stripsPrivate: Bool
        /// It was asked without the EDNS that the client's DO needs, so that signatures are missing.
        var lacksSignatures = false
    }

    static let longestLifetime: UInt32 = 86_400
    static let longestNegativeLifetime: UInt32 = 3_600
    /// For an answer that lacks something a better upstream would have sent.
    static let makeshiftLifetime: UInt32 = 30

    private let message: UnsafeRawBufferPointer
    private let question: Question
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
    static func read(_ message: UnsafeRawBufferPointer, _ question: Question) -> Reading {
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
            if record.type == RecordType.opt {
                extendedRCode = message[record.ttlPlace]
                return record.section == 2
            }
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
            hasSOA = true
            negativeLifetime = min(ttl, message.u32(end - 4), Self.longestNegativeLifetime)
        }
        if record.section != 1 && question.stripsPrivate {
            // Unreadable addresses count as private.
            hasPrivate =
                hasPrivate || record.addresses(in: message)?.contains { $0?.isPrivate ?? true } ?? true
        }
    }

    private func answer(_ rcode: UInt8, isAuthentic: Bool, isMakeshift: Bool) -> Answer {
        let isNegative = rcode == RCode.nameError || !hasAnswer
        let longest = isMakeshift ? min(lifetime, Self.makeshiftLifetime) : lifetime
        let questionEnd = WireSize.header + question.name.length + 4
        var kept = [UInt8](message[0..<(hasPrivate ? questionEnd : end)])
        for index in 0..<question.name.length { kept[WireSize.header + index] = question.name.bytes[index] }
        return Answer(
            message: kept, questionEnd: questionEnd, ttlOffsets: hasPrivate ? [] : ttlOffsets,
            counts: hasPrivate ? (0, 0, 0) : (counts[0], counts[1], counts[2]), rcode: hasPrivate ? 0 : rcode,
            isAuthentic: isAuthentic && !hasPrivate,
            lifetime: isNegative ? min(longest, negativeLifetime) : longest,
            type: question.type, variant: question.variant, isStripped: hasPrivate)
    }
}
