import Foundation
import Testing

@testable import Policy

@Suite struct DatesPropertyTests {
    /// Days on which clocks change, the date line that Samoa crossed, and the year's end.
    private static let places = [
        ("Europe/Berlin", "2026-03-29T00:30:00Z"), ("Europe/Berlin", "2026-10-25T00:30:00Z"),
        ("America/New_York", "2026-11-01T05:30:00Z"), ("Australia/Lord_Howe", "2026-04-04T14:30:00Z"),
        ("Pacific/Apia", "2011-12-30T09:30:00Z"), ("America/Asuncion", "2024-03-24T02:30:00Z"),
        ("America/Havana", "2026-11-01T04:30:00Z"), ("Europe/Berlin", "2026-12-31T22:30:00Z"),
        ("Pacific/Chatham", "2027-01-01T00:00:00Z"), ("UTC", "2028-02-29T12:00:00Z"),
    ]

    private struct Case {
        let person: Person
        let household: Household
        let slow: SlowVerdict
        let center: Date

        init(_ place: (String, String), _ random: inout Generator) {
            center = at(place.1)
            let zone = zone(place.0)
            var person = Person(id: me, name: "Me", schedule: random.schedule())
            person.schedule?.isEnabled = true
            person.dateExceptions = random.dateExceptions(around: center, in: zone)
            person.antiRot = AntiRot(
                restricted: AppSelection(apps: ["tiktok"]), windows: random.windows())
            if random.chance(50) {
                person.antiRot.otherSets = [
                    WindowSet(
                        id: UUID(), name: "More", restricted: AppSelection(apps: ["tiktok", "reddit"]),
                        windows: random.windows())
                ]
            }
            person.limits.list = [random.limit(on: .app("reddit"))]
            self.person = person
            household = Household(timeZone: place.0, people: [person])
            slow = SlowVerdict(household: household, catalog: smallCatalog, usage: .none)
        }
    }

    @Test("Nights agree with the slow evaluation, date by date", arguments: 0..<30)
    func nights(_ seed: UInt64) {
        var random = Generator(seed: 31_000 + seed)
        for place in Self.places {
            let one = Case(place, &random)
            let zone = one.household.zone
            let nights = one.person.nights(in: zone)!
            for days in -4...6 {
                let date = zone.date(of: one.center).adding(days: days)
                let found = nights.night(on: date).map { $0.start..<$0.end }
                #expect(
                    found == one.slow.night(of: one.slow.number(date), one.person),
                    "\(date) in \(place.0): \(one.person)")
            }
        }
    }

    @Test(
        "Each quarter of an hour, who sleeps and what is open agree with the slow evaluation",
        arguments: 0..<4)
    func minutes(_ seed: UInt64) {
        var random = Generator(seed: 32_000 + seed)
        for place in Self.places {
            let one = Case(place, &random)
            let usage = random.usage(of: one.household)
            let slow = SlowVerdict(household: one.household, catalog: smallCatalog, usage: usage)
            for step in (-3 * 96)..<(3 * 96) {
                let now = one.center + TimeInterval(step * 900)
                let days = slow.daysAround(now)
                let isNight = days.contains { slow.night(of: $0, one.person)?.contains(now) == true }
                #expect(
                    (one.person.nights(in: one.household.zone)?.night(containing: now) != nil) == isNight,
                    "\(now) in \(place.0): \(one.person)")
                let snapshot = Snapshot(
                    revision: 1, instant: now, household: one.household, catalog: smallCatalog,
                    verdicts: one.household.evaluate(at: now, usage: usage), usage: usage)
                for name in ["tiktok.com", "reddit.com"] {
                    let block = snapshot.verdict(of: name, person: me).block
                    let expected = slow.answer(name, one.person, session: nil, at: now)
                    #expect(
                        block?.layer == expected?.layer, "\(name) at \(now) in \(place.0): \(one.person)")
                }
            }
        }
    }

    @Test("A night that nothing changes begins at the promised instant, however long exceptions last")
    func farAway() throws {
        var house = home(schedule("22:00", "07:00"))
        let now = at("2026-11-20T12:00:00Z")
        let long = DateException(
            id: UUID(), first: day("2026-11-20"), last: day("2027-08-31"), instead: .nothing)
        try house.addDateException(long, for: [me], at: now)
        #expect(house.people[0].nights(in: .utc)?.nextNight(after: now)?.date == day("2027-09-01"))
        #expect(house.evaluate(at: now)[me]?.nextStart == at("2027-09-01T22:00:00Z"))
    }
}
