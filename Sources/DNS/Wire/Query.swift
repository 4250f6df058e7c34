import Directory

/// A client's question, as far as an answer needs it; the name is in the `WireName` it was read into.
struct Query {
    var id: UInt16
    /// The header's flags as they were sent.
    var flags: UInt16
    var type: UInt16 = 0
    var recordClass: UInt16 = 0
    /// Offset behind the question.
    var questionEnd = WireSize.header
    var edns: EDNS?
    /// It bears a signature (TSIG of RFC 8945, SIG(0) of RFC 2931), so forwarders pass it on unchanged.
    private(set) var isSigned = false
    private(set) var size = 0

    /// The client's OPT record (RFC 6891).
    struct EDNS {
        var version: UInt8
        var datagramSize: Int
        var dnssecOK: Bool
        var options: Options
    }

    /// The options of an OPT record that this server reads.
    struct Options {
        /// The query was padded, so the reply must be too (RFC 7830).
        var wantsPadding = false
        /// The hardware address for which a forwarder says that it asks; believed of configured forwarders only.
        var hardware: MACAddress?
    }

    /// The result of reading a packet.
    enum Reading {
        /// Gets no answer: a response, or a packet shorter than a header.
        case silence
        /// Gets a bare header with this response code.
        case refused(Query, UInt8)
        case question(Query)
    }

    /// The largest reply over UDP that the client takes, in bytes.
    var datagramLimit: Int {
        guard let edns else { return WireSize.plainDatagram }
        return max(WireSize.plainDatagram, min(edns.datagramSize, WireSize.datagram))
    }

    /// Bytes. In a longer query, a forwarder may have no room for its own option; ordinary queries are shorter.
    static let longest = 400

    /// That address, if the forwarder surely added it itself.
    var hardware: MACAddress? { isSigned || size > Self.longest ? nil : edns?.options.hardware }

    var dnssecOK: Bool { edns?.dnssecOK ?? false }
    var checkingDisabled: Bool { flags & HeaderFlag.checkingDisabled != 0 }

    /// DO and CD. Questions of the same name and type that differ in them may have different answers.
    var variant: UInt8 { (dnssecOK ? 1 : 0) | (checkingDisabled ? 2 : 0) }

    /// Reads a packet; every failure is a case of `Reading`.
    static func read(_ packet: UnsafeRawBufferPointer, into name: WireName) -> Reading {
        guard packet.count >= WireSize.header else { return .silence }
        var query = Query(id: packet.u16(0), flags: packet.u16(2))
        query.size = packet.count
        guard query.flags & HeaderFlag.response == 0 else { return .silence }
        guard query.flags & HeaderFlag.opcode == 0 else { return .refused(query, RCode.notImplemented) }
        guard packet.u16(4) == 1, let nameEnd = name.read(packet, at: WireSize.header),
            nameEnd + 4 <= packet.count
        else { return .refused(query, RCode.formatError) }
        query.type = packet.u16(nameEnd)
        query.recordClass = packet.u16(nameEnd + 2)
        query.questionEnd = nameEnd + 4
        guard query.type != RecordType.opt, query.readRecords(packet)
        else { return .refused(query, RCode.formatError) }
        return .question(query)
    }

    /// Skips the records behind the question and reads the only OPT; false if they are malformed.
    private mutating func readRecords(_ packet: UnsafeRawBufferPointer) -> Bool {
        var records = Records(packet, behindQuestion: questionEnd)
        while let record = records.next() {
            if record.type == RecordType.tsig || record.type == RecordType.sig { isSigned = true }
            guard record.type == RecordType.opt else { continue }
            let end = record.nameEnd
            guard record.section == 2, edns == nil, end == record.start + 1,
                let options = Options(packet, from: record.data.lowerBound, to: record.data.upperBound)
            else { return false }
            edns = EDNS(
                version: packet[end + 5], datagramSize: Int(packet.u16(end + 2)),
                dnssecOK: packet[end + 6] & 0x80 != 0, options: options)
        }
        return !records.isMalformed
    }
}

extension Query.Options {
    /// Nil if they are malformed.
    init?(_ packet: UnsafeRawBufferPointer, from start: Int, to end: Int) {
        var offset = start
        while offset < end {
            guard offset + 4 <= end else { return nil }
            let data = offset + 4
            let next = data + Int(packet.u16(offset + 2))
            guard next <= end else { return nil }
            switch packet.u16(offset) {
            case OptionCode.padding: wantsPadding = true
            case OptionCode.hardwareAddress, OptionCode.deviceName:
                let value = UnsafeRawBufferPointer(rebasing: packet[data..<next])
                // The last option counts: a forwarder adds its own behind any that the device sent.
                hardware = MACAddress(option: value) ?? hardware
            default: break
            }
            offset = next
        }
    }
}
