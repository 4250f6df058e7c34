import Foundation
import Testing

@testable import Policy

@Suite("An adult can leave at any time; what was promised for a time holds that long")
struct LeaveTests {
    private static let second = DeviceID(rawValue: 5)

    /// Me has a phone and a laptop, Kim a tablet; it is 20:00 on a Friday.
    private func house(delay: Int = 0, isConfirmed: Bool = true) -> House {
        var household = home(schedule("22:00", "07:00", .strict))
        household.devices[0].isConfirmed = isConfirmed
        household.devices.append(
            Device(
                id: Self.second, name: "Laptop", kind: .computer, person: me, addresses: ["10.0.0.5"],
                firstSeen: at("2026-01-01T00:00:00Z"), lastSeen: at("2026-01-01T00:00:00Z")))
        if delay > 0 {
            household.people[0].looseningDelay = delay
            household.people[0].limits.list = [UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)]
        }
        return House(household, at: "2026-11-20T20:00:00Z")
    }

    private func leave(_ house: inout House, everywhere: Bool = false) throws -> [DeviceID] {
        try house.change { try $0.leave(phone, everywhere: everywhere, at: $1) }
    }

    @Test(
        "If nothing holds, the person leaves at once, on this device or all of theirs, and on nobody else's",
        arguments: [true, false])
    func atOnce(_ everywhere: Bool) throws {
        var house = house()
        #expect(try leave(&house, everywhere: everywhere) == (everywhere ? [phone, Self.second] : [phone]))
        #expect(house.household[device: phone]?.person == nil)
        #expect(house.household[device: phone]?.left == Left(person: me, at: house.now))
        #expect((house.household[device: Self.second]?.person == nil) == everywhere)
        #expect(house.household[device: tablet]?.person == kid)
    }

    /// When the phone's departure ends; nil if none waits.
    private func due(_ house: House) -> Date? { house.household[device: phone]?.departure?.due }

    @Test("A flexible session demands its cancel's 30 seconds, or the rest of them")
    func flexible() throws {
        for cancelsFirst in [false, true] {
            var house = house()
            try house.start(60, .flexible)
            if cancelsFirst {
                try house.change { try $0.beginCancel(me, at: $1) }
                house.wait(20)
            }
            #expect(try leave(&house) == [])
            let wait: TimeInterval = cancelsFirst ? 10 : 30
            #expect(due(house) == house.now + wait && house.verdict.validUntil == house.now + wait)
            house.wait(wait - 1)
            #expect(house.household[device: phone]?.person == me)
            house.wait(1)
            #expect(house.household[device: phone]?.left == Left(person: me, at: house.now))
        }
    }

    @Test("A night holds until the morning, even a flexible one, or one behind a manual session")
    func night() throws {
        for (strictness, hidden) in [(StrictnessMode.flexible, false), (.strict, false), (.flexible, true)] {
            var house = house()
            try house.save(schedule("22:00", "07:00", strictness))
            if hidden { try house.start(240) }
            house.go(to: "2026-11-20T23:00:00Z")
            #expect(try leave(&house) == [])
            #expect(due(house) == at("2026-11-21T07:00:00Z"))
            house.go(to: "2026-11-21T06:59:59Z")
            #expect(house.household[device: phone]?.person == me)
            house.go(to: "2026-11-21T07:00:00Z")
            #expect(house.household[device: phone]?.person == nil)
        }
    }

    @Test("A flexible night that was cancelled with the passcode no longer holds")
    func cancelledNight() throws {
        var house = house()
        try house.save(schedule("22:00", "07:00", .flexible))
        house.go(to: "2026-11-20T23:00:00Z")
        _ = try leave(&house)
        try house.change { try $0.beginCancel(me, at: $1) }
        house.wait(29)
        #expect(house.household[device: phone]?.person == me)
        house.wait(1)
        #expect(house.household[device: phone]?.person == nil)
    }

    @Test("Anti-Rot holds until its next window, or midnight if that is first; while open, it does not")
    func windows() throws {
        let rows: [(String, String?)] = [
            ("21:00", "2026-11-20T21:00:00Z"), ("12:00", "2026-11-21T00:00:00Z"),
            ("", "2026-11-21T00:00:00Z"), ("19:30", nil),
        ]
        for (start, expected) in rows {
            var household = home()
            var antiRot = AntiRot(restricted: AppSelection(apps: ["tiktok"]), windows: [])
            if let hour = TimeOfDay(start) {
                let end = TimeOfDay(hour: hour.hour + 1, minute: hour.minute)
                antiRot.windows = [TimeWindow(id: UUID(), label: "", start: hour, end: end)]
            }
            household.people[0].antiRot = antiRot
            var house = House(household, at: "2026-11-20T20:00:00Z")
            // "I'm Eating" opens the apps for 45 minutes, but is no way to leave.
            try house.change { try $0.activateOverride(me, at: $1) }
            #expect(try leave(&house) == (expected == nil ? [phone] : []))
            #expect(due(house) == expected.map(at))
            guard let expected else { continue }
            house.go(to: at(expected) - 1)
            #expect(house.household[device: phone]?.person == me)
            house.go(to: expected)
            #expect(house.household[device: phone]?.person == nil)
        }
    }

    @Test("A reached limit holds until the day's reset, even while an unlock runs")
    func limits() throws {
        let tiktok = LimitTarget.app("tiktok")
        var house = try LimitedHouse([(tiktok, 30)])
        house.household.people[0].limits.resetHour = 4
        house.use(tiktok, 30)
        try house.unlock(tiktok)
        #expect(try house.household.leave(phone, at: house.now) == [])
        #expect(house.household[device: phone]?.departure?.due == at("2026-11-19T04:00:00Z"))
        house.now = at("2026-11-19T03:59:59Z")
        house.settle()
        #expect(house.household[device: phone]?.person == me)
        house.now = at("2026-11-19T04:00:00Z")
        house.usage = .none
        house.settle()
        #expect(house.household[device: phone]?.person == nil)
    }

    @Test("The layer that ends last counts, and the page can name it")
    func latest() throws {
        var household = home()
        household.people[0].antiRot = AntiRot(restricted: AppSelection(apps: ["tiktok"]), windows: [])
        var house = House(household, at: "2026-11-20T20:00:00Z")
        try house.start(480, .strict)
        let device = house.household.devices[0]
        let holds = house.household.leaveHolds(device, askedAt: house.now, at: house.now)
        #expect(holds.map(\.reason) == [.strict, .windows])
        #expect(holds.map(\.until) == [at("2026-11-21T04:00:00Z"), at("2026-11-21T00:00:00Z")])
        _ = try leave(&house)
        #expect(due(house) == at("2026-11-21T04:00:00Z"))
    }

    @Test("The third time within a week waits a day, on that device, through returns and other owners")
    func often() throws {
        var house = House(home(), at: "2026-11-16T10:00:00Z")
        for _ in 0..<2 {
            #expect(try leave(&house) == [phone])
            try house.change { household, _ in try household.enroll(phone, for: me) }
            house.wait(3_600)
        }
        #expect(house.household[device: phone]?.leaves.count == 2)
        #expect(try leave(&house) == [])
        #expect(due(house) == house.now + 86_400)
        // Taken back and requested again, it waits from the beginning.
        house.wait(80_000)
        try house.change { household, _ in try household.stay(phone) }
        #expect(try leave(&house) == [])
        #expect(due(house) == house.now + 86_400)
        try house.change { household, _ in try household.stay(phone) }
        // A day with another owner changes nothing.
        try house.change { try $0.assign(phone, to: kid, at: $1) }
        try house.change { try $0.assign(phone, to: me, at: $1) }
        #expect(try leave(&house) == [])
        // A week after the first leave, only one counts.
        house.go(to: "2026-11-23T10:00:00Z")
        try house.change { household, _ in
            if household[device: phone]?.person == nil { try household.enroll(phone, for: me) }
        }
        #expect(house.household[device: phone]?.leaves.count(where: { $0.isRecent(at: house.now) }) == 2)
        house.go(to: "2026-11-26T10:00:00Z")
        #expect(try leave(&house) == [phone])
    }

    @Test("What began after the request does not delay it")
    func neverLater() throws {
        var house = house()
        try house.start(60, .flexible)
        _ = try leave(&house)
        house.wait(10)
        try house.change { household, _ in
            household.people[0].antiRot = AntiRot(restricted: AppSelection(apps: ["tiktok"]), windows: [])
        }
        house.wait(20)
        #expect(house.household[device: phone]?.person == nil)
    }

    @Test("After a return on the same day the same rules hold: the session, and no laxer person")
    func backInASession() throws {
        var house = house()
        #expect(try leave(&house) == [phone])
        try house.start(60, .strict)
        let session = house.session
        try house.change { household, _ in try household.enroll(phone, for: me) }
        #expect(house.session == session && house.household[device: phone]?.isConfirmed == true)
        #expect(try leave(&house) == [])
        #expect(due(house) == session?.endsAt)
    }

    @Test("A strict session holds until its end, and no later one holds")
    func strict() throws {
        var house = house()
        try house.start(60, .strict)
        #expect(try leave(&house) == [])
        let device = try #require(house.household[device: phone])
        #expect(due(house) == at("2026-11-20T21:00:00Z"))
        #expect(device.person == me)
        house.go(to: "2026-11-20T20:59:59Z")
        #expect(house.household[device: phone]?.person == me)
        house.go(to: "2026-11-20T21:00:00Z")
        #expect(house.household[device: phone]?.left == Left(person: me, at: house.now))
    }

    @Test("The night after a strict session does not hold a person who asked before")
    func nightTakesOver() throws {
        var house = house()
        try house.start(240, .strict)
        _ = try leave(&house)
        house.go(to: "2026-11-21T00:00:00Z")
        #expect(house.session?.night != nil)
        #expect(house.household[device: phone]?.person == nil)
    }

    @Test("Emergency Reset ends the session, and with it the hold")
    func reset() throws {
        var house = house()
        try house.start(60, .strict)
        _ = try leave(&house)
        try house.reset()
        #expect(house.household[device: phone]?.left?.person == me)
    }

    @Test("The wait for loosening delays a leave too, and not a minute longer", arguments: [8, 24])
    func waits(_ hours: Int) throws {
        var house = house(delay: hours)
        #expect(try leave(&house) == [])
        let due = house.now.addingTimeInterval(TimeInterval(hours) * 3_600)
        #expect(self.due(house) == due)
        #expect(house.verdict.validUntil! <= due)
        // The wait is made longer meanwhile.
        try house.change { try $0.setLooseningDelay(me, hours: 24, change: UUID(), at: $1) }
        // The evening's strict night runs after 8 hours; it had not begun at the request.
        house.go(to: due.addingTimeInterval(-1))
        #expect(house.household[device: phone]?.person == me)
        house.go(to: due)
        #expect(house.household[device: phone]?.person == nil)
    }

    @Test("A clock that was ahead delays nobody for longer than a day")
    func clock() throws {
        var house = house(delay: 24)
        _ = try leave(&house)
        house.go(to: "2026-11-10T20:00:00Z")
        house.go(to: "2026-11-11T20:00:00Z")
        #expect(house.household[device: phone]?.left != nil)
    }

    @Test("A second request changes nothing; staying takes it back")
    func stays() throws {
        var house = house(delay: 8)
        _ = try leave(&house, everywhere: true)
        let asked = house.household[device: phone]?.departure
        house.wait(600)
        _ = try leave(&house)
        #expect(house.household[device: phone]?.departure == asked)
        try house.change { household, _ in try household.stay(phone, everywhere: true) }
        #expect(house.household.devices.allSatisfy { $0.departure == nil })
        house.wait(86_400)
        #expect(house.household[device: phone]?.person == me)
    }

    @Test("A person who became a child stays, even if they were about to leave as an adult")
    func becomesAChild() throws {
        var house = house()
        try house.start(60, .strict)
        #expect(try leave(&house, everywhere: true) == [])
        try house.change { household, _ in try household.setRole(me, to: .child, isTheirs: true) }
        #expect(house.household.devices.allSatisfy { $0.departure == nil })
        house.go(to: "2026-11-21T12:00:00Z")
        #expect(house.household[device: phone]?.person == me)
    }

    @Test("A stored departure of a child is dropped")
    func storedDepartureOfAChild() throws {
        var house = house()
        house.household.devices[0].departure = Departure(askedAt: house.now, due: house.now)
        house.household.people[0].role = .child
        house.go(to: "2026-11-20T20:01:00Z")
        #expect(house.household[device: phone]?.person == me)
        #expect(house.household[device: phone]?.departure == nil)
    }

    @Test("A phone with a new address during a strict session is not released for being new")
    func newAddress() throws {
        var house = house(isConfirmed: false)
        try house.start(60, .strict)
        house.household.devices[0].firstSeen = house.now.addingTimeInterval(120)
        house.go(to: "2026-11-20T20:05:00Z")
        #expect(try leave(&house) == [])
        house.go(to: "2026-11-20T21:00:00Z")
        #expect(house.household[device: phone]?.left?.person == me)
    }

    @Test("A device marked Medical leaves in a strict session too")
    func medical() throws {
        var house = house()
        try house.change { try $0.setKind(phone, to: .medical, at: $1) }
        try house.start(60, .strict)
        #expect(try leave(&house) == [phone])
    }

    @Test("These cannot leave: a child, a device without an owner, an unconfirmed device for all others")
    func refused() throws {
        var house = house(isConfirmed: false)
        #expect(throws: Refusal.childrenStay) {
            try house.change { try $0.leave(tablet, at: $1) }
        }
        #expect(throws: Refusal.deviceUnconfirmed) {
            try house.change { try $0.leave(phone, everywhere: true, at: $1) }
        }
        #expect(throws: Refusal.unknownDevice) {
            try house.change { try $0.leave(DeviceID(rawValue: 99), at: $1) }
        }
        #expect(try leave(&house) == [phone])
        #expect(throws: Refusal.deviceNotEnrolled) { try leave(&house) }
    }

    @Test("A person who comes back has their own rules; another person does not")
    func back() throws {
        var house = house()
        _ = try leave(&house)
        try house.change { household, _ in try household.enroll(phone, for: me) }
        #expect(house.household[device: phone]?.isConfirmed == true)
        #expect(house.household[device: phone]?.left == nil)
        _ = try leave(&house)
        try house.change { household, _ in try household.enroll(phone, for: kid) }
        #expect(house.household[device: phone]?.isConfirmed == false)
    }

    @Test("A waiting departure goes with the device, or with its person")
    func overtaken() throws {
        var house = house(delay: 8)
        _ = try leave(&house)
        try house.change { household, _ in
            household.people[0].looseningDelay = 0
            try household.assign(phone, to: kid, at: at("2026-11-20T20:00:00Z"))
        }
        #expect(house.household[device: phone]?.departure == nil)
        try house.change { try $0.leave(Self.second, at: $1) }
        try house.change { try $0.removePerson(me, at: $1) }
        #expect(house.household[device: Self.second]?.left == nil)
    }

    @Test("A departure that waited is told once, for the log")
    func told() throws {
        var household = house(delay: 8).household
        let now = at("2026-11-20T20:00:00Z")
        _ = try household.leave(phone, at: now)
        let before = household
        _ = household.settle(at: now + 28_800, newID: UUID.init)
        let events = household.ruleEvents(since: before, at: now + 28_800)
        #expect(events == [RuleEvent(kind: .left(phone), person: me, instant: now + 28_800)])
        #expect(household.ruleEvents(since: household, at: now + 28_800).isEmpty)
    }
}
