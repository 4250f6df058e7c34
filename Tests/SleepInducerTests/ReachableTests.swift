import LocalNetwork
import Testing

@testable import SleepInducer

/// Where a device of the home can ask this machine, for what it keeps: a profile, a rule.
@Suite struct ReachableTests {
    private static func address(_ text: String, _ reach: LocalAddress.Reach) -> LocalAddress {
        LocalAddress(interface: "eth0", address: text, prefixLength: 24, reach: reach)
    }

    private static let machine = [
        address("127.0.0.1", .loopback), address("fe80::1", .link), address("fd00::5", .home),
        address("2001:db8::5", .global), address("192.168.1.5", .home), address("10.0.0.5", .home),
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var machine = ReachableTests.machine
        var bind: [String] = []
        var advertised: String?
        var expected: [String]
    }

    @Test(arguments: [
        Case(
            testDescription: "IPv4 first, none of one link, of loopback or of the internet",
            expected: ["192.168.1.5", "10.0.0.5", "fd00::5"]),
        Case(testDescription: "what listens only", bind: ["10.0.0.5"], expected: ["10.0.0.5"]),
        Case(testDescription: "--address", advertised: "192.168.9.9", expected: ["192.168.9.9"]),
        Case(testDescription: "only loopback", machine: [machine[0]], expected: ["127.0.0.1"]),
        Case(
            testDescription: "at most four",
            machine: (1...9).map { address("10.0.0.\($0)", .home) },
            expected: ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"]),
    ])
    func itIsReachable(_ example: Case) {
        let listening = Listening(
            machine: example.machine, bind: example.bind, advertised: example.advertised)
        #expect(listening.reachable == example.expected)
    }
}
