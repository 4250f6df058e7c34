import Foundation
import Pages
import Policy

/// A day's blocked hours as a drawing of 1,440 minutes, and the same in words.
struct DayBar {
    struct Stretch {
        /// In minutes since midnight.
        let x: Int
        let width: Int
    }

    struct Period {
        /// `blocked-period-0`.
        let name: String
        let start: String
        let end: String
        /// In minutes since midnight, up to 1,440.
        let x: Int
        let width: Int
    }

    /// Tells a page's drawings apart.
    let id: String
    /// `Monday to Friday`.
    let days: String
    let periods: [Period]
    /// Saved without windows: blocked all day, without periods.
    let isAllDay: Bool
    /// `Blocked 00:00–12:00, 13:00–18:00 and 19:00–24:00.`, split into words that do not break. They end at 24:00, as
    /// the drawing does; the list of periods ends at 23:59.
    let words: [Substring]
    /// The part of this day in which the running override opens the apps.
    let override: Stretch?
    /// `00` to `24`, under the drawing.
    let hours = [0, 6, 12, 18, 24].map(ClockFace.style.axisText)
    /// Minutes since midnight; only on today's bar.
    let now: Int?

    /// One bar for all weekdays in `days`, of which the same is blocked.
    ///
    /// - Parameter isAllDay: whether all is blocked because there are no windows.
    init(
        days: Set<Weekday>, blocked: [BlockedPeriod], isAllDay: Bool, now: TimeOfDay? = nil,
        override: Stretch? = nil
    ) {
        id = (days.min() ?? .mon).rawValue
        self.days = days.words
        periods = blocked.map { period in
            Period(
                name: period.name, start: period.start.text, end: period.end.text,
                x: period.start.minuteOfDay, width: period.endMinute - period.start.minuteOfDay)
        }
        let spans = blocked.map {
            "\($0.start.text)–\($0.endMinute == 1_440 ? ClockFace.style.endOfDay : $0.end.text)"
        }
        words = (isAllDay ? "Blocked all day." : Self.words(spans)).split(separator: " ")
        self.now = now?.minuteOfDay
        self.override = override
        self.isAllDay = isAllDay
    }

    /// Today's bar, with the time now and the override.
    init(_ person: Person, _ set: WindowSet, at instant: Date, clock: ClockFace) {
        let today = clock.zone.date(of: instant)
        self.init(
            days: [today.weekday], blocked: person.blockedPeriods(of: set, on: today),
            isAllDay: set.windows == [] && person.dateExceptions.weekday(on: today) != nil,
            now: clock.zone.time(of: instant),
            override: person.antiRot.override.end(at: instant).map { end in
                let minute = { (instant: Date) in clock.zone.time(of: instant).minuteOfDay }
                let start = end.addingTimeInterval(-OverrideState.duration)
                let x = clock.zone.date(of: start) == today ? minute(start) : 0
                let until = clock.zone.date(of: end) == today ? minute(end) : 1_440
                return Stretch(x: x, width: max(0, until - x))
            })
    }

    /// One bar for each group of weekdays with the same periods.
    static func week(of set: WindowSet) -> [DayBar] {
        var groups: [(periods: [BlockedPeriod], days: Set<Weekday>)] = []
        for day in Weekday.allCases {
            let periods = set.blockedPeriods(on: day)
            if let index = groups.firstIndex(where: { $0.periods == periods }) {
                groups[index].days.insert(day)
            } else {
                groups.append((periods, [day]))
            }
        }
        return groups.map {
            DayBar(days: $0.days, blocked: $0.periods, isAllDay: set.windows == [])
        }
    }

    private static func words(_ spans: [String]) -> String {
        spans.isEmpty ? "Nothing is blocked." : "Blocked \(spans.listed)."
    }
}
