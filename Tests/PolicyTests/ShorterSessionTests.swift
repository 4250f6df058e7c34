import Foundation
import Testing

@testable import Policy

/// A parent lets a child wake earlier than planned.
@Suite struct ShorterSessionTests {
    private func press(_ house: inout House, _ text: String, on person: PersonID = kid) throws -> OneTapPress
    {
        try house.change { household, now in
            try household.press(.wakeAt(time(text)), on: person, by: "parent", unique: UUID(), at: now).press
        }
    }

    @Test("A child's night ends at the earlier time, does not begin again, and Undo gives it back")
    func earlier() throws {
        var household = home()
        household.people[1].schedule = schedule("20:00", "07:00")
        var house = House(household, at: "2026-11-20T20:00:00Z")
        let night = house.household[person: kid]?.session
        let first = try press(&house, "06:00")
        #expect(house.household[person: kid]?.session?.endsAt == at("2026-11-21T06:00:00Z"))
        #expect(house.household[person: kid]?.session?.id == night?.id)
        house.wait(5)
        _ = try house.change { try $0.takeBack(first, by: "parent", at: $1) }
        #expect(house.household[person: kid]?.session == night)
        _ = try press(&house, "06:00")
        house.go(to: "2026-11-21T06:00:01Z")
        #expect(house.household[person: kid]?.session == nil, "and not again before the next bedtime")
        house.go(to: "2026-11-21T20:00:01Z")
        #expect(house.household[person: kid]?.session?.endsAt == at("2026-11-22T07:00:00Z"))
    }

    @Test("A session by hand that reaches into the night takes that night with it")
    func byHand() throws {
        var household = home()
        household.people[1].schedule = schedule("21:00", "07:00")
        var house = House(household, at: "2026-11-20T20:30:00Z")
        try house.change {
            try $0.startSession(kid, durationMinutes: 480, strictness: .flexible, id: UUID(), at: $1)
        }
        _ = try press(&house, "22:00")
        #expect(
            house.household[person: kid]?.asleepUntil(at: house.now, in: house.household.zone)
                == at("2026-11-20T22:00:00Z"))
        #expect(house.household[person: kid]?.session?.isWhole == true)
        house.go(to: "2026-11-20T22:00:01Z")
        #expect(house.household[person: kid]?.session == nil)
    }

    @Test("A strict night is not shortened through a session by hand that began before it")
    func strictNight() throws {
        var household = home()
        household.people[1].schedule = schedule("21:00", "07:00", .strict)
        var house = House(household, at: "2026-11-20T20:45:00Z")
        try house.change {
            _ = try $0.press(.bedtime, on: kid, by: "parent", unique: UUID(), at: $1)
        }
        #expect(throws: Refusal.strictSession) { try press(&house, "06:00") }
        // Before the night begins, nothing of it is lost.
        _ = try press(&house, "20:50")
        house.go(to: "2026-11-20T21:00:01Z")
        #expect(house.household[person: kid]?.session?.strictness == .strict)
    }

    @Test("Never a strict session, an adult's, a later end, or one that is past")
    func refused() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        #expect(throws: Refusal.noSession) { try press(&house, "21:00") }
        try house.change {
            try $0.startSession(kid, durationMinutes: 120, strictness: .strict, id: UUID(), at: $1)
        }
        #expect(throws: Refusal.strictSession) { try press(&house, "21:00") }
        try house.start(120)
        #expect(throws: Refusal.onlyForChildren) { try press(&house, "21:00", on: me) }
        house.household.people[1].session = nil
        try house.change {
            try $0.startSession(kid, durationMinutes: 120, strictness: .flexible, id: UUID(), at: $1)
        }
        for text in ["22:00", "23:00", "20:00", "19:00"] {
            #expect(throws: Refusal.noEarlierEnd) { try press(&house, text) }
        }
        _ = try press(&house, "21:59")
    }
}
