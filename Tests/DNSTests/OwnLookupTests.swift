import NIOCore
import Synchronization
import Testing

@testable import DNS

/// Names that this server asks for itself, for its relay: they share the clients' cache.
@Suite(.timeLimit(.minutes(1))) struct OwnLookupTests {
    /// Counts A questions for `a.example`: the type is behind the header and eleven bytes of name.
    private func questions(_ upstream: FakeUpstream) -> Int { upstream.queries.count { $0[24] == 1 } }

    private func upstream(ttl: UInt32, answers: @escaping @Sendable () -> Bool = { true }) async throws
        -> FakeUpstream
    {
        try await FakeUpstream(House.group) { received in
            if answers() { received.reply([Message.a("93.184.216.34", ttl: ttl)]) }
        }
    }

    @Test func anAnswerIsKeptForTheNextConnection() async throws {
        let upstream = try await upstream(ttl: 300)
        let house = try await House.open([upstream], loops: 2)
        for _ in 0..<3 {
            #expect(await house.resolver.addresses(of: "a.example") == [[93, 184, 216, 34]])
        }
        #expect(questions(upstream) == 1)
        await house.close()
    }

    @Test func anOldAnswerServesWhileNobodyAnswers() async throws {
        let works = Mutex(true)
        let upstream = try await upstream(ttl: 1) { works.withLock { $0 } }
        let house = try await House.open([upstream]) { $0.upstreamPatience = [.seconds(2)] }
        #expect(await house.resolver.addresses(of: "a.example").count == 1)
        works.withLock { $0 = false }
        try await Task.sleep(for: .milliseconds(1100))
        #expect(await house.resolver.addresses(of: "a.example") == [[93, 184, 216, 34]])
        #expect(questions(upstream) > 1, "it was asked again first")
        await house.close()
    }

    /// All look-ups join before the first answer goes out.
    @Test func manyAtOnceAskOnceTogetherWithClients() async throws {
        let held = Mutex<[FakeUpstream.Received]>([])
        let upstream = try await FakeUpstream(House.group) { received in
            held.withLock { $0.append(received) }
        }
        let house = try await House.open([upstream])
        let found = await withTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<10 { group.addTask { await house.resolver.addresses(of: "a.example") } }
            group.addTask { await Self.clientsAnswer(house) }
            // Both types, and time for a look-up that would ask apart.
            while held.withLock({ $0.count }) < 2 { await Task.yield() }
            try? await Task.sleep(for: .milliseconds(200))
            let asked = held.withLock { $0 }
            #expect(asked.count == 2, "one for IPv4, one for IPv6")
            for received in asked {
                received.reply(received.query[24] == 1 ? [Message.a("93.184.216.34", ttl: 60)] : [])
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found == Array(repeating: [[93, 184, 216, 34]], count: 11))
        await house.close()
    }

    private static func clientsAnswer(_ house: House) async -> [[UInt8]] {
        let reply = try? await house.ask("a.example")
        return reply?.answers.map(\.data) ?? []
    }

    @Test func whatFailedJustNowIsNotAskedAtOnceAgain() async throws {
        let upstream = try await FakeUpstream(House.group) { $0.reply([], rcode: 2) }
        let house = try await House.open([upstream])
        for _ in 0..<3 { #expect(await house.resolver.addresses(of: "a.example").isEmpty) }
        #expect(questions(upstream) == 2, "with EDNS and without")
        await house.close()
    }

    @Test func whoeverWaitsWhenTheResolverEndsIsToldThatThereIsNone() async throws {
        let upstream = try await FakeUpstream(House.group) { _ in }
        let house = try await House.open([upstream])
        async let found = house.resolver.addresses(of: "a.example")
        while upstream.queries.count < 2 { await Task.yield() }
        await house.close()
        #expect(await found.isEmpty)
    }
}
