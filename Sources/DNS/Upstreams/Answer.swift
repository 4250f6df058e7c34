/// An upstream's answer for keeping: without OPT, with the offsets of its TTLs.
final class Answer: Sendable {
    /// Header, question in lower case, and records.
    let message: [UInt8]
    let questionEnd: Int
    /// Offsets of the records' TTLs in `message`.
    let ttlOffsets: [UInt16]
    /// Records in the answer, authority and additional sections.
    let counts: (UInt16, UInt16, UInt16)
    let rcode: UInt8
    /// The upstream validated it (AD).
    let isAuthentic: Bool
    /// Seconds for which it may be used; 0: for the current waiters only.
    let lifetime: UInt32
    let type: UInt16
    let variant: UInt8
    /// A public upstream answered with private addresses.
    let leadsHome: Bool

    init(
        message: [UInt8], questionEnd: Int, ttlOffsets: [UInt16], counts: (UInt16, UInt16, UInt16),
        rcode: UInt8,
        isAuthentic: Bool, lifetime: UInt32, type: UInt16, variant: UInt8, leadsHome: Bool
    ) {
        self.message = message
        self.questionEnd = questionEnd
        self.ttlOffsets = ttlOffsets
        self.counts = counts
        self.rcode = rcode
        self.isAuthentic = isAuthentic
        self.lifetime = lifetime
        self.type = type
        self.variant = variant
        self.leadsHome = leadsHome
    }

    /// Bytes that it takes in a cache, about.
    var cost: Int { message.count + 2 * ttlOffsets.count + 160 }

    func answers(_ name: WireName, type: UInt16, variant: UInt8) -> Bool {
        self.type == type && self.variant == variant && questionEnd == WireSize.header + name.length + 4
            && message.withUnsafeBufferPointer {
                LabelHash.equal($0.baseAddress! + WireSize.header, UnsafePointer(name.bytes), name.length)
            }
    }
}
