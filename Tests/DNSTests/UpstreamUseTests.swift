import NIOCore
import Testing

@testable import DNS

/// Whether an upstream looks anything up, by what clients' questions brought.
@Suite(.timeLimit(.minutes(1))) struct UpstreamUseTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private static func fail(_ yield: inout UpstreamYield, _ text: String, at seconds: Int64) {
        let name = WireName()
        #expect(name.read(text))
        yield.wasFruitless(name, at: start + .seconds(seconds))
    }

    private static func use(_ parts: UpstreamYield..., at seconds: Int64) -> UpstreamUse {
        UpstreamYield.sum(parts, at: start + .seconds(seconds))
    }

    @Test func fivePlacesInVainForAMinuteAreAmissUntilSomethingIsFound() {
        var (one, other) = (UpstreamYield(), UpstreamYield())
        for number in 0..<3 { Self.fail(&one, "www.a\(number).example", at: Int64(number)) }
        for number in 0..<2 { Self.fail(&other, "www.b\(number).example", at: Int64(number)) }
        #expect(Self.use(one, other, at: 59).fruitlessFor == nil, "not for a minute yet")
        #expect(Self.use(one, other, at: 60).fruitlessFor == .seconds(60))
        #expect(Self.use(one, at: 60) == UpstreamUse(hasFailedSince: true), "only three")
        #expect(Self.use(one, other, at: 603).fruitlessFor == nil, "nobody has asked for long")
        other.wasUseful(at: Self.start + .seconds(90))
        #expect(Self.use(one, other, at: 100) == UpstreamUse(lastUseful: .seconds(10)))
    }

    @Test func aBrokenPlaceWithManyNamesIsOne() {
        var yield = UpstreamYield()
        for number in 0..<20 { Self.fail(&yield, "host\(number).broken.example", at: Int64(number)) }
        #expect(Self.use(yield, at: 120).fruitlessFor == nil)
    }

    @Test func whoIsOnlyAskedWhatAnotherCouldNotTellIsNotToBlame() async throws {
        let (first, second) = (
            try await FakeUpstream(House.group) { $0.reply([], rcode: 2) },
            try await FakeUpstream(House.group) { $0.reply([], rcode: 2) }
        )
        let house = try await House.open([first, second])
        #expect(try await house.ask("www.broken.example")?.rcode == 2)
        #expect(first.queries.count == 1 && second.queries.count == 1)
        let use = await house.resolver.upstreamUse()
        #expect(use[UpstreamServer(first.address)]?.hasFailedSince == true)
        #expect(use[UpstreamServer(second.address)]?.hasFailedSince == false)
        await house.close()
    }

    @Test func repliesToQuestionsAreNoted() async throws {
        let upstream = try await FakeUpstream(House.group) { received in
            let isLost = String(decoding: received.query, as: UTF8.self).lowercased().contains("lost")
            received.reply([], rcode: isLost ? 2 : 3)
        }
        let house = try await House.open([upstream])
        let server = UpstreamServer(upstream.address)
        _ = try await house.ask("www.lost.example")
        var use = await house.resolver.upstreamUse()[server]
        #expect(use == UpstreamUse(hasFailedSince: true))
        _ = try await house.ask("www.none.example")
        use = await house.resolver.upstreamUse()[server]
        #expect(use?.lastUseful != nil && use?.hasFailedSince == false, "that there is none is of use too")
        await house.close()
    }
}
