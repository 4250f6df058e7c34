import Foundation
import Policy
import Testing

@testable import Store

/// A timer that was written past the store becomes idle, with a notice; nothing else is lost with it.
@Suite struct UnreadableFocusTests {
    private let scratch = Scratch()

    private func opened(_ changes: [(String, String)]) throws -> HouseholdStore {
        try {
            let store = try scratch.open()
            try store.change { household in
                household.people[0].name = "Ada"
                try household.startFocus(me, minutes: 45, session: FocusHistoryTests.run, at: noon)
                try household.setShieldsWhileFocusing(me, to: true)
                try household.saveShortcutNames(me, FocusShortcuts(dndShortcutName: "MonoFocus DND"))
            }
            _ = try store.addFocusSessions(
                [FocusHistoryTests.session(1), FocusHistoryTests.session(2)], of: me)
        }()
        unlink(LastKnown.path(scratch.path))
        for (path, value) in changes { try scratch.set("focus." + path, to: value, in: "person") }
        let store = try HouseholdStore(directory: scratch.path, now: noon, log: .silent)
        #expect(store.opening.rules == .stored && store.household.people[0].name == "Ada")
        #expect(store.damage(at: noon)?.contains("the rules of Ada: what can be read of it holds") == true)
        return store
    }

    @Test(arguments: [
        ("timer.state", "'sprinting'"), ("timer.state", "'idle'"), ("timer.state", "'paused'"),
        ("timer.total", "0"), ("timer.total", "86401"), ("timer.total", "60"), ("timer.session", "'x'"),
        ("timer.start", "NULL"), ("timer.since", "NULL"), ("timer.endsAt", "'2026-11-21T12:00:00.000Z'"),
        ("timer.endsAt", "NULL"), ("timer.seen", "'2026-11-21T11:59:59.000Z'"), ("timer", "'x'"),
        ("timer.start", "'2026-11-21T12:00:01.000Z'"),
    ]) func timerIsIdle(path: String, value: String) throws {
        let store = try opened([(path, value)])
        let focus = store.household.people[0].focus
        #expect(focus.timer == FocusTimer())
        #expect(focus.lastPreset.minutes == 45 && focus.shieldsWhileFocusing)
        #expect(focus.shortcuts.dndShortcutName == "MonoFocus DND")
        #expect(try store.allFocusSessions(of: me).count == 2)
        // It does not prevent later changes.
        try store.change { try $0.startFocus(me, session: UUID(), at: noon) }
        #expect(try HouseholdStore.readOnly(directory: scratch.path).household == store.household)
    }

    @Test func aPresetThatIsNoneLeavesTheTimerRunning() throws {
        let store = try opened([("lastPreset", "0")])
        #expect(store.household.people[0].focus.lastPreset == .standard)
        #expect(store.household.people[0].focus.timer.isRunning)
    }

    @Test(arguments: ["id = 'x'", "duration_seconds = -1", "duration_seconds = 86401"])
    func aSessionThatIsNoneIsLeftOut(assignment: String) throws {
        do {
            let store = try scratch.open()
            _ = try store.addFocusSessions(
                [FocusHistoryTests.session(1), FocusHistoryTests.session(2)], of: me)
        }
        try scratch.execute(
            "UPDATE focus_session SET \(assignment) WHERE id LIKE '%1'", ignoringConstraints: true)
        #expect(try scratch.open().allFocusSessions(of: me) == [FocusHistoryTests.session(2)])
    }
}
