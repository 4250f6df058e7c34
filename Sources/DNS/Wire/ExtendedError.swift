/// Extended DNS Errors (RFC 8914).
enum ExtendedError {
    static let other: UInt16 = 0
    static let staleAnswer: UInt16 = 3
    static let filtered: UInt16 = 17
    static let noReachableAuthority: UInt16 = 22

    /// The first code that can be read in a message, which may be malformed; nil if there is none.
    static func code(in message: UnsafeRawBufferPointer) -> UInt16? {
        let record = Records(message)?.first { $0.type == RecordType.opt }
        return record.flatMap { code(inOptions: UnsafeRawBufferPointer(rebasing: message[$0.data])) }
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
