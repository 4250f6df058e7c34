/// How long HTTP may keep a reply: as long as its smallest TTL (RFC 8484, 5.1).
enum CacheLifetime {
    /// Seconds; 0 for failures, and for messages that cannot be read.
    static func of(_ message: UnsafeRawBufferPointer) -> UInt32 {
        guard var records = Records(message), message.u16(4) == 1 else { return 0 }
        let rcode = UInt8(message.u16(2) & 15)
        guard rcode == RCode.noError || rcode == RCode.nameError else { return 0 }
        var smallest: UInt32?
        while let record = records.next(), record.section < 2 {
            smallest = min(smallest ?? .max, message.u32(record.ttlPlace))
        }
        return records.isMalformed ? 0 : smallest ?? 0
    }
}
