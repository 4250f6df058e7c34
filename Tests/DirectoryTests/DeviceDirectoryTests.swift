import Testing

@testable import Directory

/// The whole rule, way by way.
@Suite struct DeviceDirectoryTests {
    private static let (childs, adults, fresh) = (
        MACAddress("02:00:00:00:00:01")!, MACAddress("02:00:00:00:00:02")!, MACAddress("02:00:00:00:00:77")!
    )
    private static let repeater = MACAddress("02:00:00:00:00:99")!
    private static func at(_ text: String) -> IPAddress { IPAddress(text)! }

    /// 1 is a child's phone, 2 an adult's laptop, 3 a doorbell, 4 was never seen with a hardware address; 5, 6 and 7 are
    /// behind a repeater, and of 7 nobody has said whose it is.
    private let directory = DeviceDirectory([
        .init(id: 1, hardware: [childs], addresses: [at("10.0.0.1"), at("fd00::1")]),
        .init(id: 2, hardware: [adults], addresses: [at("10.0.0.2")]),
        .init(
            id: 3, hardware: [MACAddress("02:00:00:00:00:03")!], addresses: [at("10.0.0.3")], isVital: true),
        .init(id: 4, hardware: [], addresses: [at("10.0.0.4")]),
        .init(id: 5, hardware: [repeater], addresses: [at("10.0.0.5")]),
        .init(id: 6, hardware: [MACAddress("02:00:00:00:00:06")!, repeater], addresses: [at("10.0.0.6")]),
        .init(id: 7, hardware: [repeater], addresses: [at("10.0.0.7")], isUnplaced: true),
    ])

    private func who(_ address: String, _ hardware: MACAddress?) -> DeviceDirectory.Answer {
        directory.answer(Self.at(address), hardware)
    }

    @Test("A DoH id, or a hardware address that a forwarder names, decides")
    func named() {
        #expect(directory.answer(IPAddress(device: 2), nil) == .init(device: 2, rules: [2]))
        #expect(directory.answer(IPAddress(device: 99), nil) == .init(isNew: true))
        #expect(directory.answer(IPAddress(Self.childs), nil) == .init(device: 1, rules: [1]))
        #expect(directory.answer(IPAddress(Self.fresh), nil) == .init(isNew: true))
        #expect(directory.answer(IPAddress(Self.repeater), nil).rules == [5, 6, 7])
    }

    @Test("The hardware address decides where it is one device's, at any address")
    func hardwareDecides() {
        for address in ["10.0.0.1", "10.0.0.200", "fd00::200"] {
            #expect(who(address, Self.childs) == .init(device: 1, rules: [1]))
        }
    }

    @Test(
        "At another's address both could be right: the rules of both hold, and the hardware address says who it is"
    )
    func conflict() {
        #expect(who("10.0.0.2", Self.childs) == .init(device: 1, rules: [1, 2]))
        #expect(who("10.0.0.1", Self.adults) == .init(device: 2, rules: [2, 1]))
        #expect(who("fd00::1", Self.adults) == .init(device: 2, rules: [2, 1]))
    }

    @Test("Where no hardware address can be seen, the IP address decides")
    func addressDecides() {
        #expect(who("10.0.0.1", nil) == .init(device: 1, rules: [1]))
        #expect(who("10.0.0.200", nil) == .init(isNew: true))
    }

    @Test("A new hardware address is a new device; at another's address the stricter of both")
    func newHardware() {
        #expect(who("10.0.0.200", Self.fresh) == .init(isNew: true))
        #expect(who("10.0.0.1", Self.fresh) == .init(rules: [1], isNew: true))
        #expect(who("10.0.0.4", Self.fresh) == .init(device: 4, rules: [4]), "it was never seen with any")
        #expect(who("10.0.0.3", Self.fresh) == .init(device: 3, rules: [3]), "somebody's health or safety")
    }

    @Test("Behind a shared hardware address a pair decides that was met or confirmed")
    func pairs() {
        #expect(who("10.0.0.5", Self.repeater) == .init(device: 5, rules: [5]))
        #expect(who("10.0.0.6", Self.repeater) == .init(device: 6, rules: [6]))
    }

    @Test(
        "Every other pair has the rules of everybody behind it, of new devices, and of who has the IP address"
    )
    func otherPairs() {
        for address in ["10.0.0.200", "fd00::200"] {
            #expect(who(address, Self.repeater) == .init(rules: [5, 6, 7], isNew: true))
        }
        #expect(who("10.0.0.1", Self.repeater) == .init(rules: [5, 6, 7, 1], isNew: true))
        #expect(who("10.0.0.7", Self.repeater) == .init(device: 7, rules: [5, 6, 7], isNew: true))
    }

    @Test("Of whom nobody has said whose it is has the same rules by its IP address alone, and by its DoH id")
    func unplaced() {
        let all = DeviceDirectory.Answer(device: 7, rules: [5, 6, 7], isNew: true)
        #expect(who("10.0.0.7", nil) == all)
        #expect(directory.answer(IPAddress(device: 7), nil) == all)
    }

    @Test(
        "No answer that anybody gets by an address of their choosing is without the rules that hold for them")
    func nothingIsLost() {
        let addresses = (1...9).map { Self.at("10.0.0.\($0)") } + [Self.at("fd00::1"), Self.at("fd00::9")]
        for address in addresses {
            #expect(directory.answer(address, Self.childs).rules.contains(1))
            #expect(directory.answer(address, Self.childs).device == 1)
        }
    }

    @Test("A holder is a hardware address, else an IPv4 address or an IPv6 network of 64 bits")
    func holders() {
        let table = Neighbours([Self.at("10.0.0.1"): Self.childs, Self.at("fd00::1"): Self.childs])
        #expect(table.holder(of: Self.at("10.0.0.1")) == table.holder(of: Self.at("fd00::1")))
        #expect(table.holder(of: Self.at("fd00::2")) == table.holder(of: Self.at("fd00::3")))
        #expect(table.holder(of: Self.at("fd00::2")) != table.holder(of: Self.at("fd00:0:0:1::2")))
        #expect(table.holder(of: Self.at("10.0.0.2")) != table.holder(of: Self.at("10.0.0.3")))
    }
}
