package import Foundation

/// What one tap beside a person's name does to their night, or to today's limits.
package enum OneTap: Hashable, Sendable {
    /// A session at once, in the person's default strictness.
    case bedtime
    /// Tonight's bedtime 30 minutes later.
    case later
    /// No bedtime tonight.
    case skip
    /// Tonight's bedtime at this time.
    case at(TimeOfDay)
    /// A child's session ends at this time, before its own end.
    case wakeAt(TimeOfDay)
    /// More minutes today.
    case bonus(Bonus)

    /// How long the presser can take a tap back, in seconds.
    package static let patience: TimeInterval = 8

    /// Seconds in which a press can still be taken back, rounded up; 0 if they are over or the clock went back.
    package static func secondsLeft(since press: Date, at now: Date) -> Int {
        let age = now.timeIntervalSince(press)
        return (0...patience).contains(age) ? Int((patience - age).rounded(.up)) : 0
    }
    /// How long "Bedtime now" lasts if no night reaches into it, in seconds.
    package static let bedtimeDuration: TimeInterval = 8 * 3_600
    /// How long before a planned bedtime the bedside display takes a touch, in seconds.
    package static let earliness: TimeInterval = 4 * 3_600
}

/// One tap that was made, with all that is needed to take it back.
package struct OneTapPress: Hashable, Sendable {
    /// Identifies the press. "Everybody to bed" is one press, kept once for each person whom it put to bed.
    package let id: UUID
    package let tap: OneTap
    package let person: PersonID
    /// Identifies the person who pressed: nobody else can take it back.
    package let presser: String
    package let at: Date
    /// The session that began, for `bedtime`.
    package let session: UUID?
    /// What it can change, before and after the press.
    fileprivate let before: Tapped
    fileprivate let after: Tapped

    /// Seconds in which it can still be taken back, as `OneTap.secondsLeft`.
    package func secondsLeft(at now: Date) -> Int { OneTap.secondsLeft(since: at, at: now) }

    /// Whether the same tap, pressed again, is this press: "Bedtime now" of the same presser within the 8 seconds. Two
    /// taps on "30 minutes later" are an hour.
    package func isRepeated(by tap: OneTap, of presser: String, at now: Date) -> Bool {
        tap == .bedtime && self.tap == .bedtime && self.presser == presser && isRecent(at: now)
    }

    fileprivate func isRecent(at now: Date) -> Bool {
        (0...OneTap.patience).contains(now.timeIntervalSince(at))
    }
}

/// What a tap can change of a person, beside the session that "Bedtime now" begins.
private struct Tapped: Hashable, Sendable {
    let session: SleepSession?
    let tonight: TonightChange?
    let extraTime: [ExtraTime]

    init(_ person: Person) {
        session = person.session
        tonight = person.tonight
        extraTime = person.limits.extraTime
    }
}

extension Household {
    /// Does what a tap says. `unique` identifies the press and the session that "Bedtime now" begins.
    ///
    /// While a strict session runs, one tap neither moves nor skips the person's night.
    package mutating func press(
        _ tap: OneTap, on id: PersonID, by presser: String, unique: UUID, usage: UsageTotals = .none,
        at now: Date
    ) throws(Refusal) -> (press: OneTapPress, event: SessionEvent?) {
        let index = try index(of: id)
        let before = Tapped(people[index])
        var event: SessionEvent?
        switch tap {
        case .bedtime: event = try beginBedtime(id, session: unique, at: now)
        case .bonus(let bonus): try give(bonus, to: id, usage: usage, at: now)
        case .wakeAt(let time): try endSession(of: id, at: time, now)
        case .later, .skip, .at:
            guard !people[index].isStrict(at: now) else { throw .looseningStrict(of: people[index].name) }
            guard try people[index].isNightTonight(at: now, in: zone) else { throw .noNightTonight }
            if case .at(let time) = tap {
                try moveTonight(id, to: time, at: now)
            } else {
                try changeTonight(id, tap == .later ? .later : .skip, at: now)
            }
        }
        let press = OneTapPress(
            id: unique, tap: tap, person: id, presser: presser, at: now, session: event?.session.id,
            before: before, after: Tapped(people[index]))
        return (press, event)
    }

    /// "Everybody to bed": "Bedtime now" for each person of the group who is awake, as one press. `unique` identifies the
    /// press, `session` makes an id for each session.
    ///
    /// Who may press is decided where the press arrives: it needs the passcode or a token, which children do not have.
    package mutating func pressToBed(
        _ group: BedtimeGroup, by presser: String, unique: UUID, session: () -> UUID, at now: Date
    ) throws(Refusal) -> [(press: OneTapPress, event: SessionEvent)] {
        var done: [(press: OneTapPress, event: SessionEvent)] = []
        for person in people where group.contains(person) && person.runningSession(at: now) == nil {
            let event = try beginBedtime(person.id, session: session(), at: now)
            let press = OneTapPress(
                id: unique, tap: .bedtime, person: person.id, presser: presser, at: now,
                session: event.session.id, before: Tapped(person), after: Tapped(person))
            done.append((press, event))
        }
        guard !done.isEmpty else { throw .everybodyAsleep }
        return done
    }

    /// Takes back what one press did, for each person for whom nothing else came in between; refused if that is nobody.
    package mutating func takeBack(
        _ presses: [OneTapPress], by presser: String, at now: Date
    ) throws(Refusal) -> [(press: OneTapPress, event: SessionEvent?)] {
        var done: [(press: OneTapPress, event: SessionEvent?)] = []
        var refusal = Refusal.undoTooLate
        for press in presses {
            do { done.append((press, try takeBack(press, by: presser, at: now))) } catch { refusal = error }
        }
        guard !done.isEmpty else { throw refusal }
        return done
    }

    /// Takes a press back, for its presser and within 8 seconds, unless another change came in between.
    ///
    /// This also ends a strict session that the press began: the press was a mistake. Nobody else can do so, and a
    /// night that the schedule began stays.
    @discardableResult
    package mutating func takeBack(
        _ press: OneTapPress, by presser: String, at now: Date
    ) throws(Refusal) -> SessionEvent? {
        let index = try index(of: press.person)
        guard press.presser == presser else { throw .undoNotYours }
        guard press.isRecent(at: now) else { throw .undoTooLate }
        switch press.tap {
        case .bedtime: break
        case .later, .skip, .at:
            guard people[index].tonight == press.after.tonight else { throw .undoOvertaken }
            people[index].tonight = press.before.tonight
            return nil
        case .wakeAt:
            guard people[index].session == press.after.session, press.before.session != nil else {
                throw .undoOvertaken
            }
            people[index].session = press.before.session
            return nil
        case .bonus:
            guard people[index].limits.extraTime == press.after.extraTime else { throw .undoOvertaken }
            people[index].limits.extraTime = press.before.extraTime
            return nil
        }
        guard let session = people[index].runningSession(at: now), session.id == press.session else {
            throw .undoOvertaken
        }
        people[index].session = nil
        return SessionEvent(
            kind: .ended(reason: .cancelled), person: press.person, session: session, instant: now)
    }

    /// "Bedtime now", and "Until 07:00" on Start Now: one session at a time, to the end of tonight's night, else for
    /// 8 hours.
    ///
    /// - Parameter strictness: nil: the person's default.
    package mutating func beginBedtime(
        _ id: PersonID, strictness: StrictnessMode? = nil, session: UUID, at now: Date
    ) throws(Refusal) -> SessionEvent {
        let index = try index(of: id)
        guard people[index].runningSession(at: now) == nil else { throw .sessionRunning }
        let started = SleepSession.manual(
            id: session, until: people[index].bedtimeEnd(at: now, in: zone),
            strictness: strictness ?? people[index].defaultStrictness, at: now,
            allowed: allowedSnapshot(of: people[index]))
        people[index].session = started
        return SessionEvent(kind: .started, person: id, session: started, instant: now)
    }
}

extension Person {
    /// Whether the bedside display takes a touch to begin the night: in the evening and the night. By day a touch would
    /// be a mistake.
    package func offersGoodnight(at now: Date, in zone: CivilZone) -> Bool {
        runningSession(at: now) == nil && isEvening(at: now, in: zone)
    }

    /// When a session that "Bedtime now" begins would end: in the morning, else after 8 hours.
    package func bedtimeEnd(at now: Date, in zone: CivilZone) -> Date {
        morning(at: now, in: zone)
            ?? SleepSession.wholeSecond(now).addingTimeInterval(OneTap.bedtimeDuration)
    }

    /// The end of the night that contains this instant or begins within 8 hours; nil if there is none.
    ///
    /// The night counts as it is planned: even if it was left, skipped or moved, it says when the morning is.
    package func morning(at now: Date, in zone: CivilZone) -> Date? {
        guard let nights = plannedNights(in: zone) else { return nil }
        if let running = nights.night(containing: now) { return running.end }
        let latest = SleepSession.wholeSecond(now).addingTimeInterval(OneTap.bedtimeDuration)
        return nights.nextNight(after: now).flatMap { $0.start < latest ? $0.end : nil }
    }

    /// Whether a change now would affect tonight's night; refused if no night is coming or it has begun.
    package func isNightTonight(at now: Date, in zone: CivilZone) throws(Refusal) -> Bool {
        guard let night = try nightToChange(at: now, in: zone) else { throw .noNightTonight }
        return zone.isTonight(night.start, from: now)
    }
}
