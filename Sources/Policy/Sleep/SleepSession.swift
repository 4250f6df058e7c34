package import Foundation

/// A stretch of time in which everything but the allowed apps is blocked for one person.
package struct SleepSession: Hashable, Codable, Sendable, Identifiable {
    package let id: UUID
    package let mode: ScheduleMode
    package let strictness: StrictnessMode
    package let startedAt: Date
    /// When it ends by itself. Only a parent moves it for a child, and only to an earlier time.
    package let endsAt: Date
    package var isActive: Bool
    /// When a cancel takes effect; nil if none runs.
    package var cancelsAt: Date?
    /// How the night goes on after a cancel that wakes only for a while; nil: it does not.
    @Defaulted package var pause: TonightChange?
    /// What was allowed when it started; later edits open nothing.
    package let allowed: AppSelection
    /// The bedtime's civil date for a `.recurring` session; nil for a manual one.
    package let night: CivilDate?

    package init(
        id: UUID, mode: ScheduleMode, strictness: StrictnessMode, startedAt: Date, endsAt: Date,
        isActive: Bool = true, cancelsAt: Date? = nil, pause: TonightChange? = nil,
        allowed: AppSelection, night: CivilDate? = nil
    ) {
        self.id = id
        self.mode = mode
        self.strictness = strictness
        self.startedAt = startedAt
        self.endsAt = endsAt
        self.isActive = isActive
        self.cancelsAt = cancelsAt
        self.pause = pause
        self.allowed = allowed
        self.night = night
    }
}
