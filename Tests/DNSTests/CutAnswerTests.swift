import NIOCore
import Testing

@testable import DNS

/// Answers that arrive cut short: what came is better than nothing.
@Suite(.timeLimit(.minutes(1))) struct CutAnswerTests {
    private static func many(_ count: Int) -> [Message.Record] {
        (0..<count).map { Message.a("93.184.\($0 >> 8).\($0 & 255)", ttl: 300) }
    }

    /// A reply with TC.
    private static func cut(_ query: [UInt8], _ answers: [Message.Record]) -> [UInt8] {
        var reply = Message.response(to: query, answers)
        reply.flags |= 0x0200
        return reply.bytes
    }

    /// The answers that a client gets over TCP, where nothing is too large.
    private static func answers(_ house: House, _ name: String = "big.example") async throws -> Int? {
        let query = Client.framed(Message.query(name))
        let reply = try await house.connect(.tcp).exchange([query]).first
        return reply?.rcode == 0 && reply?.isTruncated == false ? reply?.answers.count : nil
    }

    @Test("Datagrams that are larger than was advertised", arguments: [100, 180, 250, 1000, 4000])
    func largeDatagrams(count: Int) async throws {
        let upstream = try await FakeUpstream(House.group) { $0.reply(Self.many(count)) }
        let house = try await House.open([upstream])
        #expect(try await Self.answers(house) == count)
        #expect(upstream.queries.count == (count > 250 ? 2 : 1), "larger ones come over TCP")
        await house.close()
    }

    @Test("Without TCP, the records that came are used", arguments: [100, 180, 250, 1000, 4000])
    func largeDatagramsWithoutTCP(count: Int) async throws {
        let upstream = try await FakeUpstream(House.group, hasStreams: false) { $0.reply(Self.many(count)) }
        let house = try await House.open([upstream])
        #expect(try await Self.answers(house) == min(count, 254))
        await house.close()
    }

    enum Way: CaseIterable, Sendable { case noTCP, hangsUp, cutOverTCP, silentOverTCP }

    @Test(arguments: Way.allCases) func whatCameWithTCIsUsed(way: Way) async throws {
        let upstream = try await FakeUpstream(House.group, hasStreams: way != .noTCP) { received in
            switch (received.isDatagram, way) {
            case (true, _): received.reply(Self.cut(received.query, Self.many(3)))
            case (false, .cutOverTCP): received.reply(Self.cut(received.query, Self.many(5)))
            case (false, .silentOverTCP): break
            case (false, _): received.hangUp()
            }
        }
        let house = try await House.open([upstream]) { $0.streamPatience = .milliseconds(100) }
        #expect(try await Self.answers(house) == 3)
        let kept = await house.resolver.loops.ask { loop in
            let name = WireName()
            _ = name.read("big.example")
            return loop.responder.cache.entry(name, type: 1, variant: 0)?.answer.lifetime
        }
        #expect(kept == [30])
        await house.close()
    }

    @Test func anUpstreamWithTheWholeAnswerIsBetter() async throws {
        let cutting = try await FakeUpstream(House.group, hasStreams: false) { received in
            received.reply(Self.cut(received.query, Self.many(3)))
        }
        let good = try await FakeUpstream(House.group) { $0.reply(Self.many(40)) }
        let house = try await House.open([cutting, good])
        #expect(try await Self.answers(house) == 40)
        await house.close()
    }

    @Test func aSilentUpstreamBesideItIsAwaitedForOneTurn() async throws {
        let cutting = try await FakeUpstream(House.group, hasStreams: false) { received in
            received.reply(Self.cut(received.query, Self.many(3)))
        }
        let silent = try await FakeUpstream(House.group) { _ in }
        let house = try await House.open([cutting, silent]) {
            $0.upstreamPatience = [.milliseconds(100), .minutes(10)]
        }
        #expect(try await Self.answers(house) == 3)
        await house.close()
    }

    @Test(arguments: EncryptedUpstreamTests.Carrier.allCases)
    func whatCameOverAnEncryptedConnectionIsUsed(carrier: EncryptedUpstreamTests.Carrier) async throws {
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { received in
            received.reply(Self.cut(received.query, Self.many(3)))
        }
        let house = try await House.open([], before: [upstream.server(path: carrier.path)]) {
            $0.upstreamTLS = try? UpstreamTLS(roots: TestAuthority.shared.trusted)
        }
        #expect(try await Self.answers(house) == 3)
        await house.close()
        await upstream.stop()
    }

    @Test(arguments: [0, 3] as [UInt16]) func anEmptyOneSaysNothing(rcode: UInt16) async throws {
        let upstream = try await FakeUpstream(House.group, hasStreams: false) { received in
            var reply = Message(Self.cut(received.query, []))
            reply.flags |= rcode
            received.reply(reply.bytes)
        }
        let house = try await House.open([upstream])
        #expect(try await house.ask("empty.example")?.rcode == (rcode == 3 ? 3 : 2))
        await house.close()
    }
}
