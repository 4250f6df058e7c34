import Testing

@testable import LocalNetwork

@Suite struct LocalAddressTests {
    @Test(arguments: [
        ("127.0.0.1", LocalAddress.Reach.loopback), ("127.9.9.9", .loopback), ("::1", .loopback),
        ("169.254.3.4", .link), ("fe80::1", .link), ("febf::1", .link),
        ("10.0.0.1", .home), ("172.16.0.1", .home), ("172.31.255.255", .home), ("192.168.178.2", .home),
        ("100.64.0.1", .shared), ("100.127.0.1", .shared), ("fd00::1", .home), ("fc00::1", .home),
        ("172.32.0.1", .global), ("100.128.0.1", .global), ("9.9.9.9", .global), ("2001:db8::1", .global),
        ("fec0::1", .global), ("::", .global),
    ])
    func reach(text: String, reach: LocalAddress.Reach) throws {
        #expect(try #require(AddressBytes(text: text)).reach == reach)
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "300.1.1.1", "fe80::1%eth0", "a.example", "::g"])
    func noAddress(text: String) {
        #expect(AddressBytes(text: text) == nil)
    }

    @Test func canonicalText() throws {
        #expect(try #require(AddressBytes(text: "2001:DB8:0:0:0:0:0:1")).text == "2001:db8::1")
    }

    @Test("An address whose duplicate check still runs is left out; an optimistic one may be used")
    func tentative() {
        let table = """
            fe8000000000000000fc00fffe000001 04 40 20 c0     eth0
            00000000000000000000000000000001 01 80 10 80       lo
            fd000000000000000000000000000002 04 40 00 44     eth0
            fd000000000000000000000000000003 04 40 00 40     eth1
            nonsense
            """
        #expect(LocalAddresses.tentative(in: table) == ["fe80::fc:ff:fe00:1%eth0", "fd00::3%eth1"])
    }

    @Test func theSideOfTheRouterComesFirst() {
        let found = [("docker0", "172.17.0.1"), ("eth0", "192.168.1.2"), ("lo", "127.0.0.1")].map {
            LocalAddress(interface: $0, address: $1, prefixLength: 24, reach: .home)
        }
        func names(first: String?) -> [String] {
            LocalAddresses.ordered(found, first: first).map(\.interface)
        }
        #expect(names(first: "eth0") == ["eth0", "docker0", "lo"])
        #expect(names(first: nil) == ["docker0", "eth0", "lo"])
    }

    @Test func machineHasLoopback() throws {
        let own = try #require(LocalAddresses.current())
        let loopback = try #require(own.first { $0.address == "127.0.0.1" })
        #expect(loopback.interface == "lo")
        #expect(loopback.prefixLength == 8)
        #expect(loopback.reach == .loopback)
        #expect(Set(own).count == own.count)
    }

    @Test func zoneOnlyWhereNeeded() {
        let link = LocalAddress(interface: "eth0", address: "fe80::1", prefixLength: 64, reach: .link)
        let home = LocalAddress(interface: "eth0", address: "192.168.1.2", prefixLength: 24, reach: .home)
        #expect(link.bindText == "fe80::1%eth0")
        #expect(home.bindText == "192.168.1.2")
    }

    @Test(arguments: [
        ("192.168.1.2", 24, "192.168.1.77", true), ("192.168.1.2", 24, "192.168.2.77", false),
        ("10.1.2.3", 12, "10.15.0.1", true), ("10.1.2.3", 12, "10.16.0.1", false),
        ("fd00:1::1", 64, "fd00:1::ffff", true), ("fd00:1::1", 64, "fd00:2::1", false),
        ("192.168.1.2", 0, "8.8.8.8", true), ("192.168.1.2", 32, "192.168.1.3", false),
        ("192.168.1.2", 24, "fd00::1", false), ("192.168.1.2", 24, "nonsense", false),
    ])
    func sameNetwork(own: String, prefix: Int, other: String, isOn: Bool) {
        let address = LocalAddress(interface: "eth0", address: own, prefixLength: prefix, reach: .home)
        #expect(address.isOnNetwork(other) == isOn)
    }
}
