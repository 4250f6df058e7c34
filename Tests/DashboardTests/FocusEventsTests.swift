import Dashboard
import Foundation
import Policy
import Store
import Testing

/// The focus timer's events for open pages, over real connections, with a clock that the test moves.
@Suite(.timeLimit(.minutes(1))) struct FocusEventsTests {
    private static let me = PersonID(rawValue: 1)
    private static let run = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")!

    private func publish(_ house: TestHouse, revision: Int) {
        let household = house.store.household
        house.site.publish(
            Snapshot(
                revision: revision, instant: house.clock.now, household: household,
                catalog: TestHouse.catalog, verdicts: household.evaluate(at: house.clock.now)))
    }

    private func tick(_ house: TestHouse) async {
        await house.clock.untilSomebodySleeps()
        house.clock.advance(by: 1)
    }

    @Test("Two open pages stay in step: start, each second, pause and the end")
    func inStep() async throws {
        let house = try TestHouse()
        let live = try await LiveHouse(house)
        let token = try house.store.createLogin(at: house.clock.now).token
        let wires = [
            try await live.get("/events", cookie: token), try await live.get("/events", cookie: token),
        ]
        func bothHear(_ text: String) async { for wire in wires { await wire.until(text) } }
        await bothHear(
            #""focus":{"state":"idle","totalSeconds":1500,"remainingSeconds":1500,"endsAt":null,"#
                + #""session":null,"shields":false,"finished":null}"#)

        try house.store.change { household in
            try household.startFocus(Self.me, minutes: 1, session: Self.run, at: house.clock.now)
        }
        publish(house, revision: 1)
        await bothHear(
            #""focus":{"state":"running","totalSeconds":60,"remainingSeconds":60,"#
                + #""endsAt":"2026-11-20T19:01:00Z","session":"\#(Self.run.uuidString)""#)
        await tick(house)
        await bothHear(#""remaining":null,"cancelRemaining":null,"focusRemaining":59"#)
        await tick(house)
        await bothHear(#""focusRemaining":58"#)

        try house.store.change { household in
            try household.moveFocus(Self.me, .pause, at: house.clock.now)
        }
        publish(house, revision: 2)
        await bothHear(#""focus":{"state":"paused","totalSeconds":60,"remainingSeconds":58,"endsAt":null"#)
        let before = wires[0].text.components(separatedBy: "event: tick").count
        for _ in 0..<3 { await tick(house) }
        #expect(
            wires[0].text.components(separatedBy: "event: tick").count == before, "a pause does not count")

        try house.store.change { household in
            try household.moveFocus(Self.me, .resume, at: house.clock.now)
            _ = household.settle(at: house.clock.now.addingTimeInterval(58), newID: UUID.init)
        }
        house.clock.advance(by: 58)
        publish(house, revision: 3)
        await bothHear(
            #""state":"idle","totalSeconds":60,"remainingSeconds":60,"endsAt":null,"session":null,"#
                + #""shields":false,"finished":{"id":"\#(Self.run.uuidString)","presetLabel":"1m","#)
        await bothHear(#""completed":true}"#)
        try await live.stop()
    }

    @Test("What ended is told for a minute, to a page that is opened then, also before it is written")
    func finishedIsToldForAMinute() async throws {
        let house = try TestHouse()
        try house.store.change { household in
            try household.startFocus(Self.me, minutes: 1, session: Self.run, at: house.clock.now)
        }
        func finished() -> String? {
            let now = house.clock.now
            var household = house.store.household
            _ = household.settle(at: now, newID: UUID.init)
            let snapshot = Snapshot(
                revision: 1, instant: now, household: household, catalog: TestHouse.catalog,
                verdicts: household.evaluate(at: now))
            let text = StateText(snapshot, at: now, lastFocus: house.store.latestFocusSession)
                .state(of: Audience(person: Self.me, isSignedIn: true))
            let object = text.flatMap { try? JSONSerialization.jsonObject(with: Data($0.bytes)) }
            let focus = (object as? [String: Any])?["focus"] as? [String: Any]
            return (focus?["finished"] as? [String: Any])?["id"] as? String
        }
        house.clock.advance(by: 59.9)
        #expect(finished() == nil)
        house.clock.advance(by: 0.1)
        #expect(finished() == Self.run.uuidString, "not written yet")
        try house.store.change { _ = $0.settle(at: house.clock.now, newID: UUID.init) }
        #expect(house.store.household.people[0].focus.finished.isEmpty)
        house.clock.advance(by: 60)
        #expect(finished() == Self.run.uuidString)
        house.clock.advance(by: 1)
        #expect(finished() == nil)
    }

    @Test("Without a login the timer is not told")
    func strangers() throws {
        let house = try TestHouse()
        let snapshot = house.site.feed.snapshot
        let audience = Audience(person: Self.me, isSignedIn: false)
        let text = try #require(StateText(snapshot, at: house.clock.now).state(of: audience))
        let words = String(decoding: text.bytes, as: UTF8.self)
        #expect(words.contains("\"focus\":null"))
    }
}
