extension Answer {
    /// A copy of at most `size` bytes: without additional records, then without authority, then with its names
    /// compressed (RFC 2181, 9); nil if none is small enough.
    /// - Parameter keepsAuthority: it holds what the client needs: proofs for DNSSEC (RFC 4035, 3.1.4), or the SOA of a
    ///   negative answer.
    func shortened(to size: Int, keepsAuthority: Bool) -> Answer? {
        let (answers, both) = (Int(counts.0), Int(counts.0) + Int(counts.1))
        let least = keepsAuthority ? both : answers
        for count in [both, least] where end(ofRecords: count) <= size {
            return copy(Array(message[..<end(ofRecords: count)]), Array(ttlOffsets[..<count]))
        }
        return CompressedMessage(self, records: least).flatMap { compressed in
            compressed.bytes.count <= size ? copy(compressed.bytes, compressed.ttlOffsets) : nil
        }
    }

    /// The offset behind the first records: behind a TTL are the length of the data and the data.
    private func end(ofRecords count: Int) -> Int {
        guard count > 0 else { return questionEnd }
        let length = Int(ttlOffsets[count - 1]) + 4
        return length + 2 + (Int(message[length]) << 8 | Int(message[length + 1]))
    }

    private func copy(_ message: [UInt8], _ ttlOffsets: [UInt16]) -> Answer {
        let authorities = UInt16(ttlOffsets.count) - counts.0
        return Answer(
            message: message, questionEnd: questionEnd, ttlOffsets: ttlOffsets,
            counts: (counts.0, authorities, 0), rcode: rcode, isAuthentic: isAuthentic, lifetime: lifetime,
            type: type, variant: variant, leadsHome: leadsHome)
    }
}

/// The first records of an answer with compressed names (RFC 1035, 4.1.4).
private struct CompressedMessage {
    private(set) var bytes: [UInt8]
    private(set) var ttlOffsets: [UInt16] = []
    /// Where each name stands, in lower case.
    private var places: [[UInt8]: UInt16] = [:]

    /// Nil if a record cannot be moved.
    init?(_ answer: Answer, records count: Int) {
        bytes = Array(answer.message[..<WireSize.header])
        let isDone = answer.message.withUnsafeBytes { source in
            guard let nameEnd = write(nameAt: WireSize.header, of: source) else { return false }
            bytes += source[nameEnd..<answer.questionEnd]
            return Records(source, behindQuestion: answer.questionEnd).prefix(count)
                .allSatisfy { write($0, of: source) }
        }
        guard isDone, ttlOffsets.count == count, bytes.count <= WireSize.message else { return nil }
    }

    private mutating func write(_ record: Record, of source: UnsafeRawBufferPointer) -> Bool {
        guard let layout = DataLayout(record.type), write(nameAt: record.start, of: source) != nil else {
            return false
        }
        ttlOffsets.append(UInt16(truncatingIfNeeded: bytes.count + 4))
        bytes += source[record.nameEnd..<record.data.lowerBound]
        let start = bytes.count
        var rest = record.data.lowerBound + layout.lead
        guard rest <= record.data.upperBound else { return false }
        bytes += source[record.data.lowerBound..<rest]
        for _ in 0..<layout.names {
            guard let end = write(nameAt: rest, of: source, compressing: layout.isCompressible),
                end <= record.data.upperBound
            else { return false }
            rest = end
        }
        bytes += source[rest..<record.data.upperBound]
        let length = bytes.count - start
        bytes[start - 2] = UInt8(truncatingIfNeeded: length >> 8)
        bytes[start - 1] = UInt8(truncatingIfNeeded: length)
        return true
    }

    /// - Returns: the offset behind the name in `source`; nil if it is malformed.
    private mutating func write(
        nameAt start: Int, of source: UnsafeRawBufferPointer, compressing: Bool = true
    ) -> Int? {
        guard let end = source.endOfName(at: start) else { return nil }
        let name = source.name(at: start)
        var offset = 0
        while name[offset] != 0 {
            let rest = name[offset...].map(\.lowercasedASCII)
            if let place = places[rest], compressing {
                bytes += [0xc0 | UInt8(place >> 8), UInt8(place & 255)]
                return end
            }
            if places[rest] == nil, bytes.count < 0x4000 { places[rest] = UInt16(bytes.count) }
            let next = offset + 1 + Int(name[offset])
            bytes += name[offset..<next]
            offset = next
        }
        bytes.append(0)
        return end
    }
}

/// Where a record's data has names, which may be compressed and move with their message.
private struct DataLayout {
    /// Bytes before the names.
    var lead = 0
    var names = 0
    /// Other types must not have compressed names, but some servers send them (RFC 3597, 4).
    var isCompressible = false

    /// Nil for old types that may have names elsewhere.
    init?(_ type: UInt16) {
        switch type {
        case 2, 5, 12: (names, isCompressible) = (1, true)  // NS, CNAME, PTR
        case 6: (names, isCompressible) = (2, true)  // SOA
        case 15: (lead, names, isCompressible) = (2, 1, true)  // MX
        case 18, 21, 36: (lead, names) = (2, 1)  // AFSDB, RT, KX
        case 33: (lead, names) = (6, 1)  // SRV
        case 39: names = 1  // DNAME
        case 17: names = 2  // RP
        case 3, 4, 7...9, 14, 24, 26, 30, 35: return nil  // MD, MF, MB, MG, MR, MINFO, SIG, PX, NXT, NAPTR
        default: break
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The name at `start` without pointers; `endOfName` has checked it.
    fileprivate func name(at start: Int) -> [UInt8] {
        var name: [UInt8] = []
        var offset = start
        while self[offset] != 0 {
            let size = Int(self[offset])
            if size >> 6 == 3 {
                offset = (size & 0x3f) << 8 | Int(self[offset + 1])
            } else {
                name += self[offset...offset + size]
                offset += size + 1
            }
        }
        return name + [0]
    }
}
