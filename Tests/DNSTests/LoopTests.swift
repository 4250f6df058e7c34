import NIOCore
import Synchronization
import Testing

@testable import DNS

/// Upstreams that ask this server in turn, such as a router that was set to ask here, and loops that end.
@Suite(.timeLimit(.minutes(1))) struct LoopTests {
    private static let right = [Message.a("93.184.216.34", ttl: 300)]

    @Test func anUpstreamThatAsksUsIsDropped() async throws {
        let own = try await House.freeAddress()
        let relay = try await FakeUpstream.relay(to: own, House.group)
        let good = try await FakeUpstream(House.group) { $0.reply(Self.right) }
        let house = try await House.open([relay, good], port: own.port!)
        while house.resolver.loopingUpstreams.isEmpty { await Task.yield() }
        #expect(house.resolver.loopingUpstreams == [UpstreamServer(relay.address)])
        #expect(try await house.ask("loop.example")?.answers == Self.right)
        await house.close()
    }

    @Test func anUpstreamThatAsksUsNoMoreIsUsedAgainOnEveryLoop() async throws {
        let own = try await House.freeAddress()
        let asksUs = Mutex(true)
        let router = try await FakeUpstream.relay(to: own, House.group) { received in
            guard !asksUs.withLock({ $0 }) else { return false }
            received.reply(Self.right)
            return true
        }
        let house = try await House.open([router], port: own.port!, loops: 2) {
            $0.loopPause = .zero
            $0.loopPatience = .milliseconds(500)
        }
        while house.resolver.loopingUpstreams.isEmpty { await Task.yield() }
        #expect(try await house.ask("before.example")?.rcode == 2)
        // As long as it loops, another check changes nothing.
        house.resolver.lookForLoops()
        try await Task.sleep(for: .milliseconds(800))
        #expect(house.resolver.loopingUpstreams == [UpstreamServer(router.address)])
        asksUs.withLock { $0 = false }
        house.resolver.lookForLoops()
        while !house.resolver.loopingUpstreams.isEmpty { await Task.yield() }
        // Clients' sockets are spread over the event loops by their ports.
        for number in 0..<12 {
            #expect(try await house.ask("after\(number).example")?.answers == Self.right)
        }
        asksUs.withLock { $0 = true }
        house.resolver.lookForLoops()
        while house.resolver.loopingUpstreams.isEmpty { await Task.yield() }
        await house.close()
    }

    @Test func aRouterThatKeepsWhatItHeardIsAskedForANewNameEachTime() async throws {
        let own = try await House.freeAddress()
        let known = Mutex<Set<String>>([])
        let router = try await FakeUpstream.relay(to: own, House.group) { received in
            let name = String(decoding: received.query[12...], as: UTF8.self).lowercased()
            return !known.withLock { $0.insert(name).inserted }
        }
        let house = try await House.open([router], port: own.port!) {
            $0.loopPause = .zero
            $0.loopPatience = .milliseconds(500)
        }
        while house.resolver.loopingUpstreams.isEmpty { await Task.yield() }
        house.resolver.lookForLoops()
        try await Task.sleep(for: .milliseconds(800))
        #expect(house.resolver.loopingUpstreams == [UpstreamServer(router.address)])
        await house.close()
    }

    @Test("Asked for a loop anew, but not by everybody who opens a page", arguments: [(0, 4), (30, 3)])
    func loopsAreLookedForAgain(pause: Int64, expected: Int) async throws {
        let heard = Mutex(0)
        let upstream = try await FakeUpstream(House.group, seesLoopCheck: true) { _ in
            heard.withLock { $0 += 1 }
        }
        let house = try await House.open([upstream]) { $0.loopPause = .seconds(pause) }
        // The questions of the start, two with EDNS and one without, then those of a page.
        while heard.withLock({ $0 }) < 3 { await Task.yield() }
        house.resolver.lookForLoops()
        if pause == 0 { while heard.withLock({ $0 }) < 4 { await Task.yield() } }
        #expect(heard.withLock { $0 } == expected)
        await house.close()
    }
}
