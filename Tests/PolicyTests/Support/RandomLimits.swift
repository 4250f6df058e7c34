import Foundation

@testable import Policy

/// A little of everything that layers use.
let smallCatalog = Catalog(
    categories: ["social", "video", "messengers"].map { Category(id: $0, name: $0.capitalized) },
    apps: [
        App(id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com", "tiktokv.com"]),
        App(id: "reddit", name: "Reddit", category: "social", suffixes: ["reddit.com"]),
        App(id: "youtube", name: "YouTube", category: "video", suffixes: ["youtube.com", "ytimg.com"]),
        App(id: "signal", name: "Signal", category: "messengers", suffixes: ["signal.org"]),
    ],
    alwaysReachable: [
        AlwaysReachable(id: "ntp", name: "Time", reason: "r", suffixes: ["ntp.org", "time.reddit.com"]),
        AlwaysReachable(
            id: "probe", name: "Probe", reason: "r", hosts: ["www.youtube.com"], isOptional: true),
    ])

let smallCatalogNames = [
    "tiktok.com", "www.tiktok.com", "api.tiktokv.com", "nottiktok.com", "reddit.com", "time.reddit.com",
    "old.reddit.com", "youtube.com", "www.youtube.com", "a.www.youtube.com", "i.ytimg.com", "chat.signal.org",
    "own.example",
    "deep.own.example", "example.org", "pool.ntp.org", "com",
]

extension Generator {
    static let targets: [LimitTarget] =
        ["tiktok", "reddit", "youtube", "signal", "own-one"].map(LimitTarget.app)
        + ["social", "video", "messengers", "own"].map(LimitTarget.category)

    /// A household with limits: reached ones, grants, unlocks that overlap, restricted apps and sessions.
    mutating func limitedHousehold(at now: Date) -> Household {
        var household = household(at: now)
        if chance(50) {
            household.ownApps = [App(id: "own-one", name: "Own", category: "own", suffixes: ["own.example"])]
        }
        if chance(30) { household.unreachable = ["probe"] }
        for index in household.people.indices {
            if chance(60) { household.people[index].session = nil }
            if chance(60) { household.people[index].schedule = nil }
            household.people[index].allowed = AppSelection(apps: ["signal"], categories: ["video"])
            household.people[index].antiRot = antiRot(at: now)
            if chance(40) {
                household.people[index].dateExceptions = dateExceptions(around: now, in: household.zone)
            }
            household.people[index].limits = limits(at: now, in: household.zone)
        }
        return household
    }

    mutating func limits(at now: Date, in zone: CivilZone) -> Limits {
        var limits = Limits(
            list: Self.targets.filter { _ in chance(50) }.map { limit(on: $0) },
            resetHour: chance(50) ? 0 : int(0...23), unlocksPerDay: chance(60) ? nil : int(0...3))
        let today = limits.day(at: now, in: zone).date
        limits.probations = (0..<int(0...4)).map { _ in
            Probation(
                UUID(), target: pick(Self.targets), at: now.addingTimeInterval(TimeInterval(int(-70...0))))
        }
        limits.extraTime = (0..<int(0...3)).map { _ in
            ExtraTime(
                target: pick(Self.targets), day: today.adding(days: int(-9...2)), minutes: pick([15, 30]))
        }
        limits.reached = Self.targets.filter { _ in chance(20) }.map {
            ReachedLimit(
                target: $0, day: today.adding(days: int(-4...1)),
                use: TargetUse(day: int(0...90), week: int(60...400)), since: now.addingTimeInterval(-900))
        }
        return limits
    }

    mutating func limit(on target: LimitTarget) -> UsageLimit {
        UsageLimit(
            id: UUID(), target: target, minutes: pick([1, 15, 30, 60, 1_440]),
            minutesByDay: chance(30)
                ? Dictionary(uniqueKeysWithValues: weekdays().map { ($0, int(1...120)) }) : [:],
            weeklyMinutes: chance(40) ? int(30...400) : nil,
            leavesOut: target == .category("social") && chance(40) ? ["reddit"] : [])
    }

    /// Everybody's use, close to their limits.
    mutating func usage(of household: Household) -> UsageTotals {
        var usage = UsageTotals.none
        for person in household.people {
            for target in Self.targets where chance(70) {
                let day = int(0...80)
                usage[person.id, target] = TargetUse(day: day, week: day + int(0...330))
            }
        }
        return usage
    }

    private mutating func antiRot(at now: Date) -> AntiRot {
        guard chance(50) else { return AntiRot() }
        let expires = chance(30) ? now.addingTimeInterval(TimeInterval(int(-60...2_700))) : nil
        return AntiRot(
            restricted: AppSelection(
                apps: Set(["tiktok", "youtube", "own-one", "gone"].filter { _ in chance(50) })),
            windows: chance(80) ? allowedWindows() : nil,
            override: OverrideState(
                lastUsedDate: expires?.addingTimeInterval(-2_700), overrideExpiresAt: expires))
    }

    private mutating func allowedWindows() -> [TimeWindow] {
        (0..<int(0...3)).compactMap { _ in
            let (start, end) = (time(), time())
            return start < end
                ? TimeWindow(
                    id: UUID(), label: "", start: start, end: end,
                    days: chance(60) ? Set(Weekday.allCases) : weekdays()) : nil
        }
    }
}
