import Foundation

@testable import Policy

extension Generator {
    static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca",
        "Pacific/Apia",
        "Asia/Kathmandu", "America/St_Johns", "Pacific/Chatham", "America/Asuncion",
    ]

    /// Within a few days of a clock change somewhere, or anywhere in 2026.
    mutating func instant() -> Date {
        let changes = [
            "2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z", "2026-03-08T07:00:00Z", "2026-11-01T06:00:00Z",
            "2026-04-04T15:00:00Z", "2026-10-03T15:30:00Z", "2026-02-15T02:00:00Z", "2026-03-22T02:00:00Z",
        ]
        let near = at(pick(changes)).addingTimeInterval(TimeInterval(int(-3 * 86_400...86_400)))
        return chance(70)
            ? near : at("2026-01-01T00:00:00Z").addingTimeInterval(TimeInterval(int(0...31_536_000)))
    }

    mutating func time() -> TimeOfDay { TimeOfDay(hour: int(0...23), minute: int(0...3) * 15) }

    mutating func weekdays() -> Set<Weekday> { Set(Weekday.allCases.filter { _ in chance(60) }) }

    /// A schedule that passes its own check.
    mutating func schedule() -> RecurringSchedule {
        while true {
            var found = RecurringSchedule(
                isEnabled: chance(90), start: time(), end: time(), strictness: pick(StrictnessMode.allCases),
                days: chance(50) ? Set(Weekday.allCases) : weekdays())
            if chance(40) {
                found.exceptions = (0..<int(1...3)).map { _ in
                    ScheduleException(days: weekdays(), start: time(), end: time())
                }
            }
            if (try? found.check()) != nil { return found }
        }
    }

    /// A household in use: schedules, changes for tonight, sessions, cancels, help.
    mutating func household(at now: Date) -> Household {
        let count = int(1...3)
        var household = Household(
            timeZone: pick(Self.zones),
            people: (1...count).map { Person(id: PersonID(rawValue: Int64($0)), name: "P\($0)") },
            devices: (1...4).map { number in
                Device(
                    id: DeviceID(rawValue: Int64(number)), name: "D\(number)",
                    person: chance(80) ? PersonID(rawValue: Int64(int(1...count))) : nil,
                    addresses: ["10.0.0.\(number)"], firstSeen: now, lastSeen: now)
            })
        for person in household.people.map(\.id) {
            if chance(85) { try? household.saveSchedule(person, schedule(), at: now) }
            if chance(60) { furnishWindows(of: &household, person, at: now) }
            if chance(40) {
                let exceptions = dateExceptions(around: now, in: household.zone)
                household[person: person]?.dateExceptions = exceptions
            }
            _ = household.settle(at: now, newID: UUID.init)
            for _ in 0..<int(0...4) { act(on: &household, person, at: now) }
        }
        return household
    }

    /// Runs one command with random input, refused or not.
    mutating func act(on household: inout Household, _ person: PersonID, at now: Date) {
        switch int(1...14) {
        case 1, 2:
            _ = try? household.startSession(
                person, durationMinutes: pick(SleepSession.durations),
                strictness: pick(StrictnessMode.allCases),
                id: UUID(), at: now)
        case 3: try? household.beginCancel(person, at: now)
        case 4: try? household.keepSleeping(person, at: now)
        case 5: _ = try? household.emergencyReset(person, at: now)
        case 6: try? household.changeTonight(person, pick(TonightChange.Press.allCases), at: now)
        case 7: try? household.saveSchedule(person, schedule(), at: now)
        case 8, 9: actOnWindows(of: &household, person, at: now)
        case 10: try? household.wakeForAWhile(person, at: now)
        case 11:
            _ = try? household.addDateException(
                dateException(around: now, in: household.zone), for: [person], at: now)
        case 12:
            let all = household[person: person]?.plannedDateExceptions ?? []
            if !all.isEmpty { _ = try? household.removeDateException(pick(all).id, at: now) }
        case 13: try? household.moveTonight(person, to: time(), at: now)
        default: try? household.useHelp(DeviceID(rawValue: Int64(int(1...4))), at: now)
        }
        _ = household.settle(at: now, newID: UUID.init)
    }
}
