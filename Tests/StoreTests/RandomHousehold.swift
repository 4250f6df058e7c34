import Foundation
import Policy

/// A random household that the rules allow, with names as people give them.
struct RandomHousehold {
    var random: Seeded

    mutating func household() -> Household {
        let people = (1...Int.random(in: 1...4, using: &random)).map { person(Int64($0 * 3)) }
        let owners: [PersonID?] = people.map(\.id) + [nil]
        let devices = (0..<Int.random(in: 0...6, using: &random)).map { device($0, owners: owners) }
        return Household(
            timeZone: ["Europe/Berlin", "UTC", "Asia/Kathmandu"].randomElement(using: &random)!,
            newDevicesBelongTo: owners.randomElement(using: &random)!,
            offersHelp: .random(using: &random), formerDNS: maybe(name()) ?? "", unreachable: words(),
            ownApps: apps(), people: people,
            devices: devices)
    }

    private mutating func person(_ id: Int64) -> Person {
        Person(
            id: PersonID(rawValue: id), name: name(), role: maybe(.child) ?? .adult,
            defaultStrictness: strictness(), allowed: selection(), schedule: maybe(schedule()),
            tonight: maybe(tonight()), dateExceptions: few { $0.dateException() }, session: maybe(session()),
            nightDone: maybe(night()),
            antiRot: antiRot(), limits: limits(), focus: focus(), verified: verified(),
            looseningDelay: PendingChange.delays.randomElement(using: &random)!,
            helpPresses: maybe(HelpPresses(night: night(), count: .random(in: 1...9, using: &random))),
            pending: pending(),
            wishes: few { $0.wish() })
    }

    private mutating func device(_ number: Int, owners: [PersonID?]) -> Device {
        let count = Int.random(in: 0...3, using: &random)
        let kind = Device.Kind.allCases.randomElement(using: &random)!
        return Device(
            id: DeviceID(rawValue: Int64(number * 2 + 1)), name: name(), isNamed: .random(using: &random),
            networkName: maybe("host-\(number)"),
            kind: kind, person: owners.randomElement(using: &random)!,
            addresses: (0..<count).map { "fd00::\(number):\($0)" }.shuffled(using: &random),
            hardwareAddress: maybe("02:00:00:00:00:0\(number)"),
            formerHardwareAddresses: maybe(["02:00:00:00:01:0\(number)", "02:00:00:00:02:0\(number)"]) ?? [],
            toldApart: number > 0 ? maybe([DeviceID(rawValue: 1)]) ?? [] : [], firstSeen: instant(),
            lastSeen: instant(),
            helpUntil: maybe(instant()), helpMessagesFrom: maybe(instant()), tryUntil: maybe(instant()),
            trustedAuthority: maybe(String(repeating: "a\(number)", count: 32)),
            hasNoMobileData: kind == .tablet && .random(using: &random),
            departure: maybe(Departure(askedAt: instant(), due: instant())),
            left: owners.randomElement(using: &random)!.map { Left(person: $0, at: instant()) },
            leaves: leaves(by: owners),
            waysOut: SeenWayOut.Kind.allCases.prefix(.random(in: 0...3, using: &random)).map {
                SeenWayOut($0, since: instant(), due: instant())
            })
    }

    private mutating func leaves(by owners: [PersonID?]) -> [Left] {
        few { random in
            Left(person: owners.compactMap { $0 }.randomElement(using: &random.random)!, at: random.instant())
        }
        .sorted { $0.at < $1.at }
    }

    private mutating func session() -> SleepSession {
        let start = instant()
        let isManual = Bool.random(using: &random)
        let mode: ScheduleMode =
            isManual
            ? .manual(durationMinutes: 90)
            : .recurring(startHour: 22, startMinute: 5, endHour: 7, endMinute: 0)
        let strictness = strictness()
        return SleepSession(
            id: uuid(), mode: mode, strictness: strictness, startedAt: start,
            endsAt: start.addingTimeInterval(
                isManual ? 5400 : .random(in: 1...40_000, using: &random)),
            cancelsAt: strictness == .strict ? nil : maybe(start.addingTimeInterval(30)),
            allowed: selection(), night: maybe(night()))
    }

    private mutating func schedule() -> RecurringSchedule {
        RecurringSchedule(
            isEnabled: .random(using: &random), start: time(20...23), end: time(0...9),
            strictness: strictness(), days: days(),
            exceptions: (0..<Int.random(in: 0...3, using: &random)).map { _ in
                ScheduleException(days: days(), start: time(20...23), end: time(0...9))
            })
    }

    private mutating func tonight() -> TonightChange {
        Bool.random(using: &random)
            ? TonightChange(night: night(), kind: .skip)
            : TonightChange(night: night(), kind: .later, minutes: 30)
    }

    private mutating func apps() -> [App] {
        (0..<Int.random(in: 0...3, using: &random)).map {
            App(
                id: "own-\($0)", name: name(), category: "own", suffixes: words().sorted(),
                pages: words().sorted(), foreground: words().sorted(), service: words().sorted())
        }.shuffled(using: &random)
    }

    mutating func selection() -> AppSelection {
        AppSelection(apps: words(), categories: words(), domains: words())
    }

    private mutating func words() -> Set<String> {
        Set((0..<Int.random(in: 0...4, using: &random)).map { _ in name() })
    }

    mutating func name() -> String {
        let all = [
            "Ada", "O'Brien", "\"", "<b>", "Zoë\u{301}", "👩‍👩‍👧", "a\\b", "例え.jp", "NULL",
            "x'); DROP TABLE person;--",
        ]
        return all.randomElement(using: &random)! + String(Int.random(in: 0...99, using: &random))
    }

    mutating func uuid() -> UUID {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return bytes.withUnsafeMutableBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    /// More precise than stored instants, so that rounding shows.
    mutating func instant() -> Date {
        Date(timeIntervalSince1970: .random(in: 0...4_000_000_000, using: &random))
    }

    mutating func night() -> CivilDate {
        CivilDate(
            year: .random(in: 1970...2200, using: &random), month: .random(in: 1...12, using: &random),
            day: .random(in: 1...28, using: &random))
    }

    mutating func few<T>(_ most: Int = 3, _ make: (inout RandomHousehold) -> T) -> [T] {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in make(&self) }
    }

    mutating func time(_ hours: ClosedRange<Int>) -> TimeOfDay {
        TimeOfDay(hour: .random(in: hours, using: &random), minute: .random(in: 0...59, using: &random))
    }

    mutating func days() -> Set<Weekday> {
        Set(Weekday.allCases.shuffled(using: &random).prefix(.random(in: 1...7, using: &random)))
    }

    private mutating func strictness() -> StrictnessMode { maybe(.strict) ?? .flexible }

    mutating func maybe<T>(_ value: T) -> T? { Bool.random(using: &random) ? value : nil }
}
