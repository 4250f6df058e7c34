package import Foundation

extension Household {
    /// The zone of every wall-clock time in this household; UTC if the stored name is no longer a zone.
    package var zone: CivilZone { CivilZone(timeZone) ?? .utc }

    /// Brings everybody to `now`. Ends what is due, also what fell due unnoticed, and opens the night that runs; applies
    /// changes that waited; ends overrides and probations; writes down which limits are reached; completes focus timers
    /// that came to 0 (`Focus.finished`); releases devices whose person has left; and tells of ways out. A second call at
    /// the same instant changes nothing.
    ///
    /// - Parameter before: the household before a rule was changed at `now`. A night that only this change opens begins
    ///   now, not at a bedtime that was not set yet.
    package mutating func settle(
        at now: Date, usage: UsageTotals = .none, before: Household? = nil,
        newID: () -> UUID
    ) -> [SessionEvent] {
        var events: [SessionEvent] = []
        // Found first, then changed: a loop that may change any of them copies all of them, and people and devices that
        // stay the same array compare at once.
        for (index, person) in settled(at: now, usage, before: before, newID: newID, into: &events) {
            people[index] = person
        }
        for index in devices.indices.filter({ devices[$0].isAwaitingAnEnd }) {
            devices[index].settleHelp(at: now)
            devices[index].settleTry(at: now)
            settleDeparture(index, at: now)
        }
        for index in devices.indices where !devices[index].waysOut.isEmpty { settleWaysOut(index, at: now) }
        return events
    }

    /// The people who differ once they are settled.
    private func settled(
        at now: Date, _ usage: UsageTotals, before: Household?, newID: () -> UUID,
        into events: inout [SessionEvent]
    ) -> [(index: Int, person: Person)] {
        let zone = self.zone
        return people.indices.compactMap { index in
            var person = people[index]
            person.settleDates(
                at: now, in: zone, allowed: { allowedSnapshot(of: people[index]) }, newID: newID,
                into: &events)
            person.settle(
                at: now, in: zone, allowed: allowedSnapshot(of: people[index]),
                since: before.flatMap { $0.isNight(of: people[index].id, at: now) ? nil : now }, newID: newID,
                into: &events)
            person.settlePending(at: now)
            person.antiRot.settle(at: now)
            person.settleLimits(at: now, in: zone, usage: usage)
            person.focus.settle(at: now)
            person.settleWishes(at: now, in: zone)
            return person == people[index] ? nil : (index, person)
        }
    }

    /// Whether an instant lies in a person's night as it is planned.
    private func isNight(of id: PersonID, at now: Date) -> Bool {
        self[person: id]?.nights(in: zone)?.night(containing: now) != nil
    }
}

extension Device {
    /// Whether Help, a try or a departure runs on it.
    var isAwaitingAnEnd: Bool { helpUntil != nil || tryUntil != nil || departure != nil }
}

extension Person {
    /// The order matters: an ended session makes room for the night, and an ended night is done before it can begin
    /// again.
    ///
    /// - Parameters:
    ///   - allowed: asked for only if a night opens.
    ///   - since: the same; when that night's session begins, nil: at its bedtime.
    fileprivate mutating func settle(
        at now: Date, in zone: CivilZone, allowed: @autoclosure () -> AppSelection,
        since: @autoclosure () -> Date?, newID: () -> UUID, into events: inout [SessionEvent]
    ) {
        shortenCancel(at: now)
        if let ended = endSession(at: now, in: zone) { events.append(ended) }
        dropTonight(unlessPendingAt: now, in: zone)
        guard session == nil, let schedule, let night = nights(in: zone)?.night(containing: now) else {
            return
        }
        let opened = SleepSession.recurring(
            id: newID(), night: night, strictness: schedule.strictness, allowed: allowed(),
            since: since())
        session = opened
        events.append(SessionEvent(kind: .started, person: id, session: opened, instant: opened.startedAt))
    }

    /// Applies exceptions that waited, each when it fell due: from then on they change nights, also while nobody looks.
    fileprivate mutating func settleDates(
        at now: Date, in zone: CivilZone, allowed: () -> AppSelection, newID: () -> UUID,
        into events: inout [SessionEvent]
    ) {
        let dues = pending.filter { $0.due <= now && $0.change.ruleSubject == .dateExceptions }.map(\.due)
        for due in Set(dues).sorted() {
            settle(at: due, in: zone, allowed: allowed(), since: nil, newID: newID, into: &events)
            let wasNight = nights(in: zone)?.night(containing: due) != nil
            settlePending(at: due)
            // A night that only this exception opens begins with it.
            guard !wasNight else { continue }
            settle(at: due, in: zone, allowed: allowed(), since: due, newID: newID, into: &events)
        }
    }

    /// A cancel never takes longer than its delay, even if the clock was set back since the press.
    private mutating func shortenCancel(at now: Date) {
        guard let cancelsAt = session?.cancelsAt else { return }
        session?.cancelsAt = min(cancelsAt, now + SleepSession.cancelDelay)
    }

    /// Ends the session that is over; nil if none is.
    private mutating func endSession(at now: Date, in zone: CivilZone) -> SessionEvent? {
        guard let session, !session.isRunning(at: now) || session.isFromTheFuture(at: now) else { return nil }
        self.session = nil
        guard session.isActive else { return nil }
        // A session that a wrong clock made up is not a night that was slept.
        let isCancelled = now >= session.due && session.due < session.endsAt
        let pause = isCancelled ? session.pause : nil
        if let pause { tonight = pause } else if now >= session.due { markDone(session, in: zone) }
        let reason: SessionEvent.Reason = pause != nil ? .paused : isCancelled ? .cancelled : .elapsed
        return SessionEvent(
            kind: .ended(reason: reason), person: id, session: session, instant: min(now, session.due))
    }

    /// Marks the night of an ended session as done; a manual session has none.
    ///
    /// If the schedule changed meanwhile, this is the night of the new schedule that begins before the session was to
    /// end. So a night that was moved by an hour is done, and tonight is not done after a nap this afternoon.
    mutating func markDone(_ session: SleepSession, in zone: CivilZone) {
        guard let night = session.night else { return }
        nightDone = nights(in: zone)?.latestDate(startingBefore: session.endsAt) ?? night
    }

    /// Gives the night done the date that it has in another schedule or zone.
    mutating func redateNightDone(from old: Nights?, to new: Nights?) {
        guard let nightDone, let over = old?.span(on: nightDone)?.end else { return }
        self.nightDone = new?.latestDate(startingBefore: over) ?? nightDone
    }

    /// Drops the change for one night with that night: when the night is over or done, is no longer planned, or has
    /// become too short to be moved so far.
    mutating func dropTonight(unlessPendingAt now: Date, in zone: CivilZone) {
        guard let tonight else { return }
        guard let nights = nights(in: zone), !nights.isDone(tonight.night),
            let night = nights.planned(on: tonight.night), now < night.end,
            tonight.kind == .skip || night.moved(byMinutes: tonight.minutes) != nil
        else {
            self.tonight = nil
            return
        }
    }
}

extension SleepSession {
    /// Whether the clock was ahead when this session began and has gone back since.
    ///
    /// A night's session then waits for its true bedtime; only a small step is tolerated. A manual session keeps its
    /// end, unless it would last for days: none is longer than 8 hours.
    fileprivate func isFromTheFuture(at now: Date) -> Bool {
        let ahead = startedAt.timeIntervalSince(now)
        return ahead > (night == nil ? 86_400 : 60)
    }
}
