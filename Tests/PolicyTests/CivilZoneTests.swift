import Foundation
import Testing

@testable import Policy

@Suite struct CivilZoneTests {
    @Test(arguments: [
        "Europe/Berlin", "UTC", "GMT", "Etc/UTC", "Etc/GMT+5", "America/Argentina/Buenos_Aires",
        "Asia/Kolkata",
        "Asia/Calcutta", "US/Eastern", "Europe/Kyiv", "EST5EDT", "Japan", "Zulu",
    ])
    func takesNamesOfTheDatabase(_ name: String) { #expect(CivilZone(name)?.identifier == name) }

    @Test(
        "A-14: an unknown zone is refused, and never silently UTC",
        arguments: [
            "", " ", "Nope", "Nope/Zone", "PST", "JST", "IST", "BST", "GMT+5", "GMT+0500", "UTC+3", "+02:00",
            "europe/berlin", "Europe/Berlin ", "Europe/", "/", "../etc/passwd", "Etc/Unknown",
            "SystemV/PST8PDT",
            "Europe/Berlin\u{301}",
        ])
    func refusesOtherNames(_ name: String) { #expect(CivilZone(name) == nil) }

    @Test func offersZonesToChooseFrom() {
        #expect(CivilZone.known.count > 400)
        #expect(CivilZone.known == CivilZone.known.sorted())
        #expect(Set(CivilZone.known).count == CivilZone.known.count)
        for name in ["Europe/Berlin", "UTC", "Asia/Kolkata", "America/New_York"] {
            #expect(CivilZone.known.contains(name))
        }
    }

    @Test("Every zone that a machine can have can be chosen under its own name")
    func offersAllOfTheDatabase() throws {
        let database = try String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)
        let names = database.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            return switch words.first {
            case "Z": String(words[1])
            case "L": String(words[2])
            default: nil
            }
        }
        #expect(names.count > 590 && names.contains("Etc/UTC"))
        // "Factory" means that no zone was chosen yet.
        #expect(Set(names).subtracting(CivilZone.known) == ["Factory"])
    }

    @Test(
        "What is remembered of a zone is what the database says, around every change of its clocks and between",
        arguments: [
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia",
            "Asia/Kathmandu", "America/St_Johns", "Antarctica/Troll", "UTC",
        ])
    func remembers(_ name: String) throws {
        let (zone, database) = (try #require(CivilZone(name)), try #require(TimeZone(identifier: name)))
        var instants = (0..<2_000).map { Date(timeIntervalSince1970: TimeInterval($0 * 911_933)) }
        var change = database.nextDaylightSavingTimeTransition(after: Date(timeIntervalSince1970: 0))
        while let instant = change, instants.count < 4_000, instant < instants[1_999] {
            instants += [-57_601, -1, 0, 1, 57_601].map { instant + $0 }
            change = database.nextDaylightSavingTimeTransition(after: instant)
        }
        for instant in instants + instants.reversed() {
            let wall = Int(instant.timeIntervalSince1970) + database.secondsFromGMT(for: instant)
            #expect(zone.date(of: instant).dayNumber * 86_400 + zone.secondOfDay(of: instant) == wall)
        }
    }

    @Test(
        "A-14: a gap becomes the first instant after it, a fold its first occurrence",
        arguments: [
            // 02:00 to 03:00 is skipped.
            ("Europe/Berlin", "2026-03-29", "01:59", "2026-03-29T00:59:00Z"),
            ("Europe/Berlin", "2026-03-29", "02:00", "2026-03-29T01:00:00Z"),
            ("Europe/Berlin", "2026-03-29", "02:30", "2026-03-29T01:00:00Z"),
            ("Europe/Berlin", "2026-03-29", "03:00", "2026-03-29T01:00:00Z"),
            ("Europe/Berlin", "2026-03-29", "03:01", "2026-03-29T01:01:00Z"),
            // 02:00 to 03:00 comes twice.
            ("Europe/Berlin", "2026-10-25", "01:59", "2026-10-24T23:59:00Z"),
            ("Europe/Berlin", "2026-10-25", "02:00", "2026-10-25T00:00:00Z"),
            ("Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T00:30:00Z"),
            ("Europe/Berlin", "2026-10-25", "03:00", "2026-10-25T02:00:00Z"),
            ("America/New_York", "2026-03-08", "02:30", "2026-03-08T07:00:00Z"),
            ("America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30:00Z"),
            // Half an hour only.
            ("Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03T15:30:00Z"),
            ("Australia/Lord_Howe", "2026-10-04", "02:30", "2026-10-03T15:30:00Z"),
            ("Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-04T14:45:00Z"),
            ("Australia/Lord_Howe", "2026-04-05", "02:00", "2026-04-04T15:30:00Z"),
            // Summer time stops for Ramadan and comes back.
            ("Africa/Casablanca", "2026-02-15", "02:30", "2026-02-15T01:30:00Z"),
            ("Africa/Casablanca", "2026-03-22", "02:30", "2026-03-22T02:00:00Z"),
            // A whole day is skipped.
            ("Pacific/Apia", "2011-12-29", "23:59", "2011-12-30T09:59:00Z"),
            ("Pacific/Apia", "2011-12-30", "00:00", "2011-12-30T10:00:00Z"),
            ("Pacific/Apia", "2011-12-30", "12:00", "2011-12-30T10:00:00Z"),
            ("Pacific/Apia", "2011-12-31", "00:00", "2011-12-30T10:00:00Z"),
            ("Pacific/Apia", "2011-12-31", "07:00", "2011-12-30T17:00:00Z"),
        ])
    func instants(_ name: String, _ date: String, _ clock: String, _ expected: String) {
        #expect(zone(name).instant(of: day(date), at: time(clock)) == at(expected))
    }

    @Test(arguments: [
        ("UTC", "2026-03-29", 24.0), ("Europe/Berlin", "2026-03-28", 24), ("Europe/Berlin", "2026-03-29", 23),
        ("Europe/Berlin", "2026-10-25", 25), ("America/New_York", "2026-03-08", 23),
        ("America/New_York", "2026-11-01", 25), ("Australia/Lord_Howe", "2026-10-04", 23.5),
        ("Australia/Lord_Howe", "2026-04-05", 24.5), ("Pacific/Apia", "2011-12-30", 0),
    ])
    func daysHaveTheirLength(_ name: String, _ date: String, _ hours: Double) {
        #expect(zone(name).dayLength(day(date)) == hours * 3_600)
    }

    @Test func readsTheWallAsTheGregorianCalendarDoes() {
        var random = Generator(seed: 1)
        for _ in 0..<3_000 {
            let name = random.pick(CivilZone.known)
            let instant = Date(timeIntervalSince1970: Double(random.int(160_000_000...2_100_000_000)) + 0.75)
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = TimeZone(identifier: name)!
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: instant)
            let date = zone(name).date(of: instant)
            let clock = zone(name).time(of: instant)
            #expect(
                date == CivilDate(year: parts.year!, month: parts.month!, day: parts.day!),
                "\(name) \(instant)")
            #expect(clock == TimeOfDay(hour: parts.hour!, minute: parts.minute!), "\(name) \(instant)")
            #expect(zone(name).secondOfDay(of: instant) % 60 == parts.second!)
        }
    }

    @Test func findsTheEarliestInstantThatShowsATimeOrLater() {
        var random = Generator(seed: 2)
        for _ in 0..<400 {
            let house = zone(random.pick(Generator.zones))
            let date = house.date(of: random.instant())
            let clock = random.time()
            let found = house.instant(of: date, at: clock)
            func shows(_ instant: Date) -> Bool {
                (house.date(of: instant), house.time(of: instant)) >= (date, clock)
            }
            #expect(shows(found), "\(house.identifier) \(date) \(clock)")
            for minute in 1...1_500 {
                let earlier = found.addingTimeInterval(TimeInterval(-60 * minute))
                guard !shows(earlier), !shows(earlier.addingTimeInterval(59)) else {
                    Issue.record("\(house.identifier) \(date) \(clock) is shown \(minute) minutes before")
                    break
                }
            }
        }
    }

    /// `instant(of:at:)` relies on this.
    @Test func noZoneChangesItsOffsetTwiceWithin32Hours() {
        for name in CivilZone.known {
            let zone = TimeZone(identifier: name)!
            var last: (offset: Int, hours: Int)? = nil
            for hours in stride(from: 0, to: 24 * 365 * 20, by: 8) {
                let offset = zone.secondsFromGMT(
                    for: Date(timeIntervalSince1970: 1_420_070_400 + Double(hours) * 3_600))
                guard let before = last, before.offset != offset else {
                    if last == nil { last = (offset, -1_000) }
                    continue
                }
                #expect(hours - before.hours > 40, "\(name)")
                #expect(abs(offset) <= 16 * 3_600)
                last = (offset, hours)
            }
        }
    }
}
