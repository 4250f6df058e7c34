import NIOCore
import Testing

@testable import DNS

/// Names that the home's own servers give an address; no other server is asked, and about nothing else.
@Suite(.timeLimit(.minutes(1))) struct ReverseLookupTests {
    @Test(
        arguments: [
            ("192.168.1.20", "20.1.168.192.in-addr.arpa"), ("10.0.0.1", "1.0.0.10.in-addr.arpa"),
            ("172.16.0.9", "9.0.16.172.in-addr.arpa"), ("100.64.0.1", "1.0.64.100.in-addr.arpa"),
            ("::ffff:10.0.0.1", "1.0.0.10.in-addr.arpa"),
            ("fd00::1a", "a.1." + String(repeating: "0.", count: 28) + "d.f.ip6.arpa"),
            ("9.9.9.9", nil), ("172.32.0.1", nil), ("127.0.0.1", nil), ("169.254.1.1", nil),
            ("2001:db8::1", nil),
            ("fe80::1", nil), ("::1", nil), ("0.0.0.0", nil), ("nonsense", nil), ("", nil),
        ] as [(String, String?)])
    func asksOnlyAboutPrivateAddresses(address: String, name: String?) async throws {
        #expect(ReverseLookup.question(about: address) == name.map { Message.wireName($0) })
        guard name == nil else { return }
        let server = try await FakeUpstream(House.group) { $0.reply([Self.pointer("x")]) }
        let house = try await House.open([])
        #expect(await Self.lookup(house).name(of: address, from: [server.address]) == nil)
        #expect(server.queries.isEmpty)
        await house.close()
    }

    private static func lookup(_ house: House) -> ReverseLookup {
        ReverseLookup(house.resolver, patience: .milliseconds(300))
    }

    @Test func theFirstServerThatKnows() async throws {
        let silent = try await FakeUpstream(House.group) { _ in }
        let ignorant = try await FakeUpstream(House.group) { $0.reply([], rcode: 3) }
        let lying = try await FakeUpstream(House.group) { received in
            var reply = Message.response(to: received.query, [Self.pointer("evil")]).bytes
            reply[1] ^= 1
            received.reply(reply)
        }
        let right = try await FakeUpstream(House.group) { received in
            received.reply([
                Message.Record(type: 5, ttl: 1, data: [1, 120, 0]), Self.pointer("adas-iphone.lan"),
            ])
        }
        let house = try await House.open([])
        let lookup = Self.lookup(house)
        let servers = [silent, ignorant, lying, right].map(\.address)
        #expect(await lookup.name(of: "192.168.1.20", from: servers) == "adas-iphone")
        let question = try #require(right.queries.first)
        #expect(
            Array(question[12...]).map(\.lowercasedASCII) == Message.wireName("20.1.168.192.in-addr.arpa") + [
                0, 12, 0, 1,
            ])
        #expect(await lookup.name(of: "192.168.1.20", from: []) == nil)
        #expect(await lookup.name(of: "192.168.1.20", from: [silent, lying].map(\.address)) == nil)
        await house.close()
    }

    static func pointer(_ name: String) -> Message.Record {
        Message.Record(type: 12, ttl: 60, data: Message.wireName(name))
    }

    private static let head: [UInt8] = [0, 1, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0, 1, 97, 0, 0, 12, 0, 1]
    private static func record(_ data: [UInt8], length: UInt8? = nil) -> [UInt8] {
        head + [0xc0, 12, 0, 12, 0, 1, 0, 0, 0, 60, 0, length ?? UInt8(data.count)] + data
    }

    @Test(
        "Replies that are cut, crooked or rude",
        arguments: [
            (record([2, 116, 118, 0]), "tv"), (record([0xc0, 12]), "a"),
            (record([2, 116, 118, 0xc0, 12]), "tv"),
            (record([2, 0xff, 60, 0]), "\u{FFFD}<"), (record([0]), nil), (record([0xc0, 40]), nil),
            (record([0xc0, 0]), nil), (record([63, 97]), nil), (record([0x41, 97, 0]), nil),
            (record([]), nil),
            (record([2, 116, 118, 0], length: 200), nil), (record([2, 116, 118, 0], length: 3), nil),
            (Array(record([2, 116, 118, 0]).dropLast()), nil), (head, nil), (Array(head.prefix(11)), nil),
            ([], nil),
            (Array(head.prefix(12)), nil),
        ] as [([UInt8], String?)])
    func target(reply: [UInt8], name: String?) {
        #expect(ReverseLookup.target(in: reply) == name)
        var refused = reply
        if refused.count > 3 { refused[3] |= 3 }
        #expect(ReverseLookup.target(in: refused) == nil || reply.count <= 3)
    }
}
