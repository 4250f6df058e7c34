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
