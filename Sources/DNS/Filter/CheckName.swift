import Directory

/// A one-time name of the set-up check, `<32 hex digits>.check.<own name>`. No cache can have it, so every look-up
/// leaves a trace here. With `4.` or `6.` before it, it has an address of that family only.
struct CheckName {
    let id: CheckID
    let family: CheckQuestion.Family

    /// Nil for other names below `check.`; `checkLabels` is the number of labels behind the digits.
    init?(_ name: WireName, checkLabels: Int) {
        let before = name.labelCount - checkLabels
        guard before == 1 || before == 2 else { return nil }
        let isPlain = before == 1
        guard isPlain || name.bytes[0] == 1,
            let family = isPlain ? .either : CheckQuestion.Family(label: name.bytes[1]),
            let id = CheckID(label: name.bytes + Int(name.labels[before - 1]))
        else { return nil }
        (self.id, self.family) = (id, family)
    }
}

/// The 128 random bits of a one-time name.
struct CheckID: Equatable {
    private let high: UInt64
    private let low: UInt64

    /// Reads a label with its length octet; nil unless it has 32 hex digits in lower case.
    init?(label: UnsafePointer<UInt8>) {
        guard label[0] == 32 else { return nil }
        var parts: (UInt64, UInt64) = (0, 0)
        for index in 1...32 {
            let byte = label[index]
            let digit: UInt64
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
            if index <= 16 { parts.0 = parts.0 << 4 | digit } else { parts.1 = parts.1 << 4 | digit }
        }
        (high, low) = parts
    }

    /// 32 hex digits.
    var text: String {
        [high, low].map { part in
            let digits = String(part, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// One question for a one-time name: who asked, and how.
package struct CheckQuestion: Hashable, Sendable {
    /// The addresses that the name has.
    package enum Family: UInt8, Sendable, CaseIterable {
        case either, v4, v6

        init?(label byte: UInt8) {
            switch byte {
            case UInt8(ascii: "4"): self = .v4
            case UInt8(ascii: "6"): self = .v6
            default: return nil
            }
        }
    }

    /// 32 hex digits.
    package var id: String
    package var family: Family
    package var client: ClientAddress
    /// The record type: 1 is A, 28 is AAAA, 65 is HTTPS.
    package var type: UInt16
    /// Over UDP; else over TCP.
    package var isDatagram: Bool

    package var isServiceBinding: Bool { type == RecordType.https || type == RecordType.svcb }
}

/// A question that shows that a client has, or may have, another way to resolve names.
package struct EvasionSign: Hashable, Sendable {
    package enum Kind: Sendable {
        /// The name of a public resolver that speaks DNS over TLS or HTTPS.
        case encryptedResolver
        /// `use-application-dns.net`.
        case browserCanary
        /// A name of Apple's Private Relay.
        case relayCanary
        /// A name below `resolver.arpa` (RFC 9462).
        case designatedResolver
    }

    package var client: ClientAddress
    package var kind: Kind
}
