import DNS
import Directory
import Testing

@testable import LocalNetwork
@testable import SleepInducer

/// By default only the home's interfaces are served, and there only who is at home.
@Suite struct HomeInterfacesTests {
    private static func address(
        _ interface: String, _ text: String, _ length: Int, _ reach: LocalAddress.Reach
    ) -> LocalAddress {
        LocalAddress(interface: interface, address: text, prefixLength: length, reach: reach)
    }

    private static let loopback = address("lo", "127.0.0.1", 8, .loopback)
    private static let home = [
        address("br0", "192.168.1.5", 24, .home), address("br0", "fe80::5", 64, .link),
        address("br0", "2001:db8:1::5", 128, .global),
    ]
    private static let wan = [
        address("wan0", "198.51.100.7", 24, .global), address("wan0", "fe80::7", 64, .link),
        address("wan0", "2001:db8:51::7", 64, .global),
    ]
    private static let overlay = [
        address("tailscale0", "100.101.1.1", 32, .shared),
        address("tailscale0", "fd7a:115c:a1e0::1", 128, .home),
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var machine: [LocalAddress]
        var bind: [String] = []
        var gateway: [String] = []
        var listens: [String]
        var served: [String]
        var refused: [String]
        var isAdvised = false
    }

    @Test(arguments: [
        Case(
            testDescription: "A router: its home, and nobody on the provider's link",
            machine: [loopback] + home + wan,
            listens: ["127.0.0.1", "192.168.1.5", "fe80::5%br0", "2001:db8:1::5"],
            served: [
                "127.0.0.1", "192.168.1.9", "10.9.9.9", "fd00::9", "fe80::9", "2001:db8:1::9", "198.51.100.7",
            ],
            refused: ["198.51.100.9", "2001:db8:51::9", "2001:db8:2::9", "203.0.113.9", "100.64.0.9"],
            isAdvised: true),
        Case(
            testDescription: "--gateway serves what it names, behind another private router too",
            machine: [loopback] + home + [address("wan0", "192.168.178.20", 24, .home)], gateway: ["br0"],
            listens: ["127.0.0.1", "192.168.1.5", "fe80::5%br0", "2001:db8:1::5"],
            served: ["192.168.1.9", "192.168.20.9", "192.168.178.20"], refused: ["192.168.178.9"]),
        Case(
            testDescription: "--bind names an address outside: its network is served, and no other",
            machine: [loopback] + wan, bind: ["198.51.100.7"], listens: ["198.51.100.7"],
            served: ["198.51.100.9", "127.0.0.1", "2001:db8:51::9"], refused: ["203.0.113.9"]),
        Case(
            testDescription: "--bind of every address serves every network of this machine",
            machine: [loopback] + home + wan, bind: ["0.0.0.0", "::"],
            listens: [
                "127.0.0.1", "192.168.1.5", "198.51.100.7", "fe80::5%br0", "2001:db8:1::5", "fe80::7%wan0",
                "2001:db8:51::7",
            ],
            served: ["198.51.100.9", "192.168.1.9", "2001:db8:51::9"], refused: ["203.0.113.9"]),
        Case(
            testDescription: "--bind of a home's address makes the provider's no home",
            machine: [loopback] + home + wan, bind: ["192.168.1.5"], listens: ["192.168.1.5"],
            served: ["192.168.1.9"], refused: ["198.51.100.9", "2001:db8:51::9"]),
        Case(
            testDescription: "An overlay is no home", machine: [loopback] + home + overlay,
            listens: ["127.0.0.1", "192.168.1.5", "fe80::5%br0", "2001:db8:1::5"],
            served: ["192.168.1.9"], refused: ["100.101.1.2"], isAdvised: true),
        Case(
            testDescription: "unless it was named, and then all of it",
            machine: [loopback] + home + overlay, bind: ["192.168.1.5", "100.101.1.1"],
            listens: ["192.168.1.5", "100.101.1.1"], served: ["192.168.1.9", "100.101.1.2"],
            refused: ["100.128.0.1"]),
        Case(
            testDescription: "Only public addresses: this machine alone, and what to do",
            machine: [loopback] + wan, listens: ["127.0.0.1"], served: ["127.0.0.1", "198.51.100.7"],
            refused: ["198.51.100.9", "2001:db8:51::9"], isAdvised: true),
        Case(
            testDescription:
                "A public IPv4 address beside a private one has a provider's customers around it",
            machine: [
                loopback, address("eth0", "203.0.113.5", 24, .global), address("eth0", "fd00::2", 64, .home),
            ], listens: ["127.0.0.1", "203.0.113.5", "fd00::2"], served: ["203.0.113.5", "fd00::9"],
            refused: ["203.0.113.9"]),
        Case(
            testDescription: "A cable between two machines",
            machine: [loopback, address("eth0", "169.254.3.4", 16, .link)],
            listens: ["127.0.0.1", "169.254.3.4"], served: ["169.254.9.9"], refused: ["203.0.113.9"]),
        Case(
            testDescription: "An uplink that has no address yet",
            machine: [loopback, address("wan0", "fe80::7", 64, .link)], listens: ["127.0.0.1"],
            served: ["127.0.0.1"], refused: ["203.0.113.9"]),
    ])
    func itServes(_ example: Case) throws {
        let listening = Listening(
            machine: example.machine, bind: example.bind, advertised: nil, gateway: example.gateway)
        #expect(listening.addresses == example.listens)
        for text in example.served {
            #expect(listening.home.has(try #require(ClientAddress(text))), "\(text) is at home")
        }
        for text in example.refused {
            #expect(!listening.home.has(try #require(ClientAddress(text))), "\(text) is not")
        }
        #expect((listening.advice != nil) == example.isAdvised)
    }

    @Test("Whoever starts it on a machine without a home network is told which address, and how")
    func advice() throws {
        let advice = try #require(
            Listening(machine: [Self.loopback] + Self.wan, bind: [], advertised: nil).advice)
        #expect(advice.contains("198.51.100.7 (wan0)") && advice.contains("--bind"))
        #expect(advice.contains("only this machine is served"))
        let beside = Listening(machine: [Self.loopback] + Self.home + Self.wan, bind: [], advertised: nil)
        #expect(beside.advice?.contains("only this machine") == false)
    }

    @Test("A look that fails changes nothing")
    func aFailedLook() {
        let looks = Looks([["192.168.1.5"], nil, [], ["192.168.1.6"], nil])
        let last = LastRead([]) { looks.next() }
        #expect(
            (0..<5).map { _ in last.now } == [
                ["192.168.1.5"], ["192.168.1.5"], [], ["192.168.1.6"], ["192.168.1.6"],
            ])
    }

    private final class Looks: @unchecked Sendable {
        private var left: [[String]?]
        init(_ looks: [[String]?]) { left = looks }
        func next() -> [String]? { left.removeFirst() }
    }
}
