import Foundation
import Policy
import Testing

@testable import Store

/// Rows that somebody wrote past the schema never stop a page (SI-023, SI-027, SI-029, SI-032).
@Suite struct UnreadableRowTests {
    @Test(arguments: [
        "mode = '{\"manual\":{}}'", "mode = '{broken'", "mode = ''", "allowed = '[]'", "allowed = 'x'",
        "allowed = '{\"apps\":3}'", "id = 'nobody'", "night = 'soon'", "mode = '{\"sometimes\":{}}'",
    ]) func sessionReadsAsNone(assignment: String) throws {
        let scratch = Scratch()
        try { try scratch.open().change { $0.people[0].session = .example() } }()
        try scratch.execute("UPDATE sleep_session SET \(assignment)", ignoringConstraints: true)
        let messages = Messages()
        let store = try HouseholdStore(directory: scratch.path, now: noon, log: .collecting(messages))
        #expect(store.loadSession(of: me) == nil)
        #expect(store.opening == Opening(rules: .stored))
        #expect(messages.all.contains { $0.contains("session cannot be read") })
        // A new one takes its place.
        try store.change { $0.people[0].session = .example(minutes: 30) }
        #expect(store.loadSession(of: me)?.mode == .manual(durationMinutes: 30))
    }

    @Test func unknownStrictnessReadsAsFlexible() throws {
        let scratch = Scratch()
        try {
            try scratch.open().change { household in
                household.people[0].defaultStrictness = .strict
                household.people[0].session = .example(strictness: .strict)
            }
        }()
        try scratch.execute(
            "UPDATE person SET default_strictness = 'lenient'; UPDATE sleep_session SET strictness = 'x'",
            ignoringConstraints: true)
        let store = try scratch.open()
        #expect(store.loadDefaultStrictness(of: me) == .flexible)
        #expect(store.loadSession(of: me)?.strictness == .flexible)
    }

    @Test func selectionReadsAsEmptyAndScheduleAsNone() throws {
        let scratch = Scratch()
        try {
            try scratch.open().change { household in
                household.people[0].allowed.apps = ["maps"]
                household.people[0].schedule = .default
                household.people[0].tonight = TonightChange(
                    night: CivilDate(year: 2026, month: 11, day: 21), kind: .skip)
                household.ownApps = [App(id: "own-1", name: "Mine", category: "own", suffixes: ["a.example"])]
            }
        }()
        try scratch.execute(
            """
            UPDATE selection SET apps = '{}'; UPDATE recurring_schedule SET start = 'late';
            UPDATE tonight_change SET kind = 'earlier'; UPDATE own_app SET suffixes = '3'
            """, ignoringConstraints: true)
        let store = try scratch.open()
        #expect(store.loadAllowedApps(of: me) == AppSelection())
        #expect(store.household.people[0].schedule == nil)
        #expect(store.household.people[0].tonight == nil)
        #expect(store.household.ownApps.isEmpty)
        #expect(store.opening.rules == .stored)
    }

    @Test func scheduleCanBeCleared() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { household in
            household.people[0].schedule = .default
            household.people[0].session = .example()
        }
        try store.clearSchedule(of: me)
        #expect(store.household.people[0].schedule == nil)
        #expect(store.loadSession(of: me) != nil)
        #expect(store.loadAllowedApps(of: PersonID(rawValue: 99)) == AppSelection())
    }

    @Test func whatAnotherProgramWroteIsSeenByTheNextChange() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try scratch.execute("UPDATE person SET name = 'Ada'")
        let seen = try store.change { household in
            household.offersHelp = false
            return household.people[0].name
        }
        #expect(seen == "Ada")
        #expect(store.household.people[0].name == "Ada")
    }
}
