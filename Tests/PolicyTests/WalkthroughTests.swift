import Foundation
import Testing

@testable import Policy

/// The source documents' own stories, told with one clock.
@Suite struct WalkthroughTests {
    @Test("SI-109: 11 PM to 6:30 AM, strict, every night")
    func everyNight() throws {
        var house = House(home(zone: "Europe/Berlin"), at: "2026-11-20T15:00:00Z")
        try house.save(schedule("23:00", "06:30", .strict))
        #expect(house.session == nil && house.verdict.nextStart == at("2026-11-20T22:00:00Z"))
        for evening in 20...27 {
            house.go(to: "2026-11-\(evening)T21:59:59Z")
            #expect(house.session == nil)
            house.go(to: "2026-11-\(evening)T22:00:00Z")
            let session = try #require(house.session)
            #expect(session.mode == .recurring(startHour: 23, startMinute: 0, endHour: 6, endMinute: 30))
            #expect(session.strictness == .strict && session.startedAt == house.now)
            #expect(session.endsAt == at("2026-11-\(evening + 1)T05:30:00Z"))
            house.go(to: "2026-11-\(evening + 1)T05:29:59Z")
            #expect(house.session == session && house.verdict.blocks.count == 1)
            house.go(to: "2026-11-\(evening + 1)T05:30:00Z")
            #expect(house.session == nil && house.verdict.blocks.isEmpty)
        }
        #expect(house.events.count == 16)
    }

    @Test("SI-194 to SI-196: two hours, flexible, to their natural end")
    func naturalEnd() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(120)
        #expect(house.session?.endsAt == at("2026-11-20T22:00:00Z") && house.session?.isActive == true)
        house.go(to: "2026-11-20T21:59:59Z")
        #expect(house.session?.endsAt == house.now + 1)
        house.go(to: "2026-11-20T22:00:00Z")
        #expect(house.session == nil)
        house.settle()
        #expect(house.log == ["elapsed 2026-11-20T22:00:00Z"])
    }

    @Test("SI-197 to SI-199: a cancel takes 30 seconds, and Keep Sleeping takes it back")
    func cancel() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(60)
        try house.change { try $0.beginCancel(me, at: $1) }
        #expect(house.session?.cancelRemaining(at: house.now) == 30)
        for left in (1...29).reversed() {
            house.wait(1)
            #expect(house.session?.cancelRemaining(at: house.now) == left)
        }
        try house.change { try $0.keepSleeping(me, at: $1) }
        #expect(house.session?.cancelsAt == nil)
        house.wait(60)
        #expect(house.session != nil)
        try house.change { try $0.beginCancel(me, at: $1) }
        house.wait(29.999)
        #expect(house.session != nil)
        house.wait(0.001)
        #expect(house.session == nil && house.log == ["cancelled 2026-11-20T20:01:59Z"])
    }

    @Test("SI-200, SI-088: emergency reset ends any mode at once", arguments: StrictnessMode.allCases)
    func reset(_ strictness: StrictnessMode) throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(480, strictness)
        house.wait(5)
        try house.reset()
        #expect(house.session == nil && house.verdict.blocks.isEmpty)
        #expect(house.log == ["reset 2026-11-20T20:00:05Z"])
    }
}
