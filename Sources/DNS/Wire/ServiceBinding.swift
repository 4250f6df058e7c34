/// The addresses that HTTPS and SVCB records carry along (RFC 9460).
enum ServiceBinding {
    private static let ipv4hint: UInt16 = 4
    private static let ipv6hint: UInt16 = 6

    /// Whether a record's data, from `start` to `end`, hints at a private address; what cannot be read counts as one.
    static func hintsArePrivate(_ message: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        read(message, start, end)?.contains { $0?.isPrivate ?? true } ?? true
    }

    /// The addresses that a record's data hints at, as far as they can be read.
    static func hints(_ message: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> [ClientAddress] {
        read(message, start, end)?.compactMap { $0 } ?? []
    }

    /// Nil for what cannot be read; among the addresses, one that has no business in an answer.
    private static func read(_ message: UnsafeRawBufferPointer, _ start: Int, _ end: Int)
        -> [ClientAddress?]?
    {
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
