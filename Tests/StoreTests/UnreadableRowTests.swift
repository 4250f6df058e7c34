import Foundation
import Policy
import Testing

@testable import Store

/// Rows that somebody wrote past the schema never stop a page (SI-027, SI-029, SI-032), and open no session.
@Suite struct UnreadableRowTests {
    @Test(
        "A session that is damaged counts as strict until its end, is said, and is mended",
        arguments: [
            "mode = '{\"manual\":{}}'", "mode = '{broken'", "mode = ''", "allowed = '[]'", "allowed = 'x'",
            "allowed = '{\"apps\":3}'", "id = 'nobody'", "night = 'soon'", "mode = '{\"sometimes\":{}}'",
            "strictness = 'x'", "is_active = 0", "ends_at = started_at - 1",
            "ends_at = started_at + 1000000000000",
        ], [true, false])
    func session(assignment: String, hasCopy: Bool) throws {
        let scratch = Scratch()
        let session = SleepSession.example()
        try {
            let store = try scratch.open()
            try store.setLastInstant(noon)
            try store.change { $0.people[0].session = session }
        }()
        try scratch.execute("UPDATE sleep_session SET \(assignment)", ignoringConstraints: true)
        if !hasCopy { unlink(LastKnown.path(scratch.path)) }
        let messages = Messages()
        for isAgain in [false, true] {
            let store = try HouseholdStore(directory: scratch.path, now: noon, log: .collecting(messages))
            let read = try #require(store.loadSession(of: me))
            #expect(read.strictness == .strict && read.isRunning(at: noon) && read.endsAt == session.endsAt)
            #expect(store.opening.rules == .stored && store.opening.damage.isEmpty == isAgain)
            #expect(store.damage(at: noon)?.contains("It counts as strict until 13:00.") == true)
            #expect(store.damage(at: noon + 8 * 86_400)?.isEmpty == (isAgain ? nil : false))
        }
        #expect(messages.all.filter { $0.contains("It counts as strict until") }.count == 1)
        // Nothing of it is in the way of its end.
        let store = try scratch.open()
        try store.change { _ = try $0.emergencyReset(me, at: noon) }
        #expect(try scratch.rows().people[0].session == nil)
    }

    @Test(
        "A row that is whole and not as it was saved: the stricter of the row and the copy holds",
        arguments: [
            "strictness = 'flexible'",
            "ends_at = started_at + 60000, mode = '{\"manual\":{\"durationMinutes\":1}}'",
            "person = 77",
        ]) func hidden(assignment: String) throws
    {
        let scratch = Scratch()
        let session = SleepSession.example(strictness: .strict)
        try { try scratch.open().change { $0.people[0].session = session } }()
        try scratch.execute("UPDATE sleep_session SET \(assignment)", ignoringConstraints: true)
        let store = try scratch.open()
        #expect(store.loadSession(of: me) == session)
        #expect(store.damage(at: noon)?.contains("session of Me was damaged") == true)
    }

    @Test("What reads the files beside a server says so too, and mends nothing") func reading() throws {
        let scratch = Scratch()
        let session = SleepSession.example(strictness: .strict)
        try { try scratch.open().change { $0.people[0].session = session } }()
        try scratch.execute("UPDATE sleep_session SET strictness = 'flexible'")
        for _ in 1...2 {
            let store = try HouseholdStore.readOnly(directory: scratch.path, at: noon, log: .silent)
            #expect(store.loadSession(of: me) == session && store.damage(at: noon) != nil)
        }
    }

    @Test func unknownStrictnessReadsAsFlexible() throws {
        let scratch = Scratch()
        try { try scratch.open().change { $0.people[0].defaultStrictness = .strict } }()
        try scratch.execute("UPDATE person SET default_strictness = 'lenient'", ignoringConstraints: true)
        #expect(try scratch.open().loadDefaultStrictness(of: me) == .flexible)
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
