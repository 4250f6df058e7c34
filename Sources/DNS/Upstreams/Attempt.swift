import NIOCore

/// One message to one upstream, with all that identifies its reply: source, ID, and the exact question.
struct Attempt {
    /// How its message travels.
    enum Carrier {
        /// Anybody may forge a reply: random ID, randomly mixed case (0x20).
        case datagram
        /// Encrypted: the name as it is, and padding (RFC 8467).
        case encrypted
    }

    /// Queries over encrypted transports are padded to a multiple of this (RFC 8467, 4.1).
    static let paddingBlock = 128

    let upstream: Upstream
    let carrier: Carrier
    /// A connection with other questions gives it another.
    var id: UInt16
    /// Name, type and class.
    let question: [UInt8]
    let usesEDNS: Bool
    let variant: UInt8
    let sent = NIODeadline.now()

    init(
        _ upstream: Upstream, _ name: WireName, type: UInt16, variant: UInt8, usesEDNS: Bool,
        mixesCase: Bool
    ) {
        self.upstream = upstream
        self.variant = variant
        self.usesEDNS = usesEDNS
        carrier = upstream.server.isPlain ? .datagram : .encrypted
        var random = SystemRandomNumberGenerator()
        id = UInt16.random(in: 0...UInt16.max, using: &random)
        var question = [UInt8](UnsafeBufferPointer(start: name.bytes, count: name.length))
        if carrier == .datagram && mixesCase { Self.mixCase(of: &question, &random) }
        for number in [type, 1] { question += [UInt8(number >> 8), UInt8(number & 255)] }
        self.question = question
    }

    private static func mixCase(of name: inout [UInt8], _ random: inout SystemRandomNumberGenerator) {
        var coins: UInt64 = 0
        for index in name.indices {
            if index & 63 == 0 { coins = random.next() }
            let isLetter = name[index] &- 0x61 < 26
            if isLetter && coins & 1 == 1 { name[index] &= 0xdf }
            coins >>= 1
        }
    }

    /// The query as it goes out: RD, AD, the client's CD, our own OPT, so that no client's subnet goes along.
    func message(_ allocator: ByteBufferAllocator) -> ByteBuffer {
        let padding = carrier == .encrypted && usesEDNS ? paddingLength : nil
        var buffer = allocator.buffer(capacity: WireSize.header + question.count + Self.paddingBlock)
        let checking = variant & 2 != 0 ? HeaderFlag.checkingDisabled : 0
        buffer.writeInteger(id)
        buffer.writeInteger(HeaderFlag.recursionDesired | HeaderFlag.authentic | checking)
        buffer.writeMultipleIntegers(UInt16(1), UInt16(0), UInt16(0), UInt16(usesEDNS ? 1 : 0))
        buffer.writeBytes(question)
        if usesEDNS {
            buffer.writeMultipleIntegers(UInt8(0), RecordType.opt, UInt16(WireSize.datagram))
            buffer.writeMultipleIntegers(UInt16(0), UInt16(variant & 1 != 0 ? 0x8000 : 0))
            buffer.writeInteger(UInt16(padding.map { 4 + $0 } ?? 0))
        }
        if let padding {
            buffer.writeMultipleIntegers(OptionCode.padding, UInt16(padding))
            buffer.writeRepeatingByte(0, count: padding)
        }
        return buffer
    }

    /// Bytes inside the padding option that fill the block.
    private var paddingLength: Int {
        let bare = WireSize.header + question.count + WireSize.opt + 4
        return (Self.paddingBlock - bare % Self.paddingBlock) % Self.paddingBlock
    }

    /// Whether there are letters of both cases: a server that returns these unchanged does not change case.
    var showsCase: Bool { Self.showsCase(question.dropLast(4)) }

    static func showsCase(_ name: some Sequence<UInt8>) -> Bool {
        name.contains { $0 &- 0x41 < 26 } && name.contains { $0 &- 0x61 < 26 }
    }

    /// Whether a datagram came from the server that was asked, in any form of its address.
    func came(from source: SocketAddress) -> Bool {
        guard carrier == .datagram, let server = upstream.server.fixed else { return false }
        return source.port == server.port && ClientAddress(source) == server.ip
    }

    /// Whether a message is the reply: a response with our ID and our question, in our case; or one without a question,
    /// as old servers refuse what they do not understand.
    /// - Parameter ignoringCase: also accepts another case, as over TCP, where nobody can forge a reply.
    func isAnswered(by message: UnsafeRawBufferPointer, ignoringCase: Bool = false) -> Bool {
        guard message.count >= WireSize.header, message.u16(0) == id else { return false }
        let flags = message.u16(2)
        guard flags & HeaderFlag.response != 0, flags & HeaderFlag.opcode == 0 else { return false }
        if message.u16(4) == 0 { return true }
        guard message.u16(4) == 1, message.count >= WireSize.header + question.count else { return false }
        return zip(question, message[WireSize.header...]).allSatisfy { asked, answered in
            asked == answered || ignoringCase && asked.lowercasedASCII == answered.lowercasedASCII
        }
    }
}
