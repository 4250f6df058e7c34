import Foundation
import GRDB
import Policy
import Testing

@testable import Store

/// The rows of a person's windows and limits.
@Suite struct LayersTests {
    static let lunch = TimeWindow(
        id: UUID(uuidString: "9F9619FF-8B86-D011-B42D-00C04FC964FF")!, label: "Lunch",
        start: TimeOfDay(hour: 12, minute: 0), end: TimeOfDay(hour: 13, minute: 0), days: [.sat, .mon])
    static let limit = UsageLimit(
        id: UUID(uuidString: "AF9619FF-8B86-D011-B42D-00C04FC964FF")!, target: .app("tiktok"), minutes: 30,
        minutesByDay: [.sun: 90, .sat: 60], weeklyMinutes: 200)

    static let holidays = DateException(
        id: UUID(uuidString: "CF9619FF-8B86-D011-B42D-00C04FC964FF")!, first: CivilDate("2026-11-30")!,
        last: CivilDate("2026-12-06")!, instead: .weekday(.sat))

    /// All values of the two layers, for one person.
    static func fill(_ household: inout Household) {
        household.devices = [.example(1, person: me)]
        household.people[0].antiRot = AntiRot(
            restricted: AppSelection(apps: ["tiktok"]), windows: [lunch],
            override: OverrideState(lastUsedDate: noon, overrideExpiresAt: noon.addingTimeInterval(2_700)))
        let today = CivilDate(year: 2026, month: 11, day: 21)
        household.people[0].limits = Limits(
            list: [limit, UsageLimit(id: UUID(), target: .category("games"), minutes: 5)], resetHour: 4,
            unlocksPerDay: 2, unlocks: Limits.DayCount(day: today, count: 1),
            probations: [Probation(UUID(), target: .app("tiktok"), at: noon)],
            reached: [
                ReachedLimit(
                    target: .app("tiktok"), day: today, use: TargetUse(day: 60, week: 61), since: noon)
            ],
            extraTime: [ExtraTime(target: .app("tiktok"), day: today, minutes: 15)],
            requests: [
                TimeRequest(
                    id: UUID(), target: .app("tiktok"), device: DeviceID(rawValue: 1), askedAt: noon)
            ])
        household.people[0].looseningDelay = 8
        household.people[0].pending = [
            PendingChange(id: UUID(), due: noon.addingTimeInterval(28_800), change: .windows([lunch]))
        ]
    }

    @Test(
        "Never chosen and chosen to be none stay two things (AR-018, C-14)",
        arguments: [
            AntiRot(), AntiRot(restricted: AppSelection()), AntiRot(windows: []),
            AntiRot(restricted: AppSelection(), windows: []), AntiRot(windows: [lunch]),
        ])
    func noneIsNotNever(layer: AntiRot) throws {
        let scratch = Scratch()
        try {
            let store = try scratch.open()
            try store.change { Self.fill(&$0) }
            try store.change { $0.people[0].antiRot = layer }
            store.flush()
        }()
        #expect(try scratch.open().household.people[0].antiRot == layer)
        #expect(LastKnown.read(directory: scratch.path)?.people[0].antiRot == layer)
    }

    @Test func aBackupAndTheRulesLastKnownHoldAllOfIt() throws {
        let scratch = Scratch()
        let file = scratch.path + "/copy.sqlite"
        let store = try scratch.open()
        try store.change { Self.fill(&$0) }
        let filled = store.household
        try store.backup(to: file)
        store.flush()
        #expect(LastKnown.read(directory: scratch.path) == filled)
        try store.change { $0.people[0] = Person(id: me, name: "Me") }
        try store.restore(from: file, at: noon)
        #expect(store.household == filled)
    }

    @Test func aRequestForgetsADeviceThatIsGone() throws {
        let scratch = Scratch()
        try {
            let store = try scratch.open()
            try store.change { Self.fill(&$0) }
            #expect(store.household.people[0].limits.requests[0].device == DeviceID(rawValue: 1))
            try store.change { $0.devices = [] }
            #expect(store.household.people[0].limits.requests[0].device == nil)
        }()
        #expect(try scratch.open().household.people[0].limits.requests.map(\.device) == [nil])
    }

    @Test func aPersonsLayersGoWithThem() throws {
        let store = try Scratch().open()
        let ada = PersonID(rawValue: 2)
        try store.change { household in
            Self.fill(&household)
            var person = household.people[0]
            person = Person(
                id: ada, name: "Ada", antiRot: person.antiRot, limits: person.limits,
                looseningDelay: person.looseningDelay, pending: person.pending)
            household.people[0] = Person(id: me, name: "Me")
            household.people.append(person)
        }
        try store.change { $0[person: ada] = nil }
        let rows = try store.queue.read(DocumentTable.all).map(\.key)
        #expect(!rows.contains { $0.kind == .person && $0.id == 2 })
    }

    @Test("Of fifty who press I'm Eating at once, one gets it (AR-045)")
    func oneOverrideADay() async throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change {
            $0.people[0].antiRot = AntiRot(restricted: AppSelection(apps: ["tiktok"]), windows: [])
        }
        let won = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let now = noon.addingTimeInterval(Double(number) / 1_000)
                    do {
                        try store.change { household, log in
                            try household.activateOverride(me, at: now)
                            log.append(LogEntry(.overrideUsed, person: me, at: now))
                        }
                        return true
                    } catch {
                        #expect(error as? Refusal == .overrideUsed)
                        return false
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(won == 1)
        let log = try store.log(of: me)
        #expect(log.map(\.kind) == [.overrideUsed])
        let kept = store.household.people[0].antiRot.override
        #expect(kept.lastUsedDate == log.first?.instant)
        #expect(kept.overrideExpiresAt == log.first?.instant.addingTimeInterval(OverrideState.duration))
        let file = scratch.path
        #expect(try HouseholdStore.readOnly(directory: file).household.people[0].antiRot.override == kept)
    }
}
