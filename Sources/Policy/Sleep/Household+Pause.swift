package import Foundation

extension SleepSession {
    /// How long "30 more minutes" wakes somebody in the night, in seconds.
    package static let pauseLength: TimeInterval = 30 * 60
}

extension Household {
    /// "30 more minutes, then sleep again": ends a flexible session after the delay of every cancel, and has
    /// the night begin again half an hour later, on the whole minute.
    ///
    /// It needs a night that is still on by then. A strict session stays, and a strict schedule is not put off
    /// from within a session by hand: without a pause, its night would follow at once.
    package mutating func wakeForAWhile(_ id: PersonID, at now: Date) throws(Refusal) {
        let index = try index(of: id)
        guard let session = people[index].runningSession(at: now) else { throw .noSession }
        guard session.strictness == .flexible else { throw .strictSession }
        guard let pause = people[index].pauseOffered(at: now, in: zone) else { throw .noNightToSleepOn }
        people[index].session?.cancelsAt = session.cancelsAt ?? now + SleepSession.cancelDelay
        people[index].session?.pause = pause
    }
}

extension Person {
    /// How the night would go on if somebody pressed "30 more minutes" now; nil if that is refused.
    package func pauseOffered(at now: Date, in zone: CivilZone) -> TonightChange? {
        guard let session = runningSession(at: now), session.strictness == .flexible,
            schedule?.strictness == .flexible, let nights = nights(in: zone)
        else { return nil }
        let again = (session.cancelsAt ?? now + SleepSession.cancelDelay) + SleepSession.pauseLength
        guard let night = nights.night(containing: again), let planned = nights.planned(on: night.date)
        else { return nil }
        let minutes = Int((again.timeIntervalSince(planned.start) / 60).rounded(.up))
        guard planned.moved(byMinutes: minutes) != nil else { return nil }
        return TonightChange(night: night.date, kind: .later, minutes: minutes, isPause: true)
    }

    /// When the night goes on for somebody who is awake for a while, or about to be; nil if it does not.
    package func pauseEnd(at now: Date, in zone: CivilZone) -> Date? {
        let running = runningSession(at: now)
        guard let pause = running == nil ? tonight : running?.pause, pause.isPause else { return nil }
        var nights = nights(in: zone)
        nights?.tonight = pause
        return nights?.night(on: pause.night).flatMap { now < $0.start ? $0.start : nil }
    }
}
