package import Foundation

/// A person's Limits layer.
package struct Limits: Hashable, Codable, Sendable {
    /// What `resetHour` can be.
    package static let resetHours = 0...23
    /// With how many one-minute unlocks a day a child begins.
    package static let unlocksOfAChild = 3
    /// Allowed values of `unlocksPerDay`; 0: there is no "Unlock for 1 min".
    package static let unlockCounts = 0...1_000

    /// One per target at most; in the order in which they were added.
    @Defaulted package var list: [UsageLimit]
    /// When a new day begins for limits, 0 to 23; the override and verified minutes keep calendar days.
    @Defaulted package var resetHour: Int
    /// How often "Unlock for 1 min" is taken in a day; nil: always.
    @Defaulted package var unlocksPerDay: Int?
    /// How many were used on the day of limits of the latest; `unlocksUsed` asks for one day.
    @Defaulted package var unlocks: DayCount?
    /// Those that run, and expired ones until the next `settle`.
    @Defaulted package var probations: [Probation]
    /// `PersistentBlockedTokens`.
    @Defaulted package var reached: [ReachedLimit]
    @Defaulted package var extraTime: [ExtraTime]
    /// Newest last; answered ones are kept until their day is over.
    @Defaulted package var requests: [TimeRequest]

    /// Two of them are the seeds' own.
    private enum CodingKeys: String, CodingKey {
        case list, resetHour, unlocksPerDay, unlocks, extraTime, requests
        case probations = "ProbationTokens"
        case reached = "PersistentBlockedTokens"
    }

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

    /// How often something happened on a day of limits.
    package struct DayCount: Hashable, Codable, Sendable {
        package var day: CivilDate
        package var count: Int

        package init(day: CivilDate, count: Int) {
            self.day = day
            self.count = count
        }
    }
}
