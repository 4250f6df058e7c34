package import Foundation

/// One night of a schedule; it includes `start` and excludes `end`.
package struct Night: Hashable, Sendable {
    /// The civil date of its bedtime: 00:30 on Saturday is Saturday.
    package let date: CivilDate
    package let start: Date
    package let end: Date
    /// What the wall should show at `start`, without a change for one night.
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

/// The nights that a schedule opens in a zone, with the change for the next night and without the night done.
package struct Nights: Sendable {
    package var schedule: RecurringSchedule
    package var zone: CivilZone
    package var tonight: TonightChange?
    package var done: CivilDate?
    package var exceptions: [DateException]

    package init(
        _ schedule: RecurringSchedule, in zone: CivilZone, tonight: TonightChange? = nil,
        done: CivilDate? = nil, except exceptions: [DateException] = []
    ) {
        self.schedule = schedule
        self.zone = zone
        self.tonight = tonight
        self.done = done
        self.exceptions = exceptions
    }

    /// The night of a date with its change, done or not. Nil if it is switched off, on another weekday, skipped, or
    /// swallowed by a gap.
    package func night(on date: CivilDate) -> Night? {
        guard let planned = planned(on: date) else { return nil }
        guard let tonight, tonight.night == date else { return planned }
        switch tonight.kind {
        case .skip: return nil
        case .later: return planned.moved(byMinutes: tonight.minutes) ?? planned
        }
    }

    /// Like `night(on:)`, but without the change for one night.
    package func planned(on date: CivilDate) -> Night? {
        guard schedule.isEnabled, hasNight(on: date), let night = span(on: date) else { return nil }
        // Only exceptions can have a night reach beyond the next bedtime (`RecurringSchedule.check`).
        let tomorrow = date.adding(days: 1)
        guard !exceptions.isEmpty, hasNight(on: tomorrow), let next = span(on: tomorrow),
            next.start < night.end
        else { return night }
        guard night.start < next.start else { return nil }
        return Night(
            date: date, start: night.start, end: next.start, bedtime: night.bedtime, wake: next.bedtime)
    }

    private func hasNight(on date: CivilDate) -> Bool {
        switch exceptions.night(on: date) {
        case nil: schedule.days.contains(date.weekday)
        case .weekday(let day): schedule.days.contains(day)
        case .times: true
        case .nothing: false
        }
    }

    private func times(on date: CivilDate) -> (start: TimeOfDay, end: TimeOfDay) {
        switch exceptions.night(on: date) {
        case .times(let start, let end): (start, end)
        case .weekday(let day): schedule.times(on: day)
        case .nothing, nil: schedule.times(on: date.weekday)
        }
    }

    /// The night that contains an instant, unless it is done.
    package func night(containing instant: Date) -> Night? {
        nights(around: instant, through: 1).first { $0.contains(instant) }
    }

    /// The first night that begins after an instant.
    package func nextNight(after instant: Date) -> Night? {
        nights(around: instant, through: Self.horizon + exceptions.reach).first { $0.start > instant }
    }

    /// Whole nights in order, beginning with the running one.
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

    /// The date of the latest night that begins before an instant, on any weekday.
    ///
    /// It finds the night of *this* schedule for a session that another version of the schedule opened.
    func latestDate(startingBefore instant: Date) -> CivilDate? {
        let today = zone.date(of: instant)
        return (-2...1).reversed().lazy.map(today.adding(days:)).first { date in
            span(on: date).map { $0.start < instant } ?? false
        }
    }

    /// Days. The same weekday comes at least three times: one may be skipped, one swallowed by a gap.
    private static let horizon = 28

    /// Begins a day before, because a night reaches into the next day. A search for the running night goes on to a day
    /// after: if midnight comes twice, tomorrow's 00:00 has already happened today.
    private func nights(around instant: Date, through days: Int) -> some Sequence<Night> {
        let today = zone.date(of: instant)
        return (-1...days).lazy.map(today.adding(days:)).filter { !isDone($0) }.compactMap(night(on:))
    }

    /// The night before the night done is done too, also for a clock that went back. Other nights are not, so that a
    /// clock that was years ahead for a moment costs no nights.
    func isDone(_ date: CivilDate) -> Bool {
        done == date || done == date.adding(days: 1)
    }

    /// The night of a date by its times only; nil if a gap swallows all of it.
    func span(on date: CivilDate) -> Night? {
        let times = times(on: date)
        guard let span = zone.clock(on: date).span(from: times.start, to: times.end) else { return nil }
        return Night(
            date: date, start: span.lowerBound, end: span.upperBound, bedtime: times.start, wake: times.end)
    }
}

extension Night {
    /// The night with another start; nil if that is not before its end.
    func moved(byMinutes minutes: Int) -> Night? {
        let moved = start.addingTimeInterval(TimeInterval(minutes) * 60)
        guard moved < end else { return nil }
        return Night(date: date, start: moved, end: end, bedtime: bedtime, wake: wake)
    }
}

extension Person {
    /// The nights of this person; nil without a schedule.
    package func nights(in zone: CivilZone) -> Nights? {
        schedule.map {
            Nights($0, in: zone, tonight: tonight, done: nightDone, except: dateExceptions)
        }
    }

    /// The nights as planned: without the change for one night, and with a night that was left.
    package func plannedNights(in zone: CivilZone) -> Nights? {
        schedule.map { Nights($0, in: zone, except: dateExceptions) }
    }
}
