import Testing

@testable import Directory

@Suite struct SameTimeTests {
    private let card = MACAddress("02:00:00:00:00:01")!
    private let one = IPAddress("10.0.0.1")!
    private let two = IPAddress("10.0.0.2")!
    private let three = IPAddress("10.0.0.3")!

    @Test("Addresses whose times overlap are in use at the same time")
    func overlap() {
        var use = SameTime()
        for second in 0...10 {
            use.note(one, card, at: Double(second))
            if second > 4 { use.note(two, card, at: Double(second)) }
        }
        #expect(use.addresses(behind: card) == [one, two])
        #expect(use.latest(of: [card]) != nil && use.latest(of: []) == nil)
    }

    @Test("A device that gets another address has one at a time, also if both are seen in one round")
    func lease() {
        var use = SameTime()
        for second in 0...10 { use.note(one, card, at: Double(second)) }
        for second in 10...30 { use.note(two, card, at: Double(second)) }
        #expect(use.addresses(behind: card) == [])
        #expect(use.latest(of: [card]) == two)
        // It comes back an hour later to the first.
        use.note(one, card, at: 3_600)
        use.note(one, card, at: 3_700)
        #expect(use.addresses(behind: card) == [] && use.latest(of: [card]) == one)
    }

    @Test("IPv6 addresses are nobody's sign: a device has many at once")
    func manyOfIPv6() {
        var use = SameTime()
        for second in 0...10 {
            use.note(one, card, at: Double(second))
            use.note(IPAddress("fd00::\(second % 3 + 1)")!, card, at: Double(second))
        }
        #expect(use.addresses(behind: card) == [])
    }

    @Test("Made-up hardware addresses fill no memory")
    func bounded() {
        var use = SameTime()
        for number in 1...10_000 {
            use.note(three, MACAddress(bits: 0x0200_0000_0000 | UInt64(number))!, at: Double(number))
        }
        #expect(use.latest(of: [MACAddress(bits: 0x0200_0000_0000 | 10_000)!]) == three)
        #expect(use.latest(of: [MACAddress(bits: 0x0200_0000_0000 | 1)!]) == nil)
    }
}
