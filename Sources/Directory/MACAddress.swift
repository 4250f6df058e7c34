/// The hardware address of a device (EUI-48), as the table of neighbours and forwarders name it.
package struct MACAddress: Hashable, Sendable {
    /// The 48 bits in network order.
    package let bits: UInt64

    /// Reads `aa:bb:cc:dd:ee:ff`; nil for anything else, and for addresses of no single device.
    package init?(_ text: String) {
        self.init(text: text.utf8)
    }

    /// What dnsmasq writes: six bytes, their text, or their base64. Nil for anything else.
    package init?(option value: UnsafeRawBufferPointer) {
        switch value.count {
        case 6: self.init(bytes: value)
        case 8: self.init(base64: value)
        case 17: self.init(text: value)
        default: return nil
        }
    }

    private init?(base64: UnsafeRawBufferPointer) {
        var bits: UInt64 = 0
        for byte in base64 {
            guard let value = Self.sextet(byte) else { return nil }
            bits = bits << 6 | value
        }
        self.init(bits: bits)
    }

    private init?(bytes: some Sequence<UInt8>) {
        self.init(bits: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private init?(text: some Collection<UInt8>) {
        guard text.count == 17 else { return nil }
        var bits: UInt64 = 0
        for (index, byte) in text.enumerated() {
            if index % 3 == 2 {
                guard byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
                bits = bits << 4 | UInt64(digit)
            }
        }
        self.init(bits: bits)
    }

    /// Six bytes in network order, as the kernel has them.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 6 else { return nil }
        self.init(bytes: bytes)
    }

    /// Zero is nobody's, and a group address (the lowest bit of the first byte) is no device's.
    package init?(bits: UInt64) {
        guard bits != 0, bits >> 48 == 0, bits >> 40 & 1 == 0 else { return nil }
        self.bits = bits
    }

    private static func sextet(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(byte - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// Lower case, with colons.
    package var text: String {
        (0..<6).map { index in
            let byte = UInt8(truncatingIfNeeded: bits >> UInt64(40 - 8 * index))
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined(separator: ":")
    }
}

extension MACAddress: CustomStringConvertible {
    package var description: String { text }
}
