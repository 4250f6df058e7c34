import Directory

/// A resource record (RFC 1035, 4.1.3), by the places of its parts in its message.
struct Record {
    /// 0 is the answer section, 1 authority, 2 additional.
    let section: Int
    let start: Int
    let nameEnd: Int
    let type: UInt16
    let data: Range<Int>

    var ttlPlace: Int { nameEnd + 4 }
}

/// The records of a message, one after the other; they end early if the message is malformed.
struct Records: Sequence, IteratorProtocol {
    private let message: UnsafeRawBufferPointer
    private var offset: Int
    private var section = 0
    private var left: Int
    private(set) var isMalformed = false

    /// - Parameter offset: where the records begin. The message must have a whole header.
    init(_ message: UnsafeRawBufferPointer, behindQuestion offset: Int) {
        self.message = message
        self.offset = offset
        left = Int(message.u16(6))
    }

    /// Nil if no records can be found: the header is cut short, or a question is malformed.
    init?(_ message: UnsafeRawBufferPointer) {
        guard message.count >= WireSize.header else { return nil }
        var offset = WireSize.header
        for _ in 0..<message.u16(4) {
            guard let end = message.endOfName(at: offset) else { return nil }
            offset = end + 4
        }
        self.init(message, behindQuestion: offset)
    }

    mutating func next() -> Record? {
        while left == 0 {
            guard section < 2 else { return nil }
            section += 1
            left = Int(message.u16(6 + 2 * section))
        }
        guard let nameEnd = message.endOfName(at: offset), nameEnd + 10 <= message.count,
            nameEnd + 10 + Int(message.u16(nameEnd + 8)) <= message.count
        else {
            (isMalformed, section, left) = (true, 2, 0)
            return nil
        }
        let data = nameEnd + 10..<nameEnd + 10 + Int(message.u16(nameEnd + 8))
        defer {
            offset = data.upperBound
            left -= 1
        }
        return Record(
            section: section, start: offset, nameEnd: nameEnd, type: message.u16(nameEnd), data: data)
    }
}

extension Record {
    /// The addresses in it: its own, or the hints of an HTTPS or SVCB record (RFC 9460). Nil if they cannot be read; a
    /// nil element is an address that must not be in an answer.
    func addresses(in message: UnsafeRawBufferPointer) -> [ClientAddress?]? {
        switch type {
        case RecordType.a where data.count == 4:
            [ClientAddress(v4: message.u32(data.lowerBound))]
        case RecordType.aaaa where data.count == 16:
            [ClientAddress(ipv6: UnsafeRawBufferPointer(rebasing: message[data]))]
        case RecordType.https, RecordType.svcb:
            ServiceBinding.hints(message, data)
        default: []
        }
    }
}
