package import Foundation

/// A change that loosens a rule and waits. Tightening acts at once, loosening after the delay that the person chose.
package struct PendingChange: Hashable, Codable, Sendable, Identifiable {
    /// The possible waits, in hours; 0: none.
    package static let delays = [0, 8, 24]
    /// The longest wait, in seconds.
    static let longestDelay: TimeInterval = 24 * 3_600

    package enum Change: Hashable, Codable, Sendable {
        /// Of a set; nil: the first.
        case restricted(AppSelection, in: UUID? = nil)
        case windows([TimeWindow], in: UUID? = nil)
        case removeWindowSet(UUID)
        /// Replaces the limit with the same target, or adds a limit.
        case limit(UsageLimit)
        case removeLimit(LimitTarget)
        case resetHour(Int)
        case unlocksPerDay(Int?)
        case looseningDelay(hours: Int)
        case dateException(DateException)
        case removeDateException(UUID)

        /// What it changes: at most one change of each subject waits.
        package var subject: Subject {
            switch self {
            case .restricted(_, let set): .restricted(in: set)
            case .windows(_, let set): .windows(in: set)
            case .removeWindowSet(let set): .windowSet(set)
            case .limit(let limit): .limit(limit.target)
            case .removeLimit(let target): .limit(target)
            case .resetHour: .resetHour
            case .unlocksPerDay: .unlocksPerDay
            case .looseningDelay: .looseningDelay
            case .dateException(let exception): .dateException(exception.id)
            case .removeDateException(let id): .dateException(id)
            }
        }
    }

    package enum Subject: Hashable, Sendable {
        case resetHour, unlocksPerDay, looseningDelay
        case restricted(in: UUID?)
        case windows(in: UUID?)
        case windowSet(UUID)
        case limit(LimitTarget)
        case dateException(UUID)
    }

    package let id: UUID
    package var due: Date
    package var change: Change

    package init(id: UUID, due: Date, change: Change) {
        self.id = id
        self.due = due
        self.change = change
    }
}
