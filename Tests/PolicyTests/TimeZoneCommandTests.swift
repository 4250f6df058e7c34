import Foundation
import Testing

@testable import Policy

@Suite struct TimeZoneCommandTests {
    @Test("A-14: only IANA names", arguments: ["", "Nope", "PST", "GMT+5", "europe/berlin"])
    func refusesWhatIsNone(_ name: String) {
        var household = home()
        #expect(throws: Refusal.unknownZone) {
            try household.setTimeZone(name, at: at("2026-11-20T12:00:00Z"))
        }
        #expect(household.timeZone == "UTC")
    }

    @Test func nightsFollowTheZone() throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T12:00:00Z")
        try house.change { try $0.setTimeZone("America/New_York", at: $1) }
        #expect(house.verdict.nextStart == at("2026-11-21T03:00:00Z"))
    }

    @Test("C-12: a night that is over stays over, and tonight stays tonight, in whatever zone")
    func doneNightsMove() throws {
        var house = House(
            home(schedule("22:00", "07:00"), zone: "Pacific/Auckland"), at: "2026-11-19T12:00:00Z")
        house.go(to: "2026-11-19T18:00:00Z")
        #expect(house.session == nil && house.household[person: me]?.nightDone == day("2026-11-19"))
        // There it is the 19th again, 13:00.
        try house.change { try $0.setTimeZone("America/New_York", at: $1) }
        house.go(to: "2026-11-20T03:00:00Z")
        #expect(house.session?.night == day("2026-11-19"))
        // Going west does not bring an hour of last night back.
        var west = House(home(schedule("22:00", "07:00"), zone: "Europe/Berlin"), at: "2026-11-20T05:00:00Z")
        west.go(to: "2026-11-20T06:10:00Z")
        try west.change { try $0.setTimeZone("Europe/London", at: $1) }
        #expect(west.session == nil)
        west.go(to: "2026-11-20T22:00:00Z")
        #expect(west.session != nil)
    }
}
