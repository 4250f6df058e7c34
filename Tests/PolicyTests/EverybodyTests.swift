import Foundation
import Testing

@testable import Policy

@Suite struct EverybodyTests {
    private static let evening = "2026-11-20T20:00:00Z"

    private static func house() throws -> House {
        var house = House(home(schedule("22:00", "07:00")), at: evening)
        try house.change { household, _ in try household.setDefaultStrictness(kid, to: .strict) }
        return house
    }

    @Test("One press puts each person to bed who is awake, as their own button would")
    func everybody() throws {
        var house = try Self.house()
        let done = try house.everybodyToBed()
        #expect(done.map(\.person) == [me, kid])
        #expect(Set(done.map(\.id)).count == 1 && Set(done.compactMap(\.session)).count == 2)
        let sessions = house.household.people.compactMap(\.session)
        #expect(sessions.map(\.endsAt) == [at("2026-11-21T07:00:00Z"), at("2026-11-21T04:00:00Z")])
        #expect(sessions.map(\.strictness) == [.flexible, .strict])
    }

    @Test("Undo takes back what it began, strict sessions too, and nothing else")
    func undo() throws {
        var house = try Self.house()
        try house.start(60)
        let before = house.household
        let done = try house.everybodyToBed()
        #expect(done.map(\.person) == [kid])
        house.wait(8)
        try house.takeBack(done)
        #expect(house.household == before && house.session != nil)
    }

    @Test("Who was changed since stays as they are; the others are taken back")
    func overtaken() throws {
        var house = try Self.house()
        let done = try house.everybodyToBed()
        try house.reset()
        try house.start(30, .strict)
        #expect(try house.takeBack(done).map(\.press.person) == [kid])
        #expect(house.session?.strictness == .strict)
        #expect(house.household[person: kid]?.session == nil)
        #expect(throws: Refusal.undoOvertaken) { try house.takeBack(done) }
    }

    @Test(
        "After eight seconds, or by another hand, everybody sleeps on",
        arguments: [(8.001, "ada"), (3, "kim")])
    func refused(_ row: (seconds: Double, presser: String)) throws {
        var house = try Self.house()
        let done = try house.everybodyToBed()
        house.wait(row.seconds)
        let before = house.household
        #expect(throws: row.presser == "ada" ? Refusal.undoTooLate : .undoNotYours) {
            try house.takeBack(done, by: row.presser)
        }
        #expect(house.household == before)
    }

    @Test func nobodyIsAwake() throws {
        var house = try Self.house()
        #expect(house.household.bedtimeGroups(at: house.now) == [.children, .everybody])
        try house.everybodyToBed()
        #expect(house.household.bedtimeGroups(at: house.now).isEmpty)
        #expect(throws: Refusal.everybodyAsleep) { try house.everybodyToBed() }
    }
}

extension House {
    @discardableResult
    fileprivate mutating func everybodyToBed() throws -> [OneTapPress] {
        try change {
            try $0.pressToBed(.everybody, by: "ada", unique: UUID(), session: UUID.init, at: $1).map(\.press)
        }
    }

    @discardableResult
    fileprivate mutating func takeBack(
        _ presses: [OneTapPress], by presser: String = "ada"
    ) throws -> [(press: OneTapPress, event: SessionEvent?)] {
        try change { try $0.takeBack(presses, by: presser, at: $1) }
    }
}
