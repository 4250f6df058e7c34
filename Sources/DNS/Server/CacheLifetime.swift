/// How long HTTP may keep a reply: as long as its smallest TTL (RFC 8484, 5.1).
enum CacheLifetime {
    /// Seconds; 0 for what failed, and for what cannot be read.
    static func of(_ message: UnsafeRawBufferPointer) -> UInt32 {
        guard message.count >= WireSize.header, message.u16(4) == 1 else { return 0 }
        let rcode = UInt8(message.u16(2) & 15)
        guard rcode == RCode.noError || rcode == RCode.nameError,
            let nameEnd = message.endOfName(at: WireSize.header)
        else { return 0 }
        var offset = nameEnd + 4
        var smallest: UInt32?
        for _ in 0..<Int(message.u16(6)) + Int(message.u16(8)) {
            guard let end = message.endOfName(at: offset), end + 10 <= message.count else { return 0 }
            smallest = min(smallest ?? .max, message.u32(end + 4))
            offset = end + 10 + Int(message.u16(end + 8))
        }
        return smallest ?? 0
    }
}
