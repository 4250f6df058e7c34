package import Foundation

// Every command expects a household settled to the same instant, and changes nothing when it throws.

extension Household {
    /// Starts a manual session with what is allowed now; only one at a time.
    @discardableResult
    package mutating func startSession(
        _ id: PersonID, durationMinutes: Int, strictness: StrictnessMode, id session: UUID, at now: Date
    ) throws(Refusal) -> SessionEvent {
        let index = try index(of: id)
        guard SleepSession.durations.contains(durationMinutes) else { throw .unknownDuration }
        guard people[index].runningSession(at: now) == nil else { throw .sessionRunning }
        let started = SleepSession.manual(
            id: session, durationMinutes: durationMinutes, strictness: strictness, at: now,
            allowed: allowedSnapshot(of: people[index]))
        people[index].session = started
        return SessionEvent(kind: .started, person: id, session: started, instant: now)
    }

    /// Ends a flexible session in 30 seconds; a second press does not restart them.
    package mutating func beginCancel(_ id: PersonID, at now: Date) throws(Refusal) {
        let index = try index(of: id)
        guard let session = people[index].runningSession(at: now) else { throw .noSession }
        guard session.strictness == .flexible else { throw .strictSession }
        people[index].session?.pause = nil
        guard session.cancelsAt == nil else { return }
        people[index].session?.cancelsAt = now.addingTimeInterval(SleepSession.cancelDelay)
    }

    /// Takes a cancel back; does nothing if no cancel runs.
    package mutating func keepSleeping(_ id: PersonID, at now: Date) throws(Refusal) {
        let index = try index(of: id)
        guard people[index].runningSession(at: now) != nil else { throw .noSession }
        people[index].session?.cancelsAt = nil
        people[index].session?.pause = nil
    }

    /// A parent lets a child wake earlier: the running flexible session ends when the clock shows `time` next. A night in
    /// which that is ends with it, so a strict one is not shortened through a flexible session by hand either.
    mutating func endSession(of id: PersonID, at time: TimeOfDay, _ now: Date) throws(Refusal) {
        let index = try index(of: id)
        guard let session = people[index].runningSession(at: now) else { throw .noSession }
        guard session.strictness == .flexible else { throw .strictSession }
        guard people[index].role != .adult else { throw .onlyForChildren }
        let today = zone.date(of: now)
        let end = (0...1).map { zone.instant(of: today.adding(days: $0), at: time) }.first { $0 > now }
        guard let end, end < session.endsAt else { throw .noEarlierEnd }
        let night = people[index].nights(in: zone)?.night(containing: end)?.date
        if session.night == nil, night != nil, people[index].schedule?.strictness == .strict {
            throw .strictSession
        }
        people[index].session = session.ending(at: end, night: session.night ?? night)
    }

    /// Ends a session of any mode at once. A night that runs is done, even if the session was manual; the
    /// schedule stays on.
    @discardableResult
    package mutating func emergencyReset(_ id: PersonID, at now: Date) throws(Refusal) -> SessionEvent {
        let index = try index(of: id)
        guard let session = people[index].runningSession(at: now) else { throw .noSession }
        let zone = self.zone
        people[index].session = nil
        people[index].markDone(session, in: zone)
        if let night = people[index].nights(in: zone)?.night(containing: now) {
            people[index].nightDone = night.date
        }
        return SessionEvent(kind: .ended(reason: .reset), person: id, session: session, instant: now)
    }

    /// Sets the default strictness of new sessions; a running one keeps its own.
    package mutating func setDefaultStrictness(
        _ id: PersonID, to strictness: StrictnessMode
    ) throws(Refusal) {
        people[try index(of: id)].defaultStrictness = strictness
    }

    /// What a session that starts now allows until it ends. The shelf of own apps becomes the apps on it
    /// now, so that an app added later opens nothing.
    package func allowedSnapshot(of person: Person) -> AppSelection {
        var allowed = person.allowed
        if allowed.categories.remove(Category.own.id) != nil {
            allowed.apps.formUnion(ownApps.map(\.id))
        }
        return allowed
    }

    func index(of id: PersonID) throws(Refusal) -> Int {
        guard let index = people.firstIndex(where: { $0.id == id }) else { throw .unknownPerson }
        return index
    }
}

extension Person {
    /// The session that blocks at an instant.
    package func runningSession(at now: Date) -> SleepSession? {
        session.flatMap { $0.isRunning(at: now) ? $0 : nil }
    }

    /// When the running session lets go if nothing is cancelled; nil if none runs.
    ///
    /// A session by hand that ends inside a night is followed by that night, so the night's end is what people
    /// are told and what countdowns run to.
    package func asleepUntil(at now: Date, in zone: CivilZone) -> Date? {
        guard let session = runningSession(at: now) else { return nil }
        guard session.night == nil else { return session.endsAt }
        return nights(in: zone)?.night(containing: session.endsAt)?.end ?? session.endsAt
    }
}
