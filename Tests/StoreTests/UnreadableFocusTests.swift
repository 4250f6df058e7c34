import Foundation
import Policy
import Testing

@testable import Store

/// A timer that was written past the schema is idle and said; nothing else is lost with it.
@Suite struct UnreadableFocusTests {
    private let scratch = Scratch()

    private func opened(after sql: String) throws -> (store: HouseholdStore, warnings: [String]) {
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
        try scratch.execute(sql, ignoringConstraints: true)
        let messages = Messages()
        let store = try HouseholdStore(directory: scratch.path, now: noon, log: .collecting(messages))
        #expect(store.opening.rules == .stored)
        #expect(store.household.people[0].name == "Ada")
        return (store, messages.all.filter { $0.contains("cannot be read") && !$0.hasPrefix("Part of") })
    }

    @Test(arguments: [
        "timer = 'sprinting'", "timer = 'idle'", "timer = 'paused'", "total = 0", "total = 86401",
        "total = 60", "session = 'x'", "start = NULL", "since = NULL", "ends_at = seen", "ends_at = NULL",
        "seen = since - 1000", "start = since + 1000", "seen = seen + 1, ends_at = ends_at + 1",
        "timer = 'idle', remaining = 2701", "timer = 'paused', remaining = 0",
    ]) func timerIsIdle(assignment: String) throws {
        let (store, warnings) = try opened(after: "UPDATE focus SET \(assignment)")
        let focus = store.household.people[0].focus
        #expect(focus.timer == FocusTimer(Preset(minutes: 45)!), "of the length that was chosen last")
        #expect(focus.lastPreset.minutes == 45 && focus.shieldsWhileFocusing)
        #expect(focus.shortcuts.dndShortcutName == "MonoFocus DND")
        #expect(warnings.count == 1)
        #expect(try store.allFocusSessions(of: me).count == 2)
        // It is no obstacle to what comes next.
        try store.change { try $0.startFocus(me, session: UUID(), at: noon) }
        #expect(try HouseholdStore.readOnly(directory: scratch.path).household == store.household)
    }

    @Test func aPresetThatIsNoneLeavesTheTimerRunning() throws {
        let (store, warnings) = try opened(after: "UPDATE focus SET last_preset = 0")
        #expect(store.household.people[0].focus.lastPreset == .standard)
        #expect(store.household.people[0].focus.timer.isRunning)
        #expect(warnings.count == 1)
    }

    @Test(arguments: ["id = 'x'", "duration_seconds = -1", "duration_seconds = 86401"])
    func aSessionThatIsNoneIsLeftOut(assignment: String) throws {
        let (store, _) = try opened(
            after: "UPDATE focus_session SET \(assignment) WHERE id LIKE '%1'")
        #expect(try store.allFocusSessions(of: me) == [FocusHistoryTests.session(2)])
    }

    @Test(arguments: [
        ("\"total\":2700", "\"total\":-5"), ("\"state\":\"running\"", "\"state\":\"flying\""),
        ("\"endsAt\":", "\"endedAt\":"),
    ]) func aTimerOfTheRulesLastKnownIsIdle(from: String, to: String) throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { household in
            household.people[0].name = "Ada"
            try household.startFocus(me, minutes: 45, session: FocusHistoryTests.run, at: noon)
            try household.setShieldsWhileFocusing(me, to: true)
        }
        store.flush()
        let path = LastKnown.path(scratch.path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(from))
        try Data(text.replacingOccurrences(of: from, with: to).utf8).write(to: URL(fileURLWithPath: path))
        let person = try #require(LastKnown.read(directory: scratch.path)?.people[0])
        #expect(person.name == "Ada")
        #expect(person.focus.timer == FocusTimer(Preset(minutes: 45)!))
        #expect(person.focus.shieldsWhileFocusing)
    }
}
