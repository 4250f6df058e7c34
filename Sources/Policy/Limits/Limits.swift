package import Foundation

/// A person's Limits layer.
package struct Limits: Hashable, Sendable {
    /// Allowed values of `resetHour`.
    package static let resetHours = 0...23
    /// Allowed values of `unlocksPerDay`; 0: there is no "Unlock for 1 min".
    package static let unlockCounts = 0...1_000

    /// At most one for each target, in the order in which they were added.
    package var list: [UsageLimit]
    /// When a new day of limits begins, 0 to 23; the override and verified minutes use calendar days.
    package var resetHour: Int
    /// How many times a day "Unlock for 1 min" can be used; nil: any number.
    package var unlocksPerDay: Int?
    /// How many unlocks were used on the latest day of limits with one; `unlocksUsed` asks for a day.
    package var unlocks: DayCount?
    /// Those that run, and expired ones until the next `settle`.
    package var probations: [Probation]
    /// `PersistentBlockedTokens` (TH-027).
    package var reached: [ReachedLimit]
    package var extraTime: [ExtraTime]
    /// Newest last; answered ones are kept until their day is over.
    package var requests: [TimeRequest]

    package init(
        list: [UsageLimit] = [], resetHour: Int = 0, unlocksPerDay: Int? = nil, unlocks: DayCount? = nil,
        probations: [Probation] = [], reached: [ReachedLimit] = [], extraTime: [ExtraTime] = [],
        requests: [TimeRequest] = []
    ) {
        self.list = list
        self.resetHour = resetHour
        self.unlocksPerDay = unlocksPerDay
        self.unlocks = unlocks
        self.probations = probations
        self.reached = reached
        self.extraTime = extraTime
        self.requests = requests
    }

    package func day(at now: Date, in zone: CivilZone) -> LimitDay {
        LimitDay(containing: now, resetHour: resetHour, in: zone)
    }

    /// How many unlocks were used on a day.
    package func unlocksUsed(on day: LimitDay) -> Int {
        unlocks.map { $0.day == day.date ? $0.count : 0 } ?? 0
    }

    /// How many unlocks are left on a day; nil: any number.
    package func unlocksLeft(on day: LimitDay) -> Int? {
        unlocksPerDay.map { max(0, $0 - unlocksUsed(on: day)) }
    }

    /// How often something happened on a day of limits.
    package struct DayCount: Hashable, Sendable {
        package var day: CivilDate
        package var count: Int

        package init(day: CivilDate, count: Int) {
            self.day = day
            self.count = count
        }
    }
}
