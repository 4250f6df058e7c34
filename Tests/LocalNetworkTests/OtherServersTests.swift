import Testing

@testable import LocalNetwork

/// Other DNS servers on this network, as far as this machine was told of them.
@Suite struct OtherServersTests {
    private static let own = [
        LocalAddress(interface: "eth0", address: "192.168.1.5", prefixLength: 24, reach: .home),
        LocalAddress(interface: "eth0", address: "fd00::5", prefixLength: 64, reach: .home),
        LocalAddress(interface: "lo", address: "127.0.0.1", prefixLength: 8, reach: .loopback),
    ]
    private static let hardware = [
        "192.168.1.1": "02:00:00:00:00:01", "fd00::1": "02:00:00:00:00:01", "fd00::7": "02:00:00:00:00:07",
    ]

    @Test(
        arguments: [
            ([], []), (["192.168.1.5", "127.0.0.1", "127.0.0.53"], []),
            // The router, by its address and by its hardware address.
            (["192.168.1.1", "fd00::1"], []),
            (["192.168.1.77", "192.168.1.1", "192.168.1.77"], ["192.168.1.77"]), (["fd00::7"], ["fd00::7"]),
            // Elsewhere: public resolvers and a provider's.
            (["9.9.9.9", "10.0.0.7", "2620:fe::fe"], []), (["nonsense", ""], []),
        ] as [([String], [String])])
    func found(told: [String], others: [String]) {
        #expect(
            OtherServers.among(told, own: Self.own, routers: ["192.168.1.1"], hardware: Self.hardware)
                == others)
    }

    @Test(
        arguments: [
            (
                "ADDRESS=192.168.1.5\nDNS=192.168.1.1 192.168.1.77\nROUTER=192.168.1.1",
                ["192.168.1.1", "192.168.1.77"]
            ),
            (
                "lease {\n  option domain-name-servers 10.0.0.1;\n}\nlease {\n"
                    + "  option domain-name-servers 192.168.1.1, 192.168.1.77;\n}",
                ["192.168.1.1", "192.168.1.77"]
            ),
            ("option domain-name-servers ;\nDNS=", []), ("", []), ("DNS=fd00::0001 x", ["fd00::1"]),
        ] as [(String, [String])])
    func leases(text: String, servers: [String]) {
        #expect(OtherServers.servers(inLease: text) == servers)
    }

    @Test func aDiskHasRoom() throws {
        let space = try #require(DiskSpace.at("/"))
        #expect(space.total > 0 && space.free <= space.total)
        #expect(DiskSpace.at("/nowhere/at/all") == nil)
    }
}
