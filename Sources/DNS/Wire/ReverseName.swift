import Directory

extension WireName {
    /// The address of a whole reverse name (`1.2.0.192.in-addr.arpa`, 32 nibbles under `ip6.arpa`), nil for other
    /// names. The caller has checked that the name is under one of the two zones.
    var reversedAddress: ClientAddress? {
        switch labelCount {
        case 6: reversedV4
        case 34: reversedV6
        default: nil
        }
    }

    private var reversedV4: ClientAddress? {
        var bits: UInt32 = 0
        for label in (0..<4).reversed() {
            let start = Int(labels[label])
            var value: UInt32 = 0
            guard (1...3).contains(bytes[start]) else { return nil }
            for index in 1...Int(bytes[start]) {
                let digit = bytes[start + index] &- 0x30
                guard digit < 10 else { return nil }
                value = value * 10 + UInt32(digit)
            }
            guard value < 256 else { return nil }
            bits = bits << 8 | value
        }
        return ClientAddress(v4: bits)
    }

    private var reversedV6: ClientAddress? {
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        for label in (0..<32).reversed() {
            let start = Int(labels[label])
            guard bytes[start] == 1, let nibble = Self.nibble(bytes[start + 1]) else { return nil }
            halves.high = halves.high << 4 | halves.low >> 60
            halves.low = halves.low << 4 | nibble
        }
        return ClientAddress(high: halves.high, low: halves.low)
    }

    private static func nibble(_ byte: UInt8) -> UInt64? {
        switch byte {
        case 0x30...0x39: UInt64(byte - 0x30)
        case 0x61...0x66: UInt64(byte - 0x57)
        default: nil
        }
    }
}
