package import Foundation

/// One night of a schedule; `start` belongs to it, `end` does not.
package struct Night: Hashable, Sendable {
    /// The civil date of its bedtime: 00:30 on Saturday is Saturday.
    package let date: CivilDate
    package let start: Date
    package let end: Date
    /// What the wall should show at `start`, before a change for one night only.
    package let bedtime: TimeOfDay
    package let wake: TimeOfDay

    package init(date: CivilDate, start: Date, end: Date, bedtime: TimeOfDay, wake: TimeOfDay) {
        self.date = date
        self.start = start
        self.end = end
        self.bedtime = bedtime
        self.wake = wake
    }

    package func contains(_ instant: Date) -> Bool { start <= instant && instant < end }
}

/// The nights that a schedule opens in a zone, with what was decided for the next one, without the one done.
package struct Nights: Sendable {
    package var schedule: RecurringSchedule
    package var zone: CivilZone
    package var tonight: TonightChange?
    package var done: CivilDate?

    package init(
        _ schedule: RecurringSchedule, in zone: CivilZone, tonight: TonightChange? = nil,
        done: CivilDate? = nil
    ) {
        self.schedule = schedule
        self.zone = zone
        self.tonight = tonight
        self.done = done
    }

    /// The night of a date with its change, done or not; nil: not enabled, not that weekday, skipped, or
    /// swallowed by a gap.
    package func night(on date: CivilDate) -> Night? {
        guard let planned = planned(on: date) else { return nil }
        guard let tonight, tonight.night == date else { return planned }
        switch tonight.kind {
        case .skip: return nil
        case .later: return planned.later(byMinutes: tonight.minutes) ?? planned
        }
    }

    /// As `night(on:)`, as if nothing was decided for it.
    package func planned(on date: CivilDate) -> Night? {
        guard schedule.isEnabled, schedule.days.contains(date.weekday) else { return nil }
        return span(on: date)
    }

    /// The night that an instant lies in, unless it is done.
    package func night(containing instant: Date) -> Night? {
        nights(around: instant, through: 1).first { $0.contains(instant) }
    }

    /// The first night that begins after an instant.
    package func nextNight(after instant: Date) -> Night? {
        nights(around: instant, through: Self.horizon).first { $0.start > instant }
    }

    /// Whole nights in order, one that is running first.
    package func upcoming(from instant: Date, count: Int) -> [Night] {
        var found: [Night] = []
        if count > 0, let running = night(containing: instant) { found.append(running) }
        var last = instant
        while found.count < count, let next = nextNight(after: last) {
            found.append(next)
            last = next.start
        }
        return found
    }

    /// The date of the latest night that begins before an instant, whatever weekdays are on.
    ///
    /// It says which night of *this* schedule a session belongs to that another version of it opened.
    func latestDate(startingBefore instant: Date) -> CivilDate? {
        let today = zone.date(of: instant)
        return (-2...1).reversed().lazy.map(today.adding(days:)).first { date in
            span(on: date).map { $0.start < instant } ?? false
        }
    }

    /// The same weekday three times and more: one can be skipped, one swallowed by a gap.
    private static let horizon = 28

    /// From a day before: a night reaches into the next day. Through a day after where one is looked for that
    /// runs: when midnight comes twice, tomorrow's 00:00 was already once today.
    private func nights(around instant: Date, through days: Int) -> some Sequence<Night> {
        let today = zone.date(of: instant)
        return (-1...days).lazy.map(today.adding(days:)).filter { !isDone($0) }.compactMap(night(on:))
    }

    /// The night before the one done is done too, also for a clock that went back; earlier or later ones are
    /// not, so that a clock that was years ahead for a moment costs no nights.
    func isDone(_ date: CivilDate) -> Bool {
        done == date || done == date.adding(days: 1)
    }

    /// The night of a date by its times only; nil when a gap swallows it whole.
    func span(on date: CivilDate) -> Night? {
        let times = schedule.times(on: date.weekday)
        let wakeDate = times.end > times.start ? date : date.adding(days: 1)
        let start = zone.instant(of: date, at: times.start)
        let end = zone.instant(of: wakeDate, at: times.end)
        guard start < end else { return nil }
        return Night(date: date, start: start, end: end, bedtime: times.start, wake: times.end)
    }
}

extension Night {
    /// The night with a later start; nil when that would be its end or past it.
    func later(byMinutes minutes: Int) -> Night? {
        let moved = start.addingTimeInterval(TimeInterval(minutes) * 60)
        guard minutes >= 0, moved < end else { return nil }
        return Night(date: date, start: moved, end: end, bedtime: bedtime, wake: wake)
    }
}

extension RecurringSchedule {
    /// Whole nights in order, one that is running first, as if nothing was decided for one of them.
    package func upcoming(from instant: Date, count: Int, in zone: CivilZone) -> [Night] {
        Nights(self, in: zone).upcoming(from: instant, count: count)
    }
}

extension Person {
    /// The nights of this person; nil without a schedule.
    package func nights(in zone: CivilZone) -> Nights? {
        schedule.map { Nights($0, in: zone, tonight: tonight, done: nightDone) }
    }
}
