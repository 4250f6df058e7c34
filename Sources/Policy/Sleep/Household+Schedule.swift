package import Foundation

extension RecurringSchedule {
    /// One set of other times for each weekday.
    package static let maximumExceptions = 7

    /// Refuses equal times, a schedule without weekdays, and nights that overlap the next one.
    package func check() throws(Refusal) {
        guard start != end else { throw .sameTimes }
        guard !days.isEmpty else { throw .noWeekdays }
        guard exceptions.count <= Self.maximumExceptions else { throw .tooManyExceptions }
        for exception in exceptions {
            guard exception.start != exception.end else { throw .sameTimes }
            guard !exception.days.isEmpty else { throw .exceptionWithoutWeekdays }
        }
        for day in Weekday.allCases where days.contains(day) && days.contains(day.next) {
            let times = times(on: day)
            guard !times.end.isNextDay(after: times.start) || times.end <= self.times(on: day.next).start
            else {
                throw .nightsOverlap(day)
            }
        }
    }
}

extension Household {
    /// Saves the nightly schedule. A running session stays as it is: the change stops or moves
    /// the next night. A schedule that is switched on within its window takes effect when the household is settled, or
    /// with `beginning` tomorrow: then the night that it would open counts as done.
    package mutating func saveSchedule(
        _ id: PersonID, _ schedule: RecurringSchedule, beginning: ScheduleBeginning = .now, at now: Date
    ) throws(Refusal) {
        let index = try index(of: id)
        try schedule.check()
        let zone = self.zone
        let old = people[index].nights(in: zone)
        people[index].schedule = schedule
        people[index].redateNightDone(from: old, to: people[index].nights(in: zone))
        people[index].dropTonight(unlessPendingAt: now, in: zone)
        if beginning == .tomorrow, people[index].runningSession(at: now) == nil,
            let night = people[index].nights(in: zone)?.night(containing: now)
        {
            people[index].nightDone = night.date
        }
    }

    /// The night that a schedule would open at once, because it is saved inside its own hours; nil if it opens none.
    package func nightBegun(bySaving schedule: RecurringSchedule, for id: PersonID, at now: Date) -> Night? {
        var saved = self
        guard self[person: id]?.runningSession(at: now) == nil,
            (try? saved.saveSchedule(id, schedule, at: now)) != nil
        else { return nil }
        return saved[person: id]?.nights(in: zone)?.night(containing: now)
    }

    /// Skips the next night, begins it 30 minutes later with each press, or undoes such a change.
    package mutating func changeTonight(
        _ id: PersonID, _ change: TonightChange.Press, at now: Date
    ) throws(Refusal) {
        let index = try index(of: id)
        guard let night = try people[index].nightToChange(at: now, in: zone) else { throw .noNightPlanned }
        let pending = people[index].tonight.flatMap { $0.night == night.date ? $0 : nil }
        var wanted: TonightChange?
        switch change {
        case .clear: break
        case .skip: wanted = TonightChange(night: night.date, kind: .skip)
        case .later:
            let minutes = (pending?.minutes ?? 0) + TonightChange.step
            guard pending.canBeLater else { throw .laterUsedUp }
            guard night.moved(byMinutes: minutes) != nil else { throw .nightTooShort }
            // Back at the planned bedtime, nothing is changed.
            wanted =
                minutes == 0
                ? nil
                : TonightChange(
                    night: night.date, kind: .later, minutes: minutes, isPause: pending?.isPause ?? false)
        }
        try people[index].guardWaiting(night, from: pending, to: wanted, at: now)
        people[index].tonight = wanted
    }
}

extension Household {
    /// Has the next night begin at another time, earlier or later than planned: whichever is nearer.
    package mutating func moveTonight(
        _ id: PersonID, to time: TimeOfDay, at now: Date
    ) throws(Refusal) {
        let index = try index(of: id)
        guard let night = try people[index].nightToChange(at: now, in: zone) else { throw .noNightPlanned }
        let pending = people[index].tonight.flatMap { $0.night == night.date ? $0 : nil }
        let away = (-1...1).map { days in
            zone.instant(of: night.date.adding(days: days), at: time).timeIntervalSince(night.start)
        }
        let minutes = Int(((away.min { abs($0) < abs($1) } ?? 0) / 60).rounded())
        guard now < night.start.addingTimeInterval(TimeInterval(minutes) * 60) else { throw .bedtimeOver }
        guard night.moved(byMinutes: minutes) != nil else { throw .nightTooShort }
        let wanted =
            minutes == 0 ? nil : TonightChange(night: night.date, kind: .later, minutes: minutes)
        try people[index].guardWaiting(night, from: pending, to: wanted, at: now)
        people[index].tonight = wanted
    }
}

/// When a schedule begins that is saved inside its own hours.
package enum ScheduleBeginning: String, Sendable { case now, tomorrow }

extension TonightChange {
    /// The buttons for a coming night.
    package enum Press: String, Codable, Sendable, CaseIterable { case skip, later, clear }

    /// How far one press moves the night, in minutes.
    package static let step = 30
    /// How often one night can be moved.
    package static let mostSteps = 3
}

extension TonightChange? {
    /// Whether another press may move the night. A pause has no limit: it ends in a night that was on already.
    package var canBeLater: Bool {
        guard let change = self else { return true }
        return change.isPause || change.minutes < TonightChange.step * TonightChange.mostSteps
    }
}

extension Person {
    /// The night that a change made now would affect, as planned; nil if none is coming.
    ///
    /// That is the night that was changed already and is still to come, else the running one (which is refused), else
    /// the next. A night that is done, because it was left, does not count.
    func nightToChange(at now: Date, in zone: CivilZone) throws(Refusal) -> Night? {
        guard let nights = nights(in: zone) else { return nil }
        if let tonight, !nights.isDone(tonight.night), let planned = nights.planned(on: tonight.night),
            now < planned.end
        {
            guard now < (nights.night(on: tonight.night) ?? planned).start else { throw .nightBegun }
            return planned
        }
        guard let next = nights.nextNight(after: now) else { return nil }
        if nights.night(containing: now) != nil { throw .nightBegun }
        return next
    }
}
