import Foundation

@testable import Policy

/// An instant from ISO 8601, for example `2026-03-29T01:00:00Z`.
func at(_ text: String) -> Date { try! Date(text, strategy: .iso8601) }

func zone(_ identifier: String) -> CivilZone { CivilZone(identifier)! }

func time(_ text: String) -> TimeOfDay { TimeOfDay(text)! }

func day(_ text: String) -> CivilDate { CivilDate(text)! }

func schedule(
    _ start: String, _ end: String, _ strictness: StrictnessMode = .flexible,
    days: Set<Weekday> = Set(Weekday.allCases), exceptions: [ScheduleException] = [], isEnabled: Bool = true
) -> RecurringSchedule {
    RecurringSchedule(
        isEnabled: isEnabled, start: time(start), end: time(end), strictness: strictness, days: days,
        exceptions: exceptions)
}

let me = PersonID(rawValue: 1)
let kid = PersonID(rawValue: 2)
let phone = DeviceID(rawValue: 1)
let tablet = DeviceID(rawValue: 2)

/// "Me" with a phone at 10.0.0.2, "Kim" with a tablet at 10.0.0.3, in UTC by default.
func home(_ schedule: RecurringSchedule? = nil, zone: String = "UTC") -> Household {
    let long = at("2026-01-01T00:00:00Z")
    return Household(
        timeZone: zone,
        people: [
            Person(id: me, name: "Me", allowed: AppSelection(categories: ["phone"]), schedule: schedule),
            Person(id: kid, name: "Kim", role: .child),
        ],
        devices: [
            Device(
                id: phone, name: "Phone", kind: .phone, person: me, addresses: ["10.0.0.2", "fd00::2"],
                firstSeen: long,
                lastSeen: long),
            Device(
                id: tablet, name: "Tablet", kind: .tablet, person: kid, addresses: ["10.0.0.3"],
                firstSeen: long,
                lastSeen: long),
        ])
}

/// A household with one clock; it keeps what began and ended, in order.
struct House {
    var household: Household
    private(set) var now: Date
    private(set) var events: [SessionEvent] = []

    init(_ household: Household, at instant: String) {
        self.household = household
        now = at(instant)
        settle()
    }

    var session: SleepSession? { household[person: me]?.session }

    var log: [String] {
        events.map { event in
            let what =
                switch event.kind {
                case .started: "started"
                case .ended(let reason): reason.rawValue
                }
            return "\(what) \(event.instant.formatted(.iso8601))"
        }
    }

    mutating func go(to instant: String) { go(to: at(instant)) }

    mutating func go(to instant: Date) {
        now = instant
        settle()
    }

    mutating func wait(_ seconds: TimeInterval) { go(to: now.addingTimeInterval(seconds)) }

    mutating func settle() {
        events += household.settle(at: now, newID: UUID.init)
        household.forget(at: now, isSynchronised: true)
    }

    /// Settles, changes, settles, as every form does.
    @discardableResult
    mutating func change<T>(_ command: (inout Household, Date) throws -> T) throws -> T {
        settle()
        let before = household
        let result = try command(&household, now)
        events += household.settle(at: now, before: before, newID: UUID.init)
        return result
    }

    mutating func start(_ minutes: Int, _ strictness: StrictnessMode = .flexible) throws {
        try change {
            try $0.startSession(me, durationMinutes: minutes, strictness: strictness, id: UUID(), at: $1)
        }
    }

    mutating func reset() throws {
        let event = try change { try $0.emergencyReset(me, at: $1) }
        events.append(event)
    }

    mutating func save(_ schedule: RecurringSchedule) throws {
        try change { try $0.saveSchedule(me, schedule, at: $1) }
    }

    mutating func tonight(_ press: TonightChange.Press) throws {
        try change { try $0.changeTonight(me, press, at: $1) }
    }

    var verdict: Verdict { household.evaluate(at: now)[me]! }
}
