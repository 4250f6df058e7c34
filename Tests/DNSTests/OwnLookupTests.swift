import NIOCore
import Synchronization
import Testing

@testable import DNS

/// Names that this server asks for itself, for what it passes on: through the same cache as everybody's.
@Suite(.timeLimit(.minutes(1))) struct OwnLookupTests {
    /// Of `a.example`; the type stands behind the header and eleven bytes of name.
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
}
