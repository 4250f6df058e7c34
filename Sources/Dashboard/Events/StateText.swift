package import Foundation
import Pages
package import Policy

/// The `state` and `tick` of the contract: `/events` sends them, and `GET /api/v1/state` answers the state.
package struct StateText: Sendable {
    private let snapshot: Snapshot
    private let now: Date
    private let lastFocus: @Sendable (PersonID) -> FocusSession?

    /// - Parameter lastFocus: a person's focus session with the latest end.
    package init(
        _ snapshot: Snapshot, at now: Date,
        lastFocus: @escaping @Sendable (PersonID) -> FocusSession? = { _ in nil }
    ) {
        self.snapshot = snapshot
        self.now = now
        self.lastFocus = lastFocus
    }

    /// A person's whole state; without a login, only clock and countdown. Nil if there is no such person.
    package func state(of audience: Audience) -> JSONValue? {
        guard let person = snapshot.household[person: audience.person] else { return nil }
        let isOpen = audience.isSignedIn
        return .object([
            ("revision", .int(snapshot.revision)),
            ("now", .instant(now)),
            ("zone", .string(snapshot.household.foundationZone.identifier)),
            ("person", .int(Int(person.id.rawValue))),
            ("devices", isOpen ? devices(of: person) : .null),
            ("session", session(of: person)),
            ("bedtimeAt", .instant(person.running(at: now) == nil ? nextStart(of: person) : nil)),
            ("overrideEndsAt", .instant(person.antiRot.override.end(at: now))),
            ("schedule", isOpen ? Self.schedule(of: person, nextStart: nextStart(of: person)) : .null),
            ("dateExceptions", isOpen ? dateExceptions(of: person) : .null),
            ("antiRot", isOpen ? antiRot(of: person) : .null),
            ("limits", isOpen ? limits(of: person, audience) : .null),
            ("focus", isOpen ? focus(of: person) : .null),
            ("requests", isOpen ? requests : .null),
        ])
    }

    /// What counts down for a person; nil if nothing does.
    package func countdown(of person: PersonID) -> CountdownState? {
        snapshot.household[person: person].flatMap {
            CountdownState(of: $0, at: now, in: snapshot.household.zone)
        }
    }

    package func frame(of audience: Audience) -> EventFrame? {
        state(of: audience).map { EventFrame(event: "state", id: snapshot.householdRevision, data: $0.bytes) }
    }

    /// Everybody's open questions, oldest first, for those who can answer.
    private var requests: JSONValue {
        .array(
            snapshot.household.openQuestions(at: now).map { question in
                .object([
                    ("id", .string(question.id.uuidString)), ("kind", .string(question.about.word)),
                    ("person", .int(Int(question.person.rawValue))), ("name", .string(question.name)),
                    ("text", .string(question.about.words(in: snapshot.catalog))),
                    ("reason", question.reason.map { .string($0) } ?? .null),
                    ("askedAt", .instant(question.askedAt)),
                ])
            })
    }

    private func devices(of person: Person) -> JSONValue {
        let use = DevicesInUse(of: person.id, in: snapshot.household, at: now)
        return .object([("enrolled", .int(use.enrolled)), ("recent", .int(use.recent))])
    }

    private func session(of person: Person) -> JSONValue {
        guard let session = person.running(at: now) else { return .null }
        let mode =
            switch session.mode {
            case .manual: "manual"
            case .recurring: "recurring"
            }
        return .object([
            ("id", .string(session.id.uuidString)), ("mode", .string(mode)),
            ("strictness", .string(session.strictness.rawValue)), ("startedAt", .instant(session.startedAt)),
            ("endsAt", .instant(session.endsAt)), ("totalSeconds", .int(session.totalSeconds)),
            ("durationFormatted", .string(session.durationFormatted)),
            ("cancelsAt", .instant(session.cancelsAt)),
            ("resumesAt", .instant(person.pauseEnd(at: now, in: snapshot.household.zone))),
            ("asleepUntil", .instant(asleepUntil(person))),
        ])
    }

    private func limits(of person: Person, _ audience: Audience) -> JSONValue {
        LimitsState.json(of: person, in: snapshot, at: now, showsUse: audience.seesUsage)
    }

    private func focus(of person: Person) -> JSONValue {
        FocusState.json(of: person, at: now, last: lastFocus(person.id))
    }

    private func antiRot(of person: Person) -> JSONValue {
        AntiRotState.json(of: person, at: now, in: snapshot.household.zone)
    }

    private func dateExceptions(of person: Person) -> JSONValue {
        let held = snapshot.household.dateExceptions(at: now).filter { $0.people.contains(person.id) }
        return .array(held.map(DatesJSON.held))
    }

    private func asleepUntil(_ person: Person) -> Date? {
        person.asleepUntil(at: now, in: snapshot.household.zone)
    }

    private func nextStart(of person: Person) -> Date? { snapshot.verdicts[person.id]?.nextStart }

    /// A schedule as `state` and `/api/v1/schedule` have it; the default if none was saved.
    package static func schedule(of person: Person, nextStart: Date?) -> JSONValue {
        let schedule = person.schedule ?? .default
        let exceptions = schedule.exceptions.map { exception in
            JSONValue.object([
                ("days", days(exception.days)), ("start", .string(exception.start.description)),
                ("end", .string(exception.end.description)),
            ])
        }
        return .object([
            ("isEnabled", .bool(schedule.isEnabled)), ("start", .string(schedule.start.description)),
            ("end", .string(schedule.end.description)),
            ("strictness", .string(schedule.strictness.rawValue)), ("days", days(schedule.days)),
            ("exceptions", .array(exceptions)), ("nextStart", .instant(nextStart)),
        ])
    }

    private static func days(_ days: Set<Weekday>) -> JSONValue {
        .array(Weekday.allCases.filter(days.contains).map { .string($0.rawValue) })
    }
}

extension Person {
    /// The session that runs at an instant, its end excluded.
    func running(at now: Date) -> SleepSession? {
        session.flatMap { $0.isRunning(at: now) ? $0 : nil }
    }
}

extension DevicesInUse {
    /// How long a device counts as asking after its last question, in seconds. Idle phones still ask every few minutes;
    /// a device that is off or away does not.
    static let recency: TimeInterval = 15 * 60

    init(of person: PersonID, in household: Household, at now: Date) {
        let devices = household[person: person].map { household.devices(of: $0) } ?? []
        let recent = devices.filter { now.timeIntervalSince($0.lastSeen) < Self.recency }
        let hasAsked = devices.contains { $0.lastSeen > Device.neverAsked }
        self.init(enrolled: devices.count, recent: recent.count, hasAsked: hasAsked)
    }
}
