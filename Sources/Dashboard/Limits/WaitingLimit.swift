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
            words(entry.change, catalog).map { text in
                WaitingLimit(
                    id: entry.id.uuidString, name: entry.change.limited?.name(in: catalog), text: text,
                    takesEffect: clock.on(entry.due, from: now))
            }
        }
    }

    private static func words(_ change: PendingChange.Change, _ catalog: Catalog) -> String? {
        switch change {
        case .restricted, .windows, .removeWindowSet, .dateException, .removeDateException: nil
        case .limit(let limit): limit.words(in: catalog)
        case .removeLimit: "no limit"
        case .resetHour(let hour): "Day resets at \(TimeOfDay(hour: hour, minute: 0).text)"
        case .unlocksPerDay(let count): count.map { "\($0) unlocks per day" } ?? "Any number of unlocks"
        case .looseningDelay(let hours):
            hours == 0 ? "No delay before rules get easier" : "Delay before rules get easier: \(hours) hours"
        }
    }
}

extension UsageLimit {
    /// `60 min a day, Sat 90, Sun 90, 300 a week, without Duolingo`.
    func words(in catalog: Catalog) -> String {
        let days = Weekday.allCases.compactMap { day in minutesByDay[day].map { "\(day.short) \($0)" } }
        let week = weeklyMinutes.map { ["\($0) a week"] } ?? []
        let without = leftOut(in: catalog).map { ["without \($0)"] } ?? []
        return (["\(minutes) min a day"] + days + week + without).joined(separator: ", ")
    }

    /// `Anton and Duolingo`; nil if all apps count.
    func leftOut(in catalog: Catalog) -> String? {
        leavesOut.isEmpty ? nil : leavesOut.map { LimitTarget.app($0).name(in: catalog) }.sorted().listed
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
