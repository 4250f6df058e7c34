/// Extended DNS Errors (RFC 8914).
enum ExtendedError {
    static let other: UInt16 = 0
    static let staleAnswer: UInt16 = 3
    static let filtered: UInt16 = 17
    static let noReachableAuthority: UInt16 = 22

    /// The first one in a message of any shape; nil: there is none that can be read.
    static func code(in message: UnsafeRawBufferPointer) -> UInt16? {
        guard message.count >= WireSize.header else { return nil }
        var offset = WireSize.header
        for _ in 0..<message.u16(4) {
            guard let end = message.endOfName(at: offset) else { return nil }
            offset = end + 4
        }
        let records = (3..<6).reduce(0) { $0 + Int(message.u16(2 * $1)) }
        for _ in 0..<records {
            guard let end = message.endOfName(at: offset), end + 10 <= message.count else { return nil }
            let data = end + 10
            offset = data + Int(message.u16(end + 8))
            guard offset <= message.count else { return nil }
            if message.u16(end) == RecordType.opt {
                return code(inOptions: UnsafeRawBufferPointer(rebasing: message[data..<offset]))
            }
        }
        return nil
    }

    private static func code(inOptions options: UnsafeRawBufferPointer) -> UInt16? {
        var offset = 0
        while offset + 4 <= options.count {
            let length = Int(options.u16(offset + 2))
            guard offset + 4 + length <= options.count else { return nil }
            if options.u16(offset) == OptionCode.extendedError, length >= 2 { return options.u16(offset + 4) }
            offset += 4 + length
        }
        return nil
    }
}
