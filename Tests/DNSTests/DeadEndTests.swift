import NIOCore
import Testing

@testable import DNS

/// Answers that do not reach the type that was asked, and do not say that there is none (RFC 2308, 2.2).
@Suite(.timeLimit(.minutes(1))) struct DeadEndTests {
    private static let right = [Message.a("93.184.216.34", ttl: 300)]

    /// An alias from one name to another, with a lifetime of a day.
    static func alias(_ owner: String, _ target: String, type: UInt16 = 5) -> [UInt8] {
        let data = Message.wireName(target)
        return Message.wireName(owner) + Message.words(type, 1, 1, 0x5180, UInt16(data.count)) + data
    }

    struct DeadEnd: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var answers: [[UInt8]] = []
        var authorities: [[UInt8]] = []

        func reply(to query: [UInt8]) -> [UInt8] {
            let asked = Message(query)
            let counts = Message.words(
                asked.id, 0x8180, 1, UInt16(answers.count), UInt16(authorities.count), 0)
            return counts + asked.question + (answers + authorities).flatMap { $0 }
        }
    }

    private static let deadEnds = [
        DeadEnd(testDescription: "one alias", answers: [alias("www.example", "edge.example")]),
        DeadEnd(
            testDescription: "two aliases",
            answers: [alias("www.example", "a.example"), alias("a.example", "b.example")]),
        DeadEnd(
            testDescription: "DNAME",
            answers: [alias("example", "cdn.test", type: 39), alias("www.example", "www.cdn.test")]),
        DeadEnd(
            testDescription: "a circle",
            answers: [alias("www.example", "a.example"), alias("a.example", "www.example")]),
        DeadEnd(
            testDescription: "an alias and a referral", answers: [alias("www.example", "edge.example")],
            authorities: [alias("example", "ns.example", type: 2)]),
        DeadEnd(testDescription: "a referral", authorities: [alias("example", "ns.example", type: 2)]),
        DeadEnd(testDescription: "nothing"),
    ]

    @Test(arguments: deadEnds) func theNextUpstreamIsAsked(deadEnd: DeadEnd) async throws {
        let lame = try await FakeUpstream(House.group) { $0.reply(deadEnd.reply(to: $0.query)) }
        let good = try await FakeUpstream(House.group) { $0.reply(Self.right) }
        let house = try await House.open([lame, good])
        #expect(try await house.ask("www.example")?.answers == Self.right)
        #expect(await house.resolver.addresses(of: "www.example") == [[93, 184, 216, 34]])
        await house.close()
    }

    @Test("If no upstream knows better, it is passed on, and the next client asks again", arguments: deadEnds)
    func isNotKept(deadEnd: DeadEnd) async throws {
        let lame = try await FakeUpstream(House.group) { received in
            received.query[13] & 0xdf == UInt8(ascii: "W")
                ? received.reply(deadEnd.reply(to: received.query)) : received.reply(Self.right)
        }
        let failing = try await FakeUpstream(House.group) { $0.reply([], rcode: 2) }
        let house = try await House.open([lame, failing])
        for _ in 0..<2 {
            let before = lame.queries.count
            let reply = try await house.ask("www.example")
            #expect(reply?.rcode == 0 && reply?.answers.count == deadEnd.answers.count)
            #expect(lame.queries.count == before + 2, "with EDNS and without")
        }
        #expect(await house.resolver.loops.ask { $0.responder.cache.count } == [0])
        await house.close()
    }

    @Test("An alias whose end does not exist is an answer", arguments: [0, 3] as [UInt16])
    func saysThatThereIsNone(rcode: UInt16) async throws {
        let upstream = try await FakeUpstream(House.group) { received in
            var reply = Message.response(
                to: received.query, [.init(type: 5, ttl: 86_400, data: Message.wireName("a.example"))],
                rcode: rcode)
            reply.authorities = [Message.soa(ttl: 60, minimum: 60)]
            received.reply(reply.bytes)
        }
        let house = try await House.open([upstream])
        for _ in 0..<2 { #expect(try await house.ask("www.example")?.authorities.count == 1) }
        #expect(upstream.queries.count == 1)
        await house.close()
    }

    @Test("Who asks for the alias itself gets it") func theAlias() async throws {
        let upstream = try await FakeUpstream(House.group) { received in
            received.reply([.init(type: 5, ttl: 300, data: Message.wireName("a.example"))])
        }
        let house = try await House.open([upstream])
        for _ in 0..<2 { #expect(try await house.ask("www.example", 5)?.answers.count == 1) }
        #expect(upstream.queries.count == 1)
        await house.close()
    }
}
