import Foundation
import Testing

@testable import Policy

@Suite struct FocusHouseholdTests {
    private let ten = at("2026-11-20T10:00:00Z")

    private func house(shields: Bool = true, apps: Set<String> = ["tiktok"]) -> House {
        var household = home()
        household.people[0].antiRot.restricted = AppSelection(apps: apps)
        household.people[0].focus.shieldsWhileFocusing = shields
        return House(household, at: "2026-11-20T10:00:00Z")
    }

    @Test(
        "The Focus layer blocks the restricted apps while the timer runs; a pause opens them"
    )
    func layer() throws {
        var house = house()
        #expect(house.verdict.blocks == [])
        try house.startFocus(25)
        let block = Block(
            layer: .focus, scope: .only(AppSelection(apps: ["tiktok"])), since: ten, until: ten + 1_500)
        #expect(house.verdict.blocks == [block] && house.verdict.validUntil == ten + 1_500)
        #expect(house.household.evaluate(at: house.now)[kid]?.blocks == [])
        house.wait(60)
        try house.move(.pause)
        #expect(house.verdict.blocks == [] && house.verdict.validUntil == nil)
        house.wait(60)
        try house.move(.resume)
        #expect(
            house.verdict.blocks.map(\.since) == [ten + 120]
                && house.verdict.blocks.map(\.until) == [ten + 1_560])
        house.go(to: ten + 1_560)
        #expect(house.verdict.blocks == [])
        #expect(house.household.evaluate(at: ten + 1_559)[me]?.blocks == [], "it has completed")
    }

    @Test("Off by default, and nothing without restricted apps; the end is told all the same")
    func switchedOff() throws {
        #expect(!Focus().shieldsWhileFocusing)
        for var house in [house(shields: false), house(apps: [])] {
            try house.startFocus(45)
            #expect(house.verdict.blocks == [] && house.verdict.validUntil == ten + 2_700)
            try house.change { household, _ in try household.setShieldsWhileFocusing(me, to: true) }
            #expect(
                house.verdict.blocks.count == (house.household.people[0].antiRot.restricted!.isEmpty ? 0 : 1))
        }
    }

    @Test("C-25: it is the last of the layers, and each escape lifts its own only")
    func order() throws {
        var house = house()
        house.household.people[0].antiRot.windows = []
        try house.startFocus(90)
        try house.start(30)
        #expect(house.verdict.blocks.map(\.layer) == [.sleep, .windows, .focus])
        try house.change { try $0.activateOverride(me, at: $1) }
        #expect(house.verdict.blocks.map(\.layer) == [.sleep, .focus])
        try house.move(.stop(save: false))
        #expect(house.verdict.blocks.map(\.layer) == [.sleep])
    }

    @Test("C-08, MF-088: a session that fell due unnoticed is completed once, at its true end")
    func downtime() throws {
        var house = house()
        try house.startFocus(45, session: sessionID(9))
        let before = house.household
        house.go(to: ten + 90_000)
        let session = FocusSession(
            id: sessionID(9), start: ten, end: ten + 2_700, durationSeconds: 2_700, presetLabel: "45m",
            completed: true)
        #expect(house.focus.finished == [session] && house.timer.stateName == "idle")
        #expect(house.focus.lastPreset.minutes == 45 && house.remaining == 2_700, "A-12")
        let event = FocusEvent(kind: .completed, person: me, session: sessionID(9), instant: ten + 2_700)
        #expect(house.household.focusEvents(since: before, at: house.now) == [event])
        house.wait(1)
        #expect(house.focus.finished == [session])
        // Once more from the earlier rows: the same session, which the row's key accepts once.
        var again = before
        _ = again.settle(at: ten + 99_999, newID: UUID.init)
        #expect(again.people[0].focus.finished == [session])
    }

    @Test("C-27: a link or a widget leaves a running timer alone, and starts an idle or a paused one anew")
    func link() throws {
        var house = house()
        try house.startFocus(25, session: sessionID(1))
        house.wait(100)
        #expect(throws: Refusal.focusRunning) { try house.startFocus(45) }
        #expect(house.remaining == 1_400 && house.focus.lastPreset.minutes == 25)
        try house.move(.pause)
        house.wait(100)
        let paused = house.household
        try house.startFocus(45, session: sessionID(2))
        #expect(house.timer.isRunning && house.remaining == 2_700)
        #expect(
            house.household.focusEvents(since: paused, at: house.now).map(\.kind) == [.stopped, .started])
        house.wait(60)
        try house.move(.stop(save: true))
        #expect(house.focus.finished.map(\.id) == [sessionID(1), sessionID(2)], "MF-086: both are kept")
        #expect(house.focus.finished.map(\.start) == [ten, ten + 200])
        #expect(house.focus.finished.map(\.durationSeconds) == [100, 60])
        #expect(house.focus.finished.map(\.presetLabel) == ["25m", "45m"])
    }

    @Test("MF-087: a new length in a pause discards the paused session only if that was asked for")
    func newLength() throws {
        for (save, kept) in [(true, [1_200]), (false, [])] {
            var house = house()
            try house.startFocus(45)
            house.wait(1_200)
            try house.move(.pause)
            try house.change { try $0.setFocusLength(me, minutes: 25, save: save, at: $1) }
            #expect(house.focus.finished.map(\.durationSeconds) == kept)
            #expect(house.timer.stateName == "idle" && house.remaining == 1_500)
        }
        var running = house()
        try running.startFocus(45)
        #expect(throws: Refusal.focusRunning) {
            try running.change { try $0.setFocusLength(me, minutes: 25, save: false, at: $1) }
        }
        #expect(running.timer.isRunning, "MF-023")
    }

    @Test("Start without a length goes on from what is there")
    func startAsIs() throws {
        var house = house()
        try house.change { try $0.setFocusLength(me, minutes: 90, at: $1) }
        try house.startFocus()
        #expect(house.remaining == 5_400)
        house.wait(10)
        try house.move(.pause)
        try house.startFocus()
        #expect(house.remaining == 5_390)
    }

    @Test(
        "A refused move changes nothing; a length out of range is input",
        arguments: [0, -1, 1_441, Int.max, Int.min])
    func refused(_ minutes: Int) throws {
        var house = house()
        let before = house.household
        #expect(throws: Refusal.focusLengthOutOfRange) { try house.startFocus(minutes) }
        #expect(throws: Refusal.focusLengthOutOfRange) {
            try house.change { try $0.setFocusLength(me, minutes: minutes, at: $1) }
        }
        #expect(throws: Refusal.focusNotRunning) { try house.move(.pause) }
        #expect(throws: Refusal.unknownPerson) {
            try house.change { try $0.startFocus(PersonID(rawValue: 99), session: UUID(), at: $1) }
        }
        #expect(house.household == before)
        #expect(Refusal.focusLengthOutOfRange.isAboutInput && !Refusal.focusRunning.isAboutInput)
        #expect(Refusal.focusLengthOutOfRange.message == "The timer runs 1 to 1440 whole minutes.")
    }

    @Test("While the timer runs the household changes every five minutes, and otherwise not at all")
    func writes() throws {
        var house = house()
        try house.startFocus(25)
        var changes = 0
        for _ in 0..<1_499 {
            let before = house.household
            house.wait(1)
            if house.household != before { changes += 1 }
        }
        #expect(changes == 4 && house.remaining == 1)
        try house.move(.pause)
        let paused = house.household
        house.wait(10_000)
        #expect(house.household == paused)
    }

    @Test(
        "A clock that goes back gives back less than five minutes, and never more than there was",
        arguments: 0..<10)
    func clockBack(_ seed: UInt64) throws {
        var random = Generator(seed: 60_000 + seed)
        var house = house()
        try house.startFocus(90)
        var least = house.remaining
        for _ in 0..<5_000 {
            house.wait(
                random.chance(90) ? TimeInterval(random.int(0...30)) : TimeInterval(random.int(-9_000...20)))
            if !house.timer.isRunning { break }
            #expect(house.remaining < least + 300 && house.remaining <= 5_400)
            least = min(least, house.remaining)
        }
        #expect(house.focus.finished.count == 1)
    }

    @Test("Every event is told once, with its instant")
    func events() throws {
        var house = house()
        var log: [String] = []
        func watch(_ body: (inout House) throws -> Void) rethrows {
            let before = house.household
            try body(&house)
            log += house.household.focusEvents(since: before, at: house.now).map {
                "\($0.kind) \(Int($0.instant.timeIntervalSince(ten)))"
            }
        }
        try watch { try $0.startFocus(25) }
        watch { $0.wait(10) }
        try watch { try $0.move(.pause) }
        watch { $0.wait(10) }
        try watch { try $0.move(.resume) }
        watch { $0.wait(10) }
        try watch { try $0.move(.stop(save: true)) }
        try watch { try $0.startFocus(1) }
        try watch {
            $0.wait(70)
            try $0.startFocus(2)
        }
        watch { $0.wait(500) }
        #expect(
            log == [
                "started 0", "paused 10", "resumed 20", "stopped 30", "started 30", "completed 90",
                "started 100",
                "completed 220",
            ])
    }

    @Test("MF-021: of many simultaneous starts, one counts")
    func raced() {
        var house = house()
        #expect((0..<50).filter { _ in (try? house.startFocus(25)) != nil }.count == 1)
    }
}
