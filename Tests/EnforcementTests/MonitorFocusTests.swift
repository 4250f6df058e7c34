import Foundation
import Policy
import Store
import Testing

@testable import DNS
@testable import Enforcement

/// The focus timer without an open page: it shields, ends and unblocks.
@Suite struct MonitorFocusTests {
    private static let me = MonitorTests.me
    private static let run = UUID()

    private func scene(_ instant: String, shields: Bool = true) throws -> MonitorTests.Scene {
        var household = Household(timeZone: "UTC", people: [Person(id: Self.me, name: "Me")])
        household.people[0].antiRot.restricted = AppSelection(apps: ["tiktok"])
        household.people[0].focus.shieldsWhileFocusing = shields
        household.devices = [CompiledFilterTests.device(0, person: Self.me)]
        return try MonitorTests.Scene(instant, household)
    }

    private func start(_ scene: MonitorTests.Scene) async throws {
        try scene.store.change { household in
            try household.startFocus(Self.me, minutes: 25, session: Self.run, at: scene.clock.now)
        }
        await scene.monitor.step()
    }

    @Test("Shields the restricted apps while it runs, not in a pause, and completes at its end (MF-088)")
    func shields() async throws {
        let scene = try scene("2026-11-21T12:00:00Z")
        await scene.monitor.step()
        #expect(try !scene.isBlocked())
        try await start(scene)
        #expect(try scene.isBlocked() && scene.isBlocked("api.tiktokv.com"))
        #expect(try !scene.isBlocked("youtube.com"), "only what was restricted")
        try scene.store.change { try $0.moveFocus(Self.me, .pause, at: scene.clock.now) }
        await scene.monitor.step()
        #expect(try !scene.isBlocked())
        try scene.store.change { try $0.moveFocus(Self.me, .resume, at: scene.clock.now) }
        _ = await scene.step("2026-11-21T12:24:59Z")
        #expect(try scene.isBlocked())
        #expect(try scene.store.allFocusSessions(of: Self.me).isEmpty)
        _ = await scene.step("2026-11-21T12:25:00Z")
        #expect(try !scene.isBlocked())
        for second in 1...3 { _ = await scene.step("2026-11-21T12:25:0\(second)Z") }
        let history = try scene.store.allFocusSessions(of: Self.me)
        #expect(history.map(\.id) == [Self.run] && history[0].completed)
        #expect(history[0].end == ManualClock.date("2026-11-21T12:25:00Z"))
        #expect(scene.snapshots.last?.household.people[0].focus.timer.isRunning == false)
    }

    @Test("C-08: a timer that ended while nothing ran is completed at the next start")
    func overdue() async throws {
        let scene = try scene("2026-11-21T12:00:00Z")
        try scene.store.change { household in
            try household.startFocus(Self.me, minutes: 25, session: Self.run, at: scene.clock.now)
        }
        _ = await scene.step("2026-11-22T08:00:00Z")
        #expect(try !scene.isBlocked())
        #expect(
            try scene.store.allFocusSessions(of: Self.me).map(\.end) == [
                ManualClock.date("2026-11-21T12:25:00Z")
            ])
    }

    @Test("Switched off, it blocks nothing; its end is still due, so that pages are told")
    func doesNotShield() async throws {
        let scene = try scene("2026-11-21T12:00:00Z", shields: false)
        try await start(scene)
        #expect(try !scene.isBlocked())
        let snapshot = try #require(scene.snapshots.last)
        #expect(
            FilterCompiler.dueInstants(of: snapshot).contains(ManualClock.date("2026-11-21T12:25:00Z")))
    }

    @Test("The client's text says how long the focus lasts (RFC 8914)")
    func reason() async throws {
        let scene = try scene("2026-11-21T12:00:00Z")
        try await start(scene)
        let verdict = try #require(scene.snapshots.last).verdict(of: "tiktok.com", person: Self.me)
        #expect(verdict.block?.layer == .focus)
        #expect(verdict.block?.until == ManualClock.date("2026-11-21T12:25:00Z"))
        let texts = try #require(scene.filters.last).groups.flatMap(\.rules).map { "\($0.action)" }
        #expect(texts.contains { $0.contains("focusing until 12:25") })
    }

    @Test("A passing second needs neither a new filter nor a write")
    func seconds() async throws {
        let scene = try scene("2026-11-21T12:00:00Z")
        try await start(scene)
        let (filters, snapshots) = (scene.filters.count, scene.snapshots.count)
        for second in 10...40 { _ = await scene.step("2026-11-21T12:00:\(second)Z") }
        #expect(scene.filters.count == filters && scene.snapshots.count == snapshots)
    }
}
