import Dashboard
import Foundation
import NIOCore
import NIOPosix
import Policy
import Store
import Testing

/// Where viewers are served: a household's on the loop that makes the frames, a crowd's where they came.
@Suite(.timeLimit(.minutes(1))) struct ViewersAtHomeTests {
    @Test("A few viewers share the loop of the ticks, and those who come after them do not")
    func few() async throws {
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let house = try TestHouse(loop: loop)
        let live = try await LiveHouse(house)
        let token = try house.store.createLogin(at: house.clock.now).token
        var wires: [Wire] = []
        for _ in 0...Viewers.few {
            let wire = try await live.get("/events", cookie: token)
            await wire.until("event: state")
            wires.append(wire)
        }
        // While the loop stands still, only the last viewer can hear anything.
        let end = DispatchSemaphore(value: 0)
        defer { end.signal() }
        loop.execute { end.wait() }
        try house.start(.flexible, minutes: 30)
        let household = house.store.household
        house.site.publish(
            Snapshot(
                revision: 1, householdRevision: 1, instant: house.clock.now, household: household,
                catalog: TestHouse.catalog, verdicts: household.evaluate(at: house.clock.now)))
        await wires[Viewers.few].until("id: 1")
        #expect(wires.dropLast().allSatisfy { !$0.text.contains("id: 1") })
        end.signal()
        for wire in wires { await wire.until("id: 1") }
        try await live.stop()
    }
}
