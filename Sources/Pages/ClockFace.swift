package import Foundation
package import Policy

/// How instants are written on pages: in one zone, and in the reader's own 12 or 24 hours.
package struct ClockFace: Sendable {
    /// What the reader of this task's page is used to. Set once, where a request for a page comes in, so that no page can
    /// forget it; programs, and all else that is no page, have 24 hours.
    @TaskLocal package static var style = ClockStyle.twentyFourHours

    package let zone: CivilZone

    package init(zone: TimeZone) { self.zone = CivilZone(zone.identifier) ?? .utc }

    /// `07:00` or `7:00 AM`.
    package func time(_ instant: Date) -> String { zone.time(of: instant).text }

    /// `Tonight at 22:00`, `Today at 13:00`, `Tomorrow at 22:00`, `Saturday at 22:00`: a coming bedtime.
    package func coming(_ instant: Date, from now: Date) -> String {
        if isTonight(instant, from: now) {
            let isDay = (4..<17).contains(zone.time(of: instant).hour)
            return "\(isDay ? "Today" : "Tonight") at \(time(instant))"
        }
        let date = zone.date(of: instant)
        let isTomorrow = date == zone.date(of: now).adding(days: 1)
        return "\(isTomorrow ? "Tomorrow" : date.weekday.displayName) at \(time(instant))"
    }

    /// `until 18:00`, `until tomorrow at 12:00`, `until Monday at 12:00`: the end of what holds now.
    package func until(_ instant: Date, from now: Date) -> String {
        let (today, date) = (zone.date(of: now), zone.date(of: instant))
        if date == today { return "until \(time(instant))" }
        if date == today.adding(days: 1) { return "until tomorrow at \(time(instant))" }
        let isNextWeek = date == today.adding(days: 7)
        return "until \(isNextWeek ? "next " : "")\(date.weekday.displayName) at \(time(instant))"
    }

    /// `today at 21:40`, `tomorrow at 21:40`, `on Sunday at 21:40`, a week ahead `next Sunday at 21:40`.
    package func on(_ instant: Date, from now: Date) -> String {
        let (today, date) = (zone.date(of: now), zone.date(of: instant))
        if date == today { return "today at \(time(instant))" }
        if date == today.adding(days: 1) { return "tomorrow at \(time(instant))" }
        let isFar = date >= today.adding(days: 7)
        return "\(isFar ? "next" : "on") \(date.weekday.displayName) at \(time(instant))"
    }

    /// `today at 21:40`, `yesterday at 21:40`, `on Friday at 21:40` within the week, `on 2026-03-02 at 21:40`.
    package func past(_ instant: Date, from now: Date) -> String {
        let (today, date) = (zone.date(of: now), zone.date(of: instant))
        if date == today { return "today at \(time(instant))" }
        if date == today.adding(days: -1) { return "yesterday at \(time(instant))" }
        if date < today, today.adding(days: -7) < date {
            return "on \(date.weekday.displayName) at \(time(instant))"
        }
        return "on \(date) at \(time(instant))"
    }

    /// `today`, `tomorrow`, `yesterday`, else `on 2026-03-02`: a day without a time.
    package func day(_ instant: Date, from now: Date) -> String {
        let (today, date) = (zone.date(of: now), zone.date(of: instant))
        if date == today { return "today" }
        if date == today.adding(days: 1) { return "tomorrow" }
        return date == today.adding(days: -1) ? "yesterday" : "on \(date)"
    }

    /// Whether an instant belongs to the current day or night.
    package func isTonight(_ instant: Date, from now: Date) -> Bool {
        zone.isTonight(instant, from: now)
    }

    /// The nights of a schedule in this zone.
    package func nights(
        _ schedule: RecurringSchedule, tonight: TonightChange?, except exceptions: [DateException]
    ) -> Nights {
        Nights(schedule, in: zone, tonight: tonight, except: exceptions)
    }

    /// The contract's format, for scripts that count down.
    package static func iso(_ instant: Date) -> String { instant.instantText }

    /// Whole seconds from one instant to a later one, rounded up; never negative.
    ///
    /// Tolerates a millisecond: stored instants are rounded to it.
    package static func seconds(from now: Date, to end: Date) -> Int {
        max(0, Int((end.timeIntervalSince(now) - 0.001).rounded(.up)))
    }
}

extension TimeOfDay {
    /// As the reader is used to; `description` is what forms, programs and logs have.
    package var text: String { text(in: ClockFace.style) }
}
