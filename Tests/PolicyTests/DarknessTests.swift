import Foundation
import Testing

@testable import Policy

/// From the evening to the morning of a person's night, no page is white.
@Suite struct DarknessTests {
    private static let zone = CivilZone("Europe/Berlin")!

    private static func at(_ hour: Int, _ minute: Int = 0, day: Int = 20) -> Date {
        zone.instant(
            of: CivilDate(year: 2026, month: 11, day: day), at: TimeOfDay(hour: hour, minute: minute))
    }

    private static func person(_ start: String, _ end: String) -> Person {
        Person(id: me, name: "Me", schedule: schedule(start, end))
    }

    private static func isDark(_ person: Person?, _ now: Date) -> Bool {
        Darkness(for: person, at: now, in: zone).begins <= now
    }

    @Test("Without a schedule the clock decides: from 17:00 to 04:00")
    func clock() {
        for person in [nil, Person(id: me, name: "Me")] {
            #expect(Darkness(for: person, at: Self.at(12), in: Self.zone).begins == Self.at(17))
            #expect(!Self.isDark(person, Self.at(16, 59)) && Self.isDark(person, Self.at(17)))
            #expect(Self.isDark(person, Self.at(3, 59)) && !Self.isDark(person, Self.at(4)))
        }
    }

    @Test("A night begins it four hours early, and ends it in the morning")
    func night() {
        let person = Self.person("20:00", "07:00")
        #expect(Darkness(for: person, at: Self.at(12), in: Self.zone).begins == Self.at(16))
        #expect(Self.isDark(person, Self.at(16, 1)) && Self.isDark(person, Self.at(6, 59)))
        #expect(!Self.isDark(person, Self.at(7)))
    }

    @Test("A session by day is night too")
    func session() {
        var person = Self.person("22:00", "07:00")
        #expect(!Self.isDark(person, Self.at(13)))
        person.session = .manual(
            id: UUID(), until: Self.at(14), strictness: .flexible, at: Self.at(12), allowed: AppSelection())
        #expect(Self.isDark(person, Self.at(13)))
    }
}
