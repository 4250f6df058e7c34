package import Foundation

// After damage two records of one household may differ, and nobody can tell which of them is right.

extension Household {
    /// These rules, and for each person the stricter of both records' running sessions: damage may open nothing.
    package func takingStricterSessions(of other: Household, at now: Date) -> Household {
        var result = self
        for index in result.people.indices {
            guard let theirs = other[person: people[index].id]?.runningSession(at: now),
                theirs.isStricter(than: people[index].runningSession(at: now))
            else { continue }
            result.people[index].session = theirs
        }
        return result
    }
}

extension SleepSession {
    /// In seconds: a night is shorter than a day, and a clock that is set back at its end makes it an hour longer.
    static let longest: TimeInterval = 25 * 3600

    /// Strict is stricter than flexible; of two alike it is the one that ends later.
    func isStricter(than other: SleepSession?) -> Bool {
        guard let other else { return true }
        guard strictness == other.strictness else { return strictness == .strict }
        return due > other.due
    }

    /// Whether a rule can have made it so; what was stored otherwise is damaged.
    package var isWhole: Bool {
        guard isActive, strictness == .flexible || cancelsAt == nil else { return false }
        return mode.agrees(with: endsAt.timeIntervalSince(startedAt))
    }

    /// What a damaged record counts as: strict, and nobody cancels it.
    package var asStrict: SleepSession {
        SleepSession(
            id: id, mode: mode, strictness: .strict, startedAt: startedAt, endsAt: endsAt, allowed: allowed,
            night: night)
    }

    /// What a record still tells that is not whole, as a strict session until its last known end.
    ///
    /// Where its instants and its mode say two things, that is the later end; where its instants are too far apart for a
    /// session, its whole length after it is known to have run (`lastInstant`) is enough.
    package static func mended(
        id: UUID, mode: ScheduleMode?, startedAt: Date, endsAt: Date, allowed: AppSelection,
        night: CivilDate?,
        lastInstant: Date?
    ) -> SleepSession {
        let length = mode?.length ?? longest
        let span = endsAt.timeIntervalSince(startedAt)
        var (start, end) = (startedAt, endsAt)
        if !(mode?.agrees(with: span) ?? (span > 0 && span <= longest)) {
            end = max(endsAt, startedAt + length)
            if span <= 0 || span > longest { end = min(end, (lastInstant ?? startedAt) + length) }
            start = min(max(startedAt, end - longest), end - length)
        }
        let isFitting = mode?.agrees(with: end.timeIntervalSince(start)) ?? false
        let minutes = Int((end.timeIntervalSince(start) / 60).rounded(.up))
        return SleepSession(
            id: id, mode: mode.flatMap { isFitting ? $0 : nil } ?? .manual(durationMinutes: minutes),
            strictness: .strict, startedAt: start, endsAt: end, allowed: allowed, night: night)
    }
}

extension ScheduleMode {
    /// In seconds; nil: none that a session can have.
    fileprivate var length: TimeInterval? {
        switch self {
        case .manual(let minutes): (1...1500).contains(minutes) ? TimeInterval(minutes) * 60 : nil
        case .recurring(let startHour, let startMinute, let endHour, let endMinute):
            TimeInterval((endHour * 60 + endMinute - startHour * 60 - startMinute + 1440) % 1440) * 60
        }
    }

    /// Whether a session of this mode can last so long, in seconds. A night may have been moved, or meet another hour.
    fileprivate func agrees(with span: TimeInterval) -> Bool {
        guard span > 0, span <= SleepSession.longest, let length else { return false }
        if case .manual = self { return abs(span - length) <= 60 }
        return true
    }
}
