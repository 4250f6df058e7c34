package import Foundation

// After damage, two records of one household may differ, and nothing shows which of them is right.

extension SleepSession {
    /// In seconds. A night is shorter than a day; a clock set back at its end makes it an hour longer.
    static let longest: TimeInterval = 25 * 3600

    /// The first, unless the other one runs and is stricter: damage may open nothing.
    package static func stricter(_ one: SleepSession?, _ other: SleepSession?, at now: Date) -> SleepSession?
    {
        guard let other, other.isRunning(at: now) else { return one }
        return other.isStricter(than: one.flatMap { $0.isRunning(at: now) ? $0 : nil }) ? other : one
    }

    /// Strict is stricter than flexible; of two equal ones, the later end is stricter.
    private func isStricter(than other: SleepSession?) -> Bool {
        guard let other else { return true }
        guard strictness == other.strictness else { return strictness == .strict }
        return due > other.due
    }

    /// Whether a rule can have made this session; otherwise its record is damaged.
    package var isWhole: Bool {
        guard isActive, strictness == .flexible || cancelsAt == nil else { return false }
        return mode.agrees(with: endsAt.timeIntervalSince(startedAt))
    }

    /// Reads a damaged record as a session until its last known end, without a cancel. If its strictness cannot be read,
    /// it is strict.
    ///
    /// If its instants and its mode contradict each other, the later end counts. If its instants are too far apart for
    /// a session, it lasts its whole length after the last instant at which it is known to have run (`lastInstant`).
    package static func mended(
        id: UUID, mode: ScheduleMode?, strictness: StrictnessMode?, startedAt: Date, endsAt: Date,
        allowed: AppSelection,
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
            strictness: strictness ?? .strict, startedAt: start, endsAt: end, allowed: allowed, night: night)
    }
}

extension ScheduleMode {
    /// In seconds; nil if no session can last so long.
    fileprivate var length: TimeInterval? {
        switch self {
        case .manual(let minutes): (1...1500).contains(minutes) ? TimeInterval(minutes) * 60 : nil
        case .recurring(let startHour, let startMinute, let endHour, let endMinute)
        where [startHour, endHour].allSatisfy((0...23).contains)
            && [startMinute, endMinute].allSatisfy((0...59).contains):
            TimeInterval((endHour * 60 + endMinute - startHour * 60 - startMinute + 1440) % 1440) * 60
        case .recurring: nil
        }
    }

    /// Whether a session of this mode can last so long, in seconds. A night may have been moved, or gain an hour.
    fileprivate func agrees(with span: TimeInterval) -> Bool {
        guard span > 0, span <= SleepSession.longest, let length else { return false }
        if case .manual = self { return abs(span - length) <= 60 }
        return true
    }
}
