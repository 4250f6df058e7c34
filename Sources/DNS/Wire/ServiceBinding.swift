import Directory

/// The addresses that HTTPS and SVCB records carry along (RFC 9460).
enum ServiceBinding {
    private static let ipv4hint: UInt16 = 4
    private static let ipv6hint: UInt16 = 6

    /// Nil if the data cannot be read. A nil element is an address that must not be in an answer.
    static func hints(_ message: UnsafeRawBufferPointer, _ data: Range<Int>) -> [ClientAddress?]? {
        let (start, end) = (data.lowerBound, data.upperBound)
        guard start + 2 < end, var offset = message.endOfName(at: start + 2) else { return nil }
        var found: [ClientAddress?] = []
        while offset < end {
            guard offset + 4 <= end else { return nil }
            let key = message.u16(offset)
            let next = offset + 4 + Int(message.u16(offset + 2))
            guard next <= end else { return nil }
            var value = offset + 4
            while key == ipv4hint && value + 4 <= next {
                found.append(ClientAddress(v4: message.u32(value)))
                value += 4
            }
            while key == ipv6hint && value + 16 <= next {
                found.append(
                    ClientAddress(ipv6: UnsafeRawBufferPointer(rebasing: message[value..<value + 16])))
                value += 16
            }
            offset = next
        }
        return found
    }
}
