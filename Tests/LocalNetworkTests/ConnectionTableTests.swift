import Directory
import Foundation
import LinuxCalls
import Testing

@testable import LocalNetwork

/// What is read from the kernel's connection table, what is written to it, and which connections the rules refuse.
@Suite struct ConnectionTableTests {
    private static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
        let length = UInt16(4 + value.count)
        return [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(type & 0xFF), UInt8(type >> 8)] + value
            + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }

    /// With the flag for an attribute that contains others, as the kernel sets it.
    private static func nested(_ type: Int, _ value: [UInt8]) -> [UInt8] { attribute(type | 0x8000, value) }

    private static func tuple(
        _ source: String, _ destination: String, _ transport: UInt8, _ ports: (UInt16, UInt16)
    ) -> [UInt8] {
        let first = source.contains(":") ? 3 : 1
        func port(_ port: UInt16) -> [UInt8] { [UInt8(port >> 8), UInt8(port & 0xFF)] }
        return nested(
            1,
            attribute(first, AddressBytes(text: source)!.bytes)
                + attribute(first + 1, AddressBytes(text: destination)!.bytes))
            + nested(2, attribute(1, [transport]) + attribute(2, port(ports.0)) + attribute(3, port(ports.1)))
    }

    /// From a device, through this machine's one outside address.
    private static let masqueraded: [UInt8] =
        [2, 0, 0, 0]
        + nested(1, tuple("10.0.0.2", "203.0.113.9", 6, (40_000, 443)))
        + nested(2, tuple("203.0.113.9", "198.51.100.1", 6, (443, 51_000)))
        + attribute(3, [0, 0, 0x01, 0x8E]) + attribute(7, [0, 0, 1, 44])
        + nested(4, nested(1, attribute(1, [3]) + attribute(2, [7])))
        + attribute(12, [1, 2, 3, 4]) + attribute(18, [0, 9])

    @Test func aConnectionIsRead() throws {
        let flow = try #require(TrackedFlow(Self.masqueraded[...]))
        #expect(
            (flow.original.source.text, flow.original.destination.text) == ("10.0.0.2", "203.0.113.9"))
        #expect((flow.original.sourcePort, flow.original.destinationPort) == (40_000, 443))
        #expect((flow.reply.source.text, flow.reply.destination.text) == ("203.0.113.9", "198.51.100.1"))
        #expect((flow.reply.sourcePort, flow.reply.destinationPort) == (443, 51_000))
        #expect(flow.isTCP && !flow.isUDP && flow.isAnswered && flow.isRunning && !flow.passesRules)
        #expect(flow.key.id == [1, 2, 3, 4] && flow.key.zone == [0, 9])
        #expect(flow.key.tuple == Self.tuple("10.0.0.2", "203.0.113.9", 6, (40_000, 443)))
        let sixth =
            [10, 0, 0, 0] + Self.nested(1, Self.tuple("fd00::2", "2001:db8::9", 17, (5000, 443)))
            + Self.nested(2, Self.tuple("2001:db8::9", "fd00::2", 17, (443, 5000)))
            + Self.attribute(3, [0, 0, 0x41, 0x88])
        let other = try #require(TrackedFlow(sixth[...]))
        #expect(other.original.destination.text == "2001:db8::9" && other.isUDP)
        #expect(other.passesRules && !other.isAnswered && !other.isRunning && other.key.id == nil)
    }

    @Test func everyCutIsHarmless() {
        for length in 0..<Self.masqueraded.count {
            let flow = TrackedFlow(Self.masqueraded[..<length])
            #expect(flow == nil || flow?.original.source.text == "10.0.0.2")
        }
        for at in Self.masqueraded.indices {
            var bytes = Self.masqueraded
            bytes[at] = 0xFF
            _ = TrackedFlow(bytes[...])
        }
    }

    @Test func whatTheKernelIsAskedAndTold() throws {
        #expect(ConnectionRequest.dump == [20, 0, 0, 0, 1, 1, 1, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        let flow = try #require(TrackedFlow(Self.masqueraded[...]))
        let tuple = Self.nested(1, Self.tuple("10.0.0.2", "203.0.113.9", 6, (40_000, 443)))
        let body = [2, 0, 0, 0] + tuple + Self.attribute(12, [1, 2, 3, 4]) + Self.attribute(18, [0, 9])
        let header: (UInt8) -> [UInt8] = { sequence in
            [UInt8(16 + body.count), 0, 0, 0, 2, 1, 5, 0, sequence, 0, 0, 0, 0, 0, 0, 0]
        }
        #expect(ConnectionRequest.deletion(of: [flow.key, flow.key]) == header(2) + body + header(3) + body)
    }

    // MARK: Which are refused

    private static let rules = GatewayRules(
        interfaces: ["br0"], desk: .init(v4: "10.0.0.1", v6: nil, port: 53),
        encryptedResolvers: ["8.8.8.8", "45.90.28.0/22", "2a07:a8c0::/29"], placed: ["10.0.0.5", "10.0.0.6"],
        groups: [
            .init(
                hardware: ["02:00:00:00:00:02"], addresses: ["10.0.0.2"],
                rejected: ["203.0.113.9": "video.example", "2001:db8::9": "video.example"]),
            .init(hardware: [], addresses: ["10.0.0.3"], rejected: [:]),
            .init(
                hardware: [], sharedHardware: ["02:00:00:00:00:05"], addresses: ["10.0.0.5"],
                rejected: ["203.0.113.9": "video.example", "2001:db8::9": "video.example"]),
        ])

    private static let refused = RefusedFlows(
        rules,
        neighbours: [
            Neighbour(
                address: IPAddress("fd00::77")!, hardware: MACAddress("02:00:00:00:00:02")!, interface: "br0",
                isFresh: false),
            Neighbour(
                address: IPAddress("fd00::88")!, hardware: MACAddress("02:00:00:00:00:05")!, interface: "br0",
                isFresh: true),
            Neighbour(
                address: IPAddress("10.0.0.88")!, hardware: MACAddress("02:00:00:00:00:05")!,
                interface: "br0", isFresh: true),
            Neighbour(
                address: IPAddress("10.0.0.6")!, hardware: MACAddress("02:00:00:00:00:05")!, interface: "br0",
                isFresh: true),
        ], own: ["10.0.0.1", "198.51.100.1"])

    private static func isRefused(
        _ source: String, _ destination: String, _ transport: UInt8 = 6, port: UInt16 = 443,
        answeredBy answering: String? = nil, isAnswered: Bool = true
    ) -> Bool {
        let ends = { AddressBytes(text: $0)! }
        return refused.contain(
            TrackedFlow(
                original: .init(
                    source: ends(source), destination: ends(destination), transport: transport,
                    sourcePort: 40_000, destinationPort: port),
                reply: .init(
                    source: ends(answering ?? destination), destination: ends("198.51.100.1"),
                    transport: transport, sourcePort: port, destinationPort: 40_000),
                status: isAnswered ? 2 : 0, key: .init(tuple: [])))
    }

    @Test("A device's connections to addresses closed for it, over any of its addresses; no other device's")
    func closed() {
        #expect(Self.isRefused("10.0.0.2", "203.0.113.9"))
        #expect(Self.isRefused("fd00::77", "2001:db8::9"), "an address that only the neighbours tell")
        #expect(!Self.isRefused("10.0.0.2", "203.0.113.10"))
        #expect(!Self.isRefused("10.0.0.3", "203.0.113.9"), "open for the other group")
        #expect(!Self.isRefused("10.0.0.4", "203.0.113.9"), "nobody's device")
        #expect(Self.isRefused("10.0.0.2", "192.0.2.1", answeredBy: "203.0.113.9"), "led there by a firewall")
        #expect(!Self.isRefused("10.0.0.2", "203.0.113.9", answeredBy: "192.0.2.1"), "led away by a firewall")
    }

    @Test("Behind a shared hardware address, the rules hold for all but those who are known there")
    func lent() {
        #expect(Self.isRefused("10.0.0.5", "203.0.113.9"))
        #expect(Self.isRefused("fd00::88", "2001:db8::9"))
        #expect(Self.isRefused("10.0.0.88", "203.0.113.9"), "nobody has said whose it is")
        #expect(!Self.isRefused("10.0.0.6", "203.0.113.9"), "somebody else's behind it")
    }

    @Test("A connection that began outside counts too")
    func fromOutside() {
        #expect(Self.isRefused("203.0.113.9", "198.51.100.9", answeredBy: "10.0.0.2"))
        #expect(!Self.isRefused("203.0.113.9", "198.51.100.9", answeredBy: "10.0.0.3"))
    }

    @Test("A call goes on: answered UDP that is not QUIC")
    func calls() {
        #expect(!Self.isRefused("10.0.0.2", "203.0.113.9", 17, port: 5000))
        #expect(Self.isRefused("10.0.0.2", "203.0.113.9", 17, port: 5000, isAnswered: false))
        #expect(Self.isRefused("10.0.0.2", "203.0.113.9", 17, port: 443))
        #expect(Self.isRefused("10.0.0.2", "203.0.113.9", 6, port: 5000))
        #expect(Self.isRefused("10.0.0.2", "203.0.113.9", 1, port: 0))
    }

    @Test("Questions to other DNS servers, unless they were redirected here")
    func questions() {
        for transport in [6, 17] as [UInt8] {
            #expect(Self.isRefused("10.0.0.3", "9.9.9.9", transport, port: 53))
            #expect(Self.isRefused("10.0.0.3", "9.9.9.9", transport, port: 853))
            #expect(!Self.isRefused("10.0.0.3", "9.9.9.9", transport, port: 53, answeredBy: "10.0.0.1"))
            #expect(!Self.isRefused("10.0.0.4", "9.9.9.9", transport, port: 53))
            for resolver in ["8.8.8.8", "45.90.31.255"] {
                #expect(Self.isRefused("10.0.0.3", resolver, transport))
            }
            #expect(Self.isRefused("fd00::77", "2a07:a8c7::1", transport))
            #expect(!Self.isRefused("fd00::77", "2a07:a8c8::1", transport))
            #expect(!Self.isRefused("10.0.0.3", "45.90.32.0", transport))
        }
        #expect(!Self.isRefused("10.0.0.3", "8.8.8.8", 1, port: 0), "a ping")
    }

    @Test("Rules that refuse more differ from rules that refuse less or the same")
    func more() {
        var rules = Self.rules
        #expect(!rules.refuseMore(than: Self.rules))
        rules.groups[0].rejected["203.0.113.9"] = "other.example"
        rules.groups.swapAt(0, 1)
        #expect(!rules.refuseMore(than: Self.rules))
        rules.groups[1].rejected["203.0.113.10"] = "video.example"
        #expect(rules.refuseMore(than: Self.rules) && !Self.rules.refuseMore(than: rules))
        rules = Self.rules
        rules.encryptedResolvers.insert("1.1.1.1")
        #expect(rules.refuseMore(than: Self.rules) && !Self.rules.refuseMore(than: rules))
        rules = Self.rules
        rules.groups[0].addresses.insert("10.0.0.9")
        #expect(rules.refuseMore(than: Self.rules) && !Self.rules.refuseMore(than: rules))
        rules = Self.rules
        rules.groups[0].addresses.insert("10.0.0.3")
        rules.groups[1].addresses = []
        #expect(rules.refuseMore(than: Self.rules), "who moves to where more is closed")
    }

    @Test func aKernelWithoutItIsSaidSo() {
        for code in [EINVAL, EPROTONOSUPPORT] {
            let text = "\(ConnectionTable.Failure.refused(code: code))"
            #expect(text.contains("nf_conntrack_netlink is missing"))
        }
        #expect("\(ConnectionTable.Failure.refused(code: EBUSY))".contains("busy"))
    }
}
