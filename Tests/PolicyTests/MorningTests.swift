import Foundation
import Testing

@testable import Policy

@Suite struct MorningTests {
    private static let berlin = zone("Europe/Berlin")

    /// A night by the schedule, in UTC.
    private static func night(
        _ start: String, _ end: String, _ ending: PastNight.Ending = .kept, ended: String? = nil,
        isScheduled: Bool = true
    ) -> PastNight {
        PastNight(
            start: at(start), end: at(ended ?? end), plannedEnd: at(end), isScheduled: isScheduled,
            ending: ending)
    }

    /// 22:00 to 06:00 in Berlin's winter, on the evening of a day in November.
    private static func november(_ day: Int, _ ending: PastNight.Ending = .kept, ended: String? = nil)
        -> PastNight
    {
        night("2026-11-\(day)T21:00:00Z", "2026-11-\(day + 1)T05:00:00Z", ending, ended: ended)
    }

    @Test("The morning lasts two hours from the night's end, its first instant included")
    func twoHours() throws {
        let nights = [Self.night("2026-11-20T22:15:00Z", "2026-11-21T06:00:00Z")]
        func morning(_ now: String) -> Morning? { Morning(after: nights, at: at(now), in: .utc) }
        #expect(morning("2026-11-21T05:59:59Z") == nil)
        let found = try #require(morning("2026-11-21T06:00:00Z"))
        #expect(
            found.minutes == 7 * 60 + 45 && found.nights == 1 && found.began == at("2026-11-21T06:00:00Z"))
        #expect(morning("2026-11-21T07:59:59Z") != nil)
        #expect(morning("2026-11-21T08:00:00Z") == nil)
        #expect(!found.contains(at("2026-11-21T05:59:59Z")) && found.contains(at("2026-11-21T06:00:00Z")))
    }

    @Test("Six nights in a row; a reset ends the row, and so does an evening without a night")
    func inARow() {
        func nights(_ list: [PastNight]) -> Int? {
            Morning(after: list, at: at("2026-11-21T06:00:00Z"), in: Self.berlin)?.nights
        }
        let six = (15...20).map { Self.november($0) }
        #expect(nights(six) == 6)
        #expect(nights(six.reversed()) == 6, "in any order")
        #expect(nights(six.filter { $0 != Self.november(17) }) == 3)
        let reset = Self.november(17, .reset, ended: "2026-11-18T01:00:00Z")
        #expect(nights(six.filter { $0 != Self.november(17) } + [reset]) == 3)
        #expect(nights(six + [reset]) == 3, "a kept part does not mend a reset")
        let cancelled = Self.november(17, .cancelled, ended: "2026-11-17T21:30:00Z")
        #expect(nights(six + [cancelled]) == 6, "cancelled, and begun again")
        #expect(
            nights(six.filter { $0 != Self.november(17) } + [cancelled]) == 3, "cancelled alone is no night")
    }

    @Test(
        "After a reset or a cancelled night there is no morning",
        arguments: [PastNight.Ending.reset, .cancelled])
    func lastIsBroken(_ ending: PastNight.Ending) {
        let nights = [Self.november(19), Self.november(20, ending, ended: "2026-11-21T04:30:00Z")]
        #expect(Morning(after: nights, at: at("2026-11-21T05:30:00Z"), in: Self.berlin) == nil)
    }

    @Test("One touch is a night too, a nap is none, and what was taken back at once leaves no trace")
    func byHand() {
        func morning(_ list: [PastNight], _ now: String = "2026-11-21T05:30:00Z") -> Morning? {
            Morning(after: list, at: at(now), in: Self.berlin)
        }
        let byHand = Self.night("2026-11-20T19:30:00Z", "2026-11-21T05:00:00Z", isScheduled: false)
        #expect(morning([Self.november(19), byHand])?.nights == 2)
        #expect(morning([byHand])?.minutes == 570)
        let nap = Self.night("2026-11-20T12:00:00Z", "2026-11-20T16:00:00Z", isScheduled: false)
        #expect(morning([nap], "2026-11-20T16:30:00Z") == nil, "four hours in the afternoon")
        let second = Self.night("2026-11-21T05:05:00Z", "2026-11-21T05:35:00Z", isScheduled: false)
        let kept = morning([Self.november(20), second], "2026-11-21T05:40:00Z")
        #expect(
            kept?.began == at("2026-11-21T05:00:00Z") && kept?.minutes == 480, "half an hour after waking")
        let short = Self.night("2026-11-21T03:00:00Z", "2026-11-21T05:00:00Z")
        #expect(morning([short]) == nil, "two hours")
        let takenBack = Self.night(
            "2026-11-20T19:00:00Z", "2026-11-21T05:00:00Z", .cancelled, ended: "2026-11-20T19:00:07Z",
            isScheduled: false)
        #expect(morning([takenBack, Self.november(20)])?.nights == 1)
    }

    @Test("Two sessions of one night are one night; a minute of both counts once")
    func twoParts() {
        let first = Self.night(
            "2026-11-20T19:00:00Z", "2026-11-21T05:00:00Z", ended: "2026-11-20T22:00:00Z", isScheduled: false)
        let morning = Morning(
            after: [first, Self.november(20)], at: at("2026-11-21T05:00:00Z"), in: Self.berlin)
        #expect(morning?.minutes == 600 && morning?.nights == 1)
    }

    @Test(
        "A-14: nights across a clock change count once, with the minutes that passed",
        arguments: [
            // Spring: 22:00 to 07:00 is 8 hours.
            (
                "Europe/Berlin", ["2026-03-27T21:00:00Z", "2026-03-28T21:00:00Z", "2026-03-29T20:00:00Z"],
                ["2026-03-28T06:00:00Z", "2026-03-29T05:00:00Z", "2026-03-30T05:00:00Z"], [540, 480, 540]
            ),
            // Autumn: 22:00 to 07:00 is 10 hours.
            (
                "Europe/Berlin", ["2026-10-23T20:00:00Z", "2026-10-24T20:00:00Z", "2026-10-25T21:00:00Z"],
                ["2026-10-24T05:00:00Z", "2026-10-25T06:00:00Z", "2026-10-26T06:00:00Z"], [540, 600, 540]
            ),
            // Samoa skipped the whole 30th of December: the nights before and after it follow each other.
            (
                "Pacific/Apia", ["2011-12-28T08:00:00Z", "2011-12-29T08:00:00Z", "2011-12-30T10:00:00Z"],
                ["2011-12-28T17:00:00Z", "2011-12-29T17:00:00Z", "2011-12-30T17:00:00Z"], [540, 540, 420]
            ),
        ])
    func clockChanges(_ name: String, _ starts: [String], _ ends: [String], _ minutes: [Int]) throws {
        let nights = zip(starts, ends).map { Self.night($0, $1) }
        for (index, night) in nights.enumerated() {
            let morning = try #require(
                Morning(after: Array(nights[...index]), at: night.end.addingTimeInterval(60), in: zone(name)))
            #expect(morning.nights == index + 1 && morning.minutes == minutes[index])
        }
    }

    @Test("The running night's morning is known beforehand")
    func coming() throws {
        let session = SleepSession(
            id: UUID(), mode: .manual(durationMinutes: 480), strictness: .strict,
            startedAt: at("2026-11-20T21:00:00Z"),
            endsAt: at("2026-11-21T05:00:00Z"), allowed: AppSelection(), night: day("2026-11-20"))
        let coming = PastNight(ifKept: session)
        let morning = try #require(
            Morning(after: [Self.november(19), coming], at: coming.end, in: Self.berlin))
        #expect(
            morning.nights == 2 && morning.minutes == 480 && !morning.contains(at("2026-11-21T04:59:00Z")))
    }

    @Test(
        "Good night is offered in the evening, and within 4 hours before a night",
        arguments: [
            ("2026-11-20T17:00:00Z", nil, true), ("2026-11-20T16:59:00Z", nil, false),
            ("2026-11-21T03:59:00Z", nil, true), ("2026-11-21T04:00:00Z", nil, false),
            ("2026-11-20T10:30:00Z", "14:00", true), ("2026-11-20T09:30:00Z", "14:00", false),
        ] as [(String, String?, Bool)])
    func goodnight(_ now: String, _ bedtime: String?, _ isOffered: Bool) {
        var person = Person(id: me, name: "Me", schedule: bedtime.map { schedule($0, "22:00") })
        #expect(person.offersGoodnight(at: at(now), in: .utc) == isOffered)
        person.session = .manual(
            id: UUID(), until: at(now).addingTimeInterval(3_600), strictness: .flexible, at: at(now),
            allowed: AppSelection())
        #expect(!person.offersGoodnight(at: at(now), in: .utc))
    }
}
