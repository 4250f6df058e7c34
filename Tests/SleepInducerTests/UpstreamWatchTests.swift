import DNS
import Foundation
import NIOCore
import Policy
import Testing

@testable import SleepInducer

/// What is said of the servers that look up names, by what a round of questions brought.
@Suite struct UpstreamWatchTests {
    private static let now = Date(timeIntervalSince1970: 1_795_374_000)
    private static let router = try! SocketAddress(ipAddress: "10.0.0.1", port: 53)
    private static let server = UpstreamServer(router)

    @Test func oneThatAsksBackIsSaidToUntilItStops() {
        var watch = UpstreamWatch([Self.server])
        watch.take([:], mute: [], at: Self.now)
        watch.take([:], mute: [], at: Self.now + 60)
        watch.take(looping: [Self.server])
        #expect(watch.facts == [.init(address: "10.0.0.1", .loops)], "it is not merely silent")
        watch.take([Self.router: 0], mute: [], at: Self.now + 120)
        watch.take(looping: [])
        #expect(watch.facts == [.init(address: "10.0.0.1")])
    }

    @Test("Two rounds of our own question, and what clients' questions brought", arguments: Self.cases)
    func said(of one: Case) {
        var watch = UpstreamWatch([Self.server])
        let answers = one.code.map { [Self.router: $0] } ?? [:]
        for ago in [60.0, 0] {
            watch.take(answers, mute: [], use: [Self.server: one.use], at: Self.now - ago)
        }
        #expect(watch.facts == [.init(address: "10.0.0.1", one.trouble)])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What our own question got; nil: nothing.
        let code: UInt8?
        let use: UpstreamUse
        let trouble: HouseFacts.Upstream.Trouble?

        init(
            _ name: String, _ code: UInt8?, _ use: UpstreamUse = UpstreamUse(),
            _ trouble: HouseFacts.Upstream.Trouble? = nil
        ) {
            (testDescription, self.code, self.use, self.trouble) = (name, code, use, trouble)
        }
    }

    static let cases = [
        Case("it answers", 0),
        Case("it answers nobody", nil, .init(), .silent(since: now - 60)),
        Case("ours is lost, others' are not", nil, .init(lastUseful: .seconds(59))),
        Case(
            "useful a minute ago, silent since", nil, .init(lastUseful: .seconds(60)),
            .silent(since: now - 60)),
        Case("it refuses us, and nobody else asked", 5, .init(), .fruitless(since: now - 60)),
        Case("it refuses only us", 5, .init(lastUseful: .hours(2))),
        Case(
            "it refuses everybody", 5, .init(lastUseful: .hours(2), hasFailedSince: true),
            .fruitless(since: now - 60)),
        Case(
            "it knows the root and nothing else", 0, .init(hasFailedSince: true, fruitlessFor: .seconds(90)),
            .fruitless(since: now - 90)),
        Case("one place is broken", 0, .init(lastUseful: .hours(2), hasFailedSince: true)),
    ]

    @Test func loopsAreLookedForWhileOneIsSilentAndForGoodAfterOneWasFound() {
        var watch = UpstreamWatch([Self.server])
        watch.take([Self.router: 0], mute: [], at: Self.now)
        watch.take(looping: [])
        #expect(!watch.mayLoop)
        watch.take([:], mute: [], at: Self.now + 60)
        #expect(watch.mayLoop)
        watch.take([Self.router: 0], mute: [], at: Self.now + 120)
        #expect(!watch.mayLoop)
        watch.take(looping: [Self.server])
        watch.take(looping: [])
        #expect(watch.mayLoop, "its question may have been lost")
    }
}
