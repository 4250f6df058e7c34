import Foundation
import Testing

@testable import Policy

@Suite("A focus timer that another machine counts")
struct FocusElsewhereTests {
    private let ten = at("2026-11-20T10:00:00Z")

    private func running() -> FocusTimer {
        var timer = FocusTimer()
        _ = timer.apply(.start(session: sessionID(1)), at: ten)
        return timer.counted(by: 2)
    }

    @Test("is not ended here at its end: a second is left, and a minute later it is, at its true end")
    func end() {
        var timer = running()
        #expect(timer.apply(.tick, at: ten + 1_559).effects == [])
        #expect(timer.isRunning && timer.remaining(at: ten + 1_559) == 1)
        let ended = timer.apply(.tick, at: ten + 1_560).finished
        #expect(ended.map(\.end) == [ten + 1_500] && ended.map(\.completed) == [true])
    }

    @Test("loses no time to a clock here that goes back")
    func back() {
        var timer = running()
        for seconds in [600.0, -20, 900, 880] { _ = timer.apply(.tick, at: ten + seconds) }
        #expect(timer == running())
    }

    @Test("has the same time left by a clock that is half an hour ahead or behind")
    func clocks() {
        for ahead in [1_800.0, -1_800, 20.4] {
            let timer = running().counted(by: 2, ahead: ahead)
            #expect(timer.remaining(at: ten + 300 + ahead.rounded()) == 1_200)
            #expect(restarted(timer) == timer)
        }
    }

    @Test("is paused and stopped here, and from a resume on this machine counts it")
    func moves() {
        var timer = running()
        #expect(timer.apply(.pause, at: ten + 1_520).refusal == nil)
        #expect(timer.isPaused && timer.remaining(at: ten + 1_520) == 1)
        #expect(timer.apply(.resume, at: ten + 2_000).refusal == nil)
        guard case .running(let resumed) = timer.state else {
            Issue.record("It does not run.")
            return
        }
        #expect(resumed.machine == nil && timer.completion(at: ten + 2_001) != nil)
        timer = running()
        #expect(timer.apply(.stop(save: true), at: ten + 60).finished.map(\.durationSeconds) == [60])
    }

    @Test("time goes on by uptime while a timer runs, and by the clock while it is paused")
    func holds() {
        var household = Household(
            timeZone: "Europe/Berlin", people: [Person(id: PersonID(rawValue: 1), name: "Me")])
        #expect(!household.holdsTime)
        household.people[0].focus.timer = running()
        #expect(household.holdsTime)
        _ = household.people[0].focus.timer.apply(.pause, at: ten + 60)
        #expect(!household.holdsTime)
    }
}
