import NIOCore

/// One message to one upstream, with everything by which its reply is known: source, ID, and the question to the bit.
struct Attempt {
    let upstream: Int
    let address: SocketAddress
    let id: UInt16
    /// The question with randomly mixed case (0x20), type and class.
    let question: [UInt8]
    let usesEDNS: Bool
    let variant: UInt8

    init(
        _ upstream: Int, _ address: SocketAddress, _ name: WireName, type: UInt16, variant: UInt8,
        usesEDNS: Bool
    ) {
        self.upstream = upstream
        self.address = address
        self.variant = variant
        self.usesEDNS = usesEDNS
        var random = SystemRandomNumberGenerator()
        id = UInt16.random(in: 0...UInt16.max, using: &random)
        var question = [UInt8](UnsafeBufferPointer(start: name.bytes, count: name.length))
        var coins: UInt64 = 0
        for index in question.indices {
            if index & 63 == 0 { coins = random.next() }
            let isLetter = question[index] &- 0x61 < 26
            if isLetter && coins & 1 == 1 { question[index] &= 0xdf }
            coins >>= 1
        }
        for number in [type, 1] { question += [UInt8(number >> 8), UInt8(number & 255)] }
        self.question = question
    }

    /// The query as it goes out: RD, AD, the client's CD, our own OPT, so that no client's subnet goes along.
    func message(_ allocator: ByteBufferAllocator) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: WireSize.header + question.count + WireSize.opt)
        let checking = variant & 2 != 0 ? HeaderFlag.checkingDisabled : 0
        buffer.writeInteger(id)
        buffer.writeInteger(HeaderFlag.recursionDesired | HeaderFlag.authentic | checking)
        buffer.writeMultipleIntegers(UInt16(1), UInt16(0), UInt16(0), UInt16(usesEDNS ? 1 : 0))
        buffer.writeBytes(question)
        if usesEDNS {
            buffer.writeMultipleIntegers(UInt8(0), RecordType.opt, UInt16(WireSize.datagram))
            buffer.writeMultipleIntegers(UInt16(0), UInt16(variant & 1 != 0 ? 0x8000 : 0), UInt16(0))
        }
        return buffer
    }

    /// Whether a message is the reply: a response with our ID and our question, in our case.
    /// - Parameter ignoringCase: over TCP, where nobody can put in a word, upstreams that change the case are heard.
    func isAnswered(by message: UnsafeRawBufferPointer, ignoringCase: Bool = false) -> Bool {
        guard message.count >= WireSize.header + question.count, message.u16(0) == id else { return false }
        let flags = message.u16(2)
        guard flags & HeaderFlag.response != 0, flags & HeaderFlag.opcode == 0, message.u16(4) == 1 else {
            return false
        }
        return zip(question, message[WireSize.header...]).allSatisfy { asked, answered in
            asked == answered || ignoringCase && asked.lowercasedASCII == answered.lowercasedASCII
        }
    }

    func came(from source: SocketAddress) -> Bool {
        source.port == address.port && ClientAddress(source) == ClientAddress(address)
    }
}
