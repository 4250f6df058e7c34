import Foundation
import Policy
import Testing

@testable import Store

/// Documents that were written past the store: the copy beside the database has the missing parts. Without it, the
/// readable parts hold, and nothing opens (AR-018 to AR-020).
@Suite struct UnreadableLayersTests {
    private func opened(_ path: String, _ value: String, hasCopy: Bool = false) throws -> Person {
        let scratch = Scratch()
        try {
            let store = try scratch.open()
            try store.change { LayersTests.fill(&$0) }
        }()
        try scratch.set(path, to: value, in: "person")
        if !hasCopy { unlink(LastKnown.path(scratch.path)) }
        let messages = Messages()
        let store = try HouseholdStore(directory: scratch.path, now: noon, log: .collecting(messages))
        #expect(store.opening.rules == .stored)
        let words =
            hasCopy
            ? "as the copy beside the database has it."
            : "what can be read of it holds. The strictest rules apply where it is unknown who is a child, or who owns a device."
        #expect(store.damage(at: noon) == "Part of the stored data is damaged: the rules of Me: \(words)")
        #expect(messages.all.filter { $0.contains("Part of the stored data is damaged") }.count == 1)
        let person = store.household.people[0]
        // Unreadable parts do not prevent later changes.
        #expect(try HouseholdStore.readOnly(directory: scratch.path).household == store.household)
        try store.change { LayersTests.fill(&$0) }
        #expect(try scratch.rows() == store.household)
        return person
    }

    private func whole() throws -> Person {
        let store = try Scratch().open()
        try store.change { LayersTests.fill(&$0) }
        return store.household.people[0]
    }

    @Test(
        "With the copy nothing is lost",
        arguments: [
            ("antiRot.allowedWindows[0].start", "'9x:00'"), ("limits.list[0].minutes", "0"),
            ("limits.requests", "'x'"), ("name", "3"), ("id", "77"), ("lömits", "1"),
        ]) func withCopy(path: String, value: String) throws
    {
        let person = try opened(path, value, hasCopy: true)
        #expect(person.antiRot == (try whole()).antiRot && person.limits.list.count == 2)
        #expect(person.limits.requests.count == 1 && person.name == "Me")
    }

    @Test(arguments: [("apps", "json('{}')"), ("categories", "'x'"), ("apps", "json('[3]')")])
    func selectionReadsAsNeverChosen(member: String, value: String) throws {
        let person = try opened("antiRot.selectedApps.\(member)", value)
        #expect(person.antiRot.restricted == nil)
        #expect(!person.antiRot.isConfigured)
    }

    @Test(arguments: [
        ("start", "'noon'"), ("end", "'12:00'"), ("days", "json('[]')"), ("days", "json('[\"someday\"]')"),
        ("id", "'x'"),
    ]) func windowsOfWhichNoneCanBeReadBlockAllDay(member: String, value: String) throws {
        let person = try opened("antiRot.allowedWindows[0].\(member)", value)
        #expect(person.antiRot.windows == [])
        #expect(person.windowsStatus(at: noon + 7200, in: .utc).isBlocked)
    }

    @Test func aListThatIsNoneBlocksAllDayToo() throws {
        #expect(try opened("antiRot.allowedWindows", "'x'").antiRot.windows == [])
    }

    @Test func oneWindowThatCannotBeReadIsLeftOut() throws {
        let person = try opened("antiRot.allowedWindows[1]", "json('{\"start\":\"20:00\"}')")
        #expect(person.antiRot.windows == [LayersTests.lunch])
    }

    @Test(arguments: [
        ("minutes", "0"), ("minutes", "1441"), ("minutesByDay", "json('{\"someday\":5}')"),
        ("minutesByDay", "json('{\"mon\":0}')"), ("minutesByDay", "json('[1]')"), ("weeklyMinutes", "-1"),
        ("id", "'monitor_'"), ("kind", "'website'"),
    ]) func limitIsLeftOut(member: String, value: String) throws {
        let person = try opened("limits.list[0].\(member)", value)
        #expect(person.limits.list.map(\.target) == [.category("games")])
    }

    @Test(arguments: ["ProbationTokens", "PersistentBlockedTokens", "extraTime", "requests", "list"])
    func restOfTheLimitsIsLeftOut(list: String) throws {
        let person = try opened("limits.\(list)[0]", "'x'")
        let counts = [
            "ProbationTokens": person.limits.probations.count,
            "PersistentBlockedTokens": person.limits.reached.count,
            "extraTime": person.limits.extraTime.count, "requests": person.limits.requests.count,
            "list": person.limits.list.count - 1,
        ]
        #expect(counts == counts.merging([list: 0]) { $1 } && counts.values.reduce(0, +) == 4)
    }

    @Test("Of figures that cannot be, the strictest holds") func figures() throws {
        #expect(try opened("limits.resetHour", "94").limits.resetHour == 0)
        #expect(try opened("limits.unlocksPerDay", "-1").limits.unlocksPerDay == 0)
        #expect(try opened("looseningDelay", "9").looseningDelay == 24)
    }

    @Test(arguments: [
        "3", "json('{\"limit\":{}}')", "json('{\"everything\":{}}')", "json('{\"resetHour\":{\"_0\":24}}')",
        "json('{\"looseningDelay\":{\"hours\":9}}')", "json('{\"unlocksPerDay\":{\"_0\":-1}}')",
    ]) func changeThatWaitsIsLeftOut(change: String) throws {
        #expect(try opened("pendingChanges[0].change", change).pending.isEmpty)
    }
}
