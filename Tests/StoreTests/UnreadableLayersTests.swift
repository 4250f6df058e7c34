import Foundation
import Policy
import Testing

@testable import Store

/// Rows of windows and limits that were written past the schema are left out, and said; a window that is left out opens
/// nothing (AR-018 to AR-020).
@Suite struct UnreadableLayersTests {
    private func opened(after sql: String) throws -> (person: Person, warnings: [String]) {
        let scratch = Scratch()
        try { _ = try scratch.open().change { LayersTests.fill(&$0) } }()
        try scratch.execute(sql, ignoringConstraints: true)
        let messages = Messages()
        let store = try HouseholdStore(directory: scratch.path, now: noon, log: .collecting(messages))
        #expect(store.opening.rules == .stored)
        #expect(store.damage(at: noon)?.hasPrefix("Part of what is stored is damaged: ") == true)
        let person = store.household.people[0]
        // What could not be read is no obstacle to what comes next.
        try store.change { LayersTests.fill(&$0) }
        #expect(try HouseholdStore.readOnly(directory: scratch.path).household == store.household)
        return (person, messages.all.filter { $0.contains("cannot be read") && !$0.hasPrefix("Part of") })
    }

    @Test(arguments: ["apps = '{}'", "categories = 'x'", "apps = '[3]'"])
    func selectionReadsAsNeverChosen(assignment: String) throws {
        let (person, warnings) = try opened(
            after: "UPDATE selection SET \(assignment) WHERE kind = 'restricted'")
        #expect(person.antiRot.restricted == nil)
        #expect(!person.antiRot.isConfigured)
        #expect(warnings.count == 1)
    }

    @Test(arguments: [
        "start = 'noon'", "\"end\" = '11:00'", "days = '[]'", "days = '[\"someday\"]'", "id = 'x'",
    ]) func windowsOfWhichNoneCanBeReadBlockAllDay(assignment: String) throws {
        let (person, warnings) = try opened(after: "UPDATE time_window SET \(assignment)")
        #expect(person.antiRot.windows == [])
        #expect(person.antiRot.status(at: noon + 7200, in: .utc).isBlocked)
        #expect(warnings.count == 1)
    }

    @Test func oneWindowThatCannotBeReadIsLeftOut() throws {
        let (person, _) = try opened(
            after: """
                INSERT INTO time_window VALUES
                (1, 5, '00000000-0000-0000-0000-000000000000', '', '20:00', '19:00', '["mon"]')
                """)
        #expect(person.antiRot.windows == [LayersTests.lunch])
    }

    @Test(arguments: [
        "minutes = 0", "minutes = 1441", "minutes_by_day = '{\"someday\":5}'",
        "minutes_by_day = '{\"mon\":0}'", "minutes_by_day = '[]'", "weekly_minutes = -1", "id = 'monitor_'",
        "target_kind = 'website'",
    ]) func limitIsLeftOut(assignment: String) throws {
        let (person, warnings) = try opened(
            after: "UPDATE usage_limit SET \(assignment) WHERE target = 'tiktok'")
        #expect(person.limits.list.map(\.target) == [.category("games")])
        #expect(warnings.count == 1)
    }

    @Test func restOfTheLimitsIsLeftOut() throws {
        let (person, warnings) = try opened(
            after: """
                UPDATE probation SET target_kind = 'x'; UPDATE reached_limit SET day = 'today';
                UPDATE extra_time SET day = '2026-02-30'; UPDATE time_request SET answer = 'maybe';
                UPDATE limit_settings SET reset_hour = 24
                """)
        #expect(person.limits.probations.isEmpty && person.limits.reached.isEmpty)
        #expect(person.limits.extraTime.isEmpty && person.limits.requests.isEmpty)
        #expect(person.limitSettings == LimitSettings())
        #expect(person.limits.list.count == 2)
        #expect(warnings.count == 5)
    }

    @Test(arguments: [
        "3", "{\"kind\":\"limit\"}", "{\"kind\":\"everything\"}", "{\"kind\":\"resetHour\",\"number\":24}",
        "{\"kind\":\"looseningDelay\",\"number\":9}", "{\"kind\":\"allowedWindows\"}",
        "{\"kind\":\"unlocksPerDay\",\"number\":-1}",
    ]) func changeThatWaitsIsLeftOut(change: String) throws {
        let (person, warnings) = try opened(after: "UPDATE pending_change SET change = '\(change)'")
        #expect(person.pending.isEmpty)
        #expect(warnings.count == 1)
    }

    @Test func brokenPartsOfTheRulesLastKnownAreLeftOut() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { LayersTests.fill(&$0) }
        store.flush()
        let path = LastKnown.path(scratch.path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacingOccurrences(of: "\"end\":\"13:00\"", with: "\"end\":\"11:00\"")
            .replacingOccurrences(of: "\"minutes\":5,", with: "\"minutes\":0,")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let person = try #require(LastKnown.read(directory: scratch.path)?.people[0])
        #expect(person.antiRot.windows == [])
        #expect(person.pending.isEmpty)
        #expect(person.limits.list == [LayersTests.limit])
        #expect(person.limits.reached == store.household.people[0].limits.reached)
    }
}
