import Foundation
import Synchronization
import Testing

@testable import Enforcement
@testable import SleepInducer

/// When the kernel is made to forget connections.
@Suite struct ConnectionCleanerTests {
    @Test("Connections are forgotten after rules that refuse more, once more for those that ran")
    func forgets() async throws {
        let world = GatewayWorld()
        let gateway = world.gateway()
        func rounds() -> [Int] { world.state.withLock { $0.cleared.map(\.after) } }
        try world.holds(1, isAsleep: false)
        world.answer("video.example", "203.0.113.9")
        await gateway.look()
        #expect(rounds().isEmpty, "it never waits for that")
        #expect(await gateway.cleaner.round() == .seconds(5), "ten times as long as it took")
        #expect(rounds() == [1])
        #expect(await gateway.cleaner.round() == .zero)
        world.state.withLock { $0.running = 3 }
        try world.holds(2, isAsleep: true)
        await gateway.look()
        for _ in 0..<4 { _ = await gateway.cleaner.round() }
        #expect(rounds() == [1, 2, 2], "what runs is left to the rules, and looked at once more")
        try world.holds(3, isAsleep: false)
        await gateway.look()
        _ = await gateway.cleaner.round()
        #expect(world.applied.count == 3 && rounds() == [1, 2, 2], "a release closes nothing")
        try world.holds(4, isAsleep: true)
        await gateway.look()
        world.answer("film.example", "203.0.113.10")
        await gateway.look()
        _ = await gateway.cleaner.round()
        #expect(world.applied.count == 5 && rounds() == [1, 2, 2, 5], "two orders, one round")
        world.state.withLock { $0.detours = ["There is a detour."] }
        world.pass(10)
        await gateway.becomeDue()
        await gateway.look()
        _ = await gateway.cleaner.round()
        #expect(world.state.withLock { $0.cleared.last?.hasDetours } == true)
    }
}
