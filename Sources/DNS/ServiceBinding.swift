/// The addresses that HTTPS and SVCB records carry along (RFC 9460).
enum ServiceBinding {
    private static let ipv4hint: UInt16 = 4
    private static let ipv6hint: UInt16 = 6

    /// Whether a record's data, from `start` to `end`, hints at a private address; what cannot be read counts as one.
    static func hintsArePrivate(_ message: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        guard start + 2 < end, var offset = message.endOfName(at: start + 2) else { return true }
        while offset < end {
            guard offset + 4 <= end else { return true }
            let key = message.u16(offset)
            let next = offset + 4 + Int(message.u16(offset + 2))
            guard next <= end else { return true }
            var value = offset + 4
            while key == ipv4hint && value + 4 <= next {
                if ClientAddress(v4: message.u32(value)).isPrivate { return true }
                value += 4
            }
            while key == ipv6hint && value + 16 <= next {
                let address = ClientAddress(
                    ipv6: UnsafeRawBufferPointer(rebasing: message[value..<value + 16]))
                if address?.isPrivate ?? true { return true }
                value += 16
            }
            offset = next
        }
        return false
    }
}
