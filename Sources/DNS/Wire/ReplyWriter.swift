import Directory

/// The parts of replies that this server makes itself.
struct ReplyWriter {
    /// TTL of blocked and negative answers, in seconds, and the SOA's MINIMUM.
    static let shortTTL: UInt32 = 10
    /// Replies over encrypted transports are padded to a multiple of this (RFC 8467, 4.1).
    static let paddingBlock = 468
    /// A pointer to the question's name.
    private static let nameOfQuestion: UInt16 = 0xc00c

    let query: Query
    let packet: UnsafeRawBufferPointer
    var writer: MessageWriter
    /// Whether to pad the reply, so that its size tells nothing.
    var pads = false
    private let start: Int

    init(_ query: Query, _ packet: UnsafeRawBufferPointer, _ writer: MessageWriter) {
        self.query = query
        self.packet = packet
        self.writer = writer
        start = writer.count
    }

    /// Header and the client's own question, in its own case.
    mutating func begin(rcode: UInt8, flags: UInt16 = 0, answers: UInt16 = 0, authorities: UInt16 = 0) {
        let copied = query.flags & (HeaderFlag.recursionDesired | HeaderFlag.checkingDisabled)
        writer.u16(query.id)
        writer.u16(HeaderFlag.response | HeaderFlag.recursionAvailable | copied | flags | UInt16(rcode))
        writer.u16(1)
        writer.u16(answers)
        writer.u16(authorities)
        writer.u16(query.edns == nil ? 0 : 1)
        writer.bytes(UnsafeRawBufferPointer(rebasing: packet[WireSize.header..<query.questionEnd]))
    }

    /// A header alone, with zeroed counts; the opcode is the client's.
    mutating func bareHeader(rcode: UInt8) {
        writer.u16(query.id)
        let copied = query.flags & (HeaderFlag.recursionDesired | HeaderFlag.opcode)
        writer.u16(HeaderFlag.response | copied | UInt16(rcode))
        writer.u64(0)
    }

    /// Name, type, class IN, TTL and length of a record at the question's name.
    mutating func record(type: UInt16, ttl: UInt32, length: UInt16) {
        writer.u16(Self.nameOfQuestion)
        writer.u16(type)
        writer.u16(1)
        writer.u32(ttl)
        writer.u16(length)
    }

    mutating func address(_ address: ClientAddress, ttl: UInt32) {
        if address.isV4 {
            record(type: RecordType.a, ttl: ttl, length: 4)
            writer.u32(address.v4Bits)
        } else {
            record(type: RecordType.aaaa, ttl: ttl, length: 16)
            writer.u64(address.high)
            writer.u64(address.low)
        }
    }

    /// The SOA that gives a negative answer its lifetime (RFC 2308). Its owner is the question's name for NODATA, and
    /// the name one label above for NXDOMAIN.
    mutating func startOfAuthority(parentAt parent: Int?) {
        if let parent {
            writer.u16(0xc000 | UInt16(WireSize.header + parent))
            writer.u16(RecordType.soa)
            writer.u16(1)
            writer.u32(Self.shortTTL)
            writer.u16(22)
        } else {
            record(type: RecordType.soa, ttl: Self.shortTTL, length: 22)
        }
        writer.u16(0)
        writer.u32(1)
        writer.u32(3600)
        writer.u32(600)
        writer.u32(86_400)
        writer.u32(Self.shortTTL)
    }

    /// The OPT record, if the client sent one, with an Extended DNS Error if `code` is given. Text and then code are
    /// left out where the reply would be larger than three times the query.
    mutating func opt(code: UInt16? = nil, text: [UInt8] = [], extendedRCode: UInt8 = 0) {
        guard let edns = query.edns else { return }
        let room = 3 * packet.count - (writer.count - start) - WireSize.opt - 6
        let code = room >= 0 ? code : nil
        let text = text.count <= room ? text : []
        let error = code == nil ? 0 : 6 + text.count
        let padding = pads ? padding(behind: WireSize.opt + error) : nil
        writer.u8(0)
        writer.u16(RecordType.opt)
        writer.u16(UInt16(WireSize.datagram))
        writer.u8(extendedRCode)
        writer.u8(0)
        writer.u16(edns.dnssecOK ? 0x8000 : 0)
        writer.u16(UInt16(error + (padding.map { 4 + $0 } ?? 0)))
        if let code {
            writer.u16(OptionCode.extendedError)
            writer.u16(UInt16(2 + text.count))
            writer.u16(code)
            text.withUnsafeBytes { writer.bytes($0) }
        }
        if let padding {
            writer.u16(OptionCode.padding)
            writer.u16(UInt16(padding))
            writer.zeros(padding)
        }
    }

    /// Bytes of padding that fill the block, or the rest of the largest message; nil if the option does not fit.
    private func padding(behind more: Int) -> Int? {
        let bare = writer.count - start + more + 4
        guard bare <= WireSize.message else { return nil }
        let rest = (Self.paddingBlock - bare % Self.paddingBlock) % Self.paddingBlock
        return min(rest, WireSize.message - bare)
    }
}
