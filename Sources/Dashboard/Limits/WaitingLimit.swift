import Foundation
import Pages
import Policy

/// A loosening change of limits or of their shared settings that waits: POST `/limits/changes/{id}/drop` drops it.
struct WaitingLimit {
    let id: String
    /// `TikTok`; nil if it is about all limits.
    let name: String?
    /// `60 min a day, 300 a week`, `no limit`, `Day resets at 04:00`.
    let text: String
    /// `today at 21:40`, `on Saturday at 21:40`.
    let takesEffect: String

    /// In the order in which they take effect; changes of windows and apps are on Anti-Rot's pages.
    static func all(of person: Person, catalog: Catalog, clock: ClockFace, now: Date) -> [WaitingLimit] {
        person.pending.compactMap { entry in
            words(entry.change).map { text in
                WaitingLimit(
                    id: entry.id.uuidString, name: entry.change.limited?.name(in: catalog), text: text,
                    takesEffect: clock.on(entry.due, from: now))
            }
        }
    }

    private static func words(_ change: PendingChange.Change) -> String? {
        switch change {
        case .restricted, .windows, .dateException, .removeDateException: nil
        case .limit(let limit): limit.words
        case .removeLimit: "no limit"
        case .resetHour(let hour): "Day resets at \(TimeOfDay(hour: hour, minute: 0).text)"
        case .unlocksPerDay(let count): count.map { "\($0) unlocks per day" } ?? "Any number of unlocks"
        case .looseningDelay(let hours):
            hours == 0 ? "No delay before rules get easier" : "Delay before rules get easier: \(hours) hours"
        }
    }
}

extension UsageLimit {
    /// `60 min a day, Sat 90, Sun 90, 300 a week`.
    var words: String {
        let days = Weekday.allCases.compactMap { day in minutesByDay[day].map { "\(day.short) \($0)" } }
        let week = weeklyMinutes.map { ["\($0) a week"] } ?? []
        return (["\(minutes) min a day"] + days + week).joined(separator: ", ")
    }
}

extension PendingChange.Change {
    /// The app or category whose limit it changes.
    fileprivate var limited: LimitTarget? {
        switch self {
        case .limit(let limit): limit.target
        case .removeLimit(let target): target
        default: nil
        }
    }
}
