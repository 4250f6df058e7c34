import NIOCore
import Synchronization
import Testing

@testable import DNS

/// Old routers that fail questions with EDNS, each in its own way (RFC 6891, 6.2.2; RFC 8906, 3).
@Suite(.timeLimit(.minutes(1))) struct OldUpstreamTests {
    private static let right = [Message.a("93.184.216.34", ttl: 300)]

    /// What a server sends to a question with EDNS; nil for silence.
    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: @Sendable (_ query: [UInt8]) -> [UInt8]?
        var isSilent = false
    }

    private static func header(_ query: [UInt8], _ rcode: UInt16) -> [UInt8] {
        Array(query.prefix(2)) + Message.words(0x8180 | rcode, 0, 0, 0, 0)
    }

    private static func response(_ query: [UInt8], rcode: UInt16, extended: UInt32? = nil) -> [UInt8] {
        var reply = Message.response(to: query, [], rcode: rcode)
        if let extended { reply.additionals = [Message.Record(type: 41, ttl: extended << 24, data: [])] }
        return reply.bytes
    }

    private static let failures =
        [1, 2, 4, 5, 9].map { code in
            Failure(testDescription: "code \(code)", reply: { response($0, rcode: code) })
        }
        + [0, 1, 2, 4, 5].map { code in
            Failure(testDescription: "bare code \(code)", reply: { header($0, code) })
        } + [
            Failure(testDescription: "BADVERS", reply: { response($0, rcode: 0, extended: 1) }),
            Failure(testDescription: "BADCOOKIE", reply: { response($0, rcode: 7, extended: 1) }),
            Failure(testDescription: "empty", reply: { response($0, rcode: 0) }),
            Failure(testDescription: "silence", reply: { _ in nil }, isSilent: true),
        ]

    /// The root's name server to probes, an address to clients.
    private static func answer(_ received: FakeUpstream.Received) {
        let isProbe = received.query[12] == 0
        received.reply(isProbe ? [.init(type: 2, ttl: 300, data: Message.wireName("a.test"))] : right)
    }

    private static func upstream(_ failure: Failure) async throws -> FakeUpstream {
        try await FakeUpstream(House.group) { received in
            guard Message(received.query).opt != nil else { return answer(received) }
            if let reply = failure.reply(received.query) { received.reply(reply) }
        }
    }

    private static func knowsEDNS(_ house: House) -> Bool {
        house.resolver.loops.upstreams.world[0].with { $0.knowsEDNS(at: .now()) }
    }

    @Test(arguments: failures) func anUpstreamIsAskedOnceWithoutEDNS(failure: Failure) async throws {
        let old = try await Self.upstream(failure)
        let house = try await House.open([old]) {
            $0.upstreamPatience = [.milliseconds(failure.isSilent ? 100 : 20_000), .seconds(20)]
        }
        #expect(try await house.ask("old.example")?.answers == Self.right)
        #expect(try await house.ask("older.example")?.answers == Self.right)
        let later = old.queries.filter { $0[12] == 5 }
        #expect(later.map { Message($0).opt == nil } == [true], "the second name is not asked in vain")
        #expect(!Self.knowsEDNS(house))
        await house.close()
    }

    @Test("It stays so, and is found out without a client's question", arguments: failures)
    func aProbeFindsOut(failure: Failure) async throws {
        let old = try await Self.upstream(failure)
        let house = try await House.open([old])
        await house.resolver.checkUpstreams(patience: .milliseconds(400))
        #expect(!Self.knowsEDNS(house))
        #expect(house.resolver.upstreamTroubles.allSatisfy { $0.trouble == nil })
        #expect(try await house.ask("first.example")?.answers == Self.right)
        await house.close()
    }

    @Test("A lost question costs nobody DNSSEC", arguments: [nil, 2, 1] as [UInt16?])
    func aSingleFailureIsForgotten(code: UInt16?) async throws {
        let isFirst = Mutex(true)
        let upstream = try await FakeUpstream(House.group) { received in
            let hasEDNS = Message(received.query).opt != nil
            let fails = isFirst.withLock { first in
                defer { if hasEDNS { first = false } }
                return first && hasEDNS
            }
            guard fails else { return Self.answer(received) }
            if let code { received.reply([], rcode: code) }
        }
        let house = try await House.open([upstream]) {
            $0.upstreamPatience = [.milliseconds(100), .seconds(20)]
        }
        #expect(try await house.ask("first.example")?.answers == Self.right)
        while !Self.knowsEDNS(house) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await house.ask("second.example")?.answers == Self.right)
        #expect(Message(try #require(upstream.queries.last)).opt != nil)
        await house.close()
    }

    @Test func afterSomeMinutesItIsAskedWithEDNSAgain() {
        let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        var health = UpstreamHealth()
        let isNews = (0..<2).map { _ in health.answeredOnlyWithoutEDNS(at: now) }
        #expect(isNews == [true, false])
        #expect(!health.knowsEDNS(at: now + .seconds(299)) && health.knowsEDNS(at: now + .minutes(5)))
        health.answeredWithEDNS()
        #expect(health.knowsEDNS(at: now))
    }

    @Test func anAnswerWithoutTheSignaturesThatWereWantedIsKeptShortly() async throws {
        let old = try await Self.upstream(Self.failures[0])
        let house = try await House.open([old])
        for (isSigned, ttl) in [(true, 30), (false, 300)] {
            let query = Message.query("kept\(ttl).example", edns: 1232, dnssecOK: isSigned)
            #expect(try await house.exchange([query]).first?.answers == Self.right)
            let kept = await house.resolver.loops.ask { loop in
                loop.responder.cache.entry(name(of: ttl), type: 1, variant: isSigned ? 1 : 0)?.answer.lifetime
            }
            #expect(kept == [UInt32(ttl)])
        }
        await house.close()
    }

    @Test func garbageIsFetchedOverTCPAndThenWithoutEDNS() async throws {
        let old = try await FakeUpstream(House.group) { received in
            var reply = Message.response(to: received.query, Self.right).bytes
            if Message(received.query).opt != nil { reply[reply.count - 5] = 9 }
            received.reply(reply)
        }
        let house = try await House.open([old])
        for name in ["a.example", "b.example"] {
            #expect(try await house.ask(name)?.answers == Self.right)
        }
        await house.close()
    }

    @Test func theReasonOfAFailureIsKept() async throws {
        let validating = try await FakeUpstream(House.group) { received in
            var reply = Message.response(to: received.query, [], rcode: 2)
            if Message(received.query).opt != nil {
                reply.additionals = [Message.Record(type: 41, ttl: 0, data: [0, 15, 0, 2, 0, 6])]
            }
            received.reply(reply.bytes)
        }
        let house = try await House.open([validating])
        let reply = try await house.ask("bogus.example")
        #expect(reply?.rcode == 2 && reply?.extendedError?.code == 6)
        #expect(validating.queries.count == 2)
        await house.close()
    }
}

private func name(of ttl: Int) -> WireName {
    let name = WireName()
    _ = name.read("kept\(ttl).example")
    return name
}
