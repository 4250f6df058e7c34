import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct SessionRoutesTests {
    @Test("SI-129, SI-130: starting leads to the active page; SI-146: a strict one has no cancel button")
    func startsStrict() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let started = try await owner.post(
                "/session", [("durationMinutes", "120"), ("strictness", "strict")])
            #expect(started.status == .seeOther)
            #expect(started.location == "/session")
            for path in ["/session", "/"] {
                let page = try await owner.get(path)
                #expect(page.status == .ok)
                #expect(page.text.contains("Sleep Mode Active"))
                #expect(page.text.contains("Strict mode - session cannot be cancelled"))
                #expect(!page.text.contains("Cancel Session"))
                #expect(page.text.contains("href=\"/more\""))
            }
        }
        #expect(house.session?.strictness == .strict)
        #expect(house.session?.endsAt == TestHouse.evening + 7200)
    }

    @Test(
        "SI-125: only the six durations; SI-040: only the two modes",
        arguments: [
            ("45", "strict"), ("0", "strict"), ("-30", "strict"), ("30.0", "strict"), ("٣٠", "strict"),
            ("", "strict"), ("99999999999999999999", "strict"), ("1e3", "strict"), ("30", "Strict"),
            ("30", ""),
            ("30", "lenient"), ("30", "strict\u{301}"), ("<b>", "\"><script>"),
        ])
    func unknownValues(_ minutes: String, _ strictness: String) async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let fields = [("durationMinutes", minutes), ("strictness", strictness)]
            let response = try await guest.signedIn().post("/session", fields)
            #expect(response.status == .unprocessableContent)
            #expect(response.text.contains("role=\"alert\"") || response.text.contains("class=\"error\""))
            #expect(!response.text.contains("<script>"))
        }
        #expect(house.session == nil)
    }

    @Test("Missing, doubled and unknown fields: 422, and what was right is kept")
    func oddFields() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let (minutes, strict) = (("durationMinutes", "240"), ("strictness", "strict"))
            for fields in [
                [minutes], [strict], [], [minutes, minutes, strict], [minutes, strict, strict],
                [minutes, strict, ("strictnes", "strict")],
            ] {
                let response = try await owner.post("/session", fields)
                #expect(response.status == .unprocessableContent)
            }
            let kept = try await owner.post("/session", [minutes])
            #expect(kept.text.contains("value=\"240\" checked"))
        }
        #expect(house.session == nil)
    }

    @Test("SI-099: one at a time: 409, and the first one stays")
    func oneAtATime() async throws {
        let house = try TestHouse()
        try house.start()
        let first = house.session
        try await house.visit { guest in
            let fields = [("durationMinutes", "30"), ("strictness", "strict")]
            let response = try await guest.signedIn().post("/session", fields)
            #expect(response.status == .conflict)
            #expect(response.text.contains("A sleep session is already running."))
        }
        #expect(house.session == first)
    }

    @Test("SI-007 to SI-010: cancelling takes 30 s on the server, and can be taken back")
    func cancelling() async throws {
        let house = try TestHouse()
        try house.start(.flexible)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/session").text.contains("30-second delay"))
            let pressed = try await owner.post("/session/cancel")
            #expect(pressed.location == "/session")
            #expect(house.session?.cancelsAt == TestHouse.evening + 30)
            #expect(try await owner.get("/session").text.contains("Cancelling in"))
            // A second press does not start the delay again.
            house.clock.advance(by: 10)
            _ = try await owner.post("/session/cancel")
            #expect(house.session?.cancelsAt == TestHouse.evening + 30)
            _ = try await owner.post("/session/keep")
            #expect(house.session?.cancelsAt == nil)
            _ = try await owner.post("/session/cancel")
            house.clock.advance(by: 30)
            #expect(try await owner.get("/").text.contains("Time to wind down"))
            #expect(try await owner.post("/session/keep").status == .conflict)
            // The next stored change also stores what fell due.
            _ = try await owner.post("/settings", [("defaultStrictness", "strict")])
        }
        #expect(house.session == nil)
        #expect(try house.store.log(of: house.me.id).map(\.kind) == [.ruleChanged, .sessionCancelled])
    }

    @Test("SI-041, SI-084: a hand-made cancel of a strict session: 409, and it stays")
    func strictStays() async throws {
        let house = try TestHouse()
        try house.start(.strict)
        let before = house.session
        try await house.visit { guest in
            let response = try await guest.signedIn().post("/session/cancel")
            #expect(response.status == .conflict)
            #expect(response.text.contains("Strict mode - session cannot be cancelled"))
        }
        #expect(house.session == before)
    }

    @Test("SI-088, SI-089: emergency reset works for strict, and only when confirmed")
    func reset() async throws {
        let house = try TestHouse()
        try house.start(.strict)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for response in [
                try await owner.get("/settings/reset"), try await owner.post("/settings/reset"),
                try await owner.get("/settings/reset?confirm=reset"),
            ] {
                #expect(response.status == .ok)
                #expect(response.text.contains("name=\"confirm\" value=\"reset\""))
            }
            for value in ["RESET", "", "yes", "reset "] {
                let response = try await owner.post("/settings/reset", [("confirm", value)])
                #expect(response.status == .unprocessableContent)
            }
            #expect(house.session?.strictness == .strict)
            let done = try await owner.post("/settings/reset", [("confirm", "reset")])
            #expect(done.location == "/?done=reset")
            #expect(house.session == nil)
            #expect(try await owner.post("/settings/reset", [("confirm", "reset")]).status == .conflict)
        }
        #expect(try house.store.log(of: house.me.id).map(\.kind) == [.sessionReset])
    }

    @Test("SI-067, SI-094: at its very end a session is over on the page, whoever looks first")
    func endsOnTime() async throws {
        let house = try TestHouse()
        try house.start(.strict, minutes: 30)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            house.clock.advance(by: 1799.5)
            #expect(try await owner.get("/").text.contains("Sleep Mode Active"))
            house.clock.advance(by: 0.5)
            #expect(try await owner.get("/").text.contains("Time to wind down"))
            let next = try await owner.post(
                "/session", [("durationMinutes", "60"), ("strictness", "flexible")])
            #expect(next.status == .seeOther)
        }
        #expect(house.session?.strictness == .flexible)
    }

    @Test("A page never claims more than it knows")
    func nobodyAsks() async throws {
        try await TestHouse(devices: []).visit { guest in
            let owner = try guest.signedIn()
            for path in ["/", "/session"] {
                let page = try await owner.get(path)
                #expect(page.text.contains("No device is using this yet. Nothing will be blocked."))
            }
        }
    }

    @Test("Devices that only sleep are quiet; a device that is not enrolled hears so")
    func quiet() async throws {
        let house = try TestHouse()
        house.clock.advance(by: 3600)
        let truth = "This device is not enrolled: nothing is blocked on it."
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for heading in ["Start Now", "Sleep Mode Active"] {
                let page = try await owner.get("/session").text
                #expect(page.contains("<h1>\(heading)</h1>"))
                #expect(page.contains("1 device is enrolled, quiet just now."))
                #expect(!page.contains("Nothing will be blocked"))
                #expect(!page.contains(truth))
                #expect(try await owner.at(TestHouse.stranger).get("/session").text.contains(truth))
                if house.session == nil { try house.start() }
            }
        }
    }

    @Test("Without a session, emergency reset has nothing to press; a nap takes no night with it")
    func resetOfNothing() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let nothing = try await owner.get("/settings/reset").text
            #expect(nothing.contains("there is nothing to end"))
            #expect(!nothing.contains("action=\"/settings/reset\""))
            try house.start()
            let nap = try await owner.get("/settings/reset").text
            #expect(nap.contains("action=\"/settings/reset\""))
            #expect(!nap.contains("does not start again tonight"))
        }
    }

    @Test("person=<id> is whose session it is, in the address and in the form")
    func persons() async throws {
        let house = try TestHouse(people: [
            Person(id: PersonID(rawValue: 1), name: "Me"), Person(id: PersonID(rawValue: 2), name: "Ana"),
        ])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fields = [("durationMinutes", "30"), ("strictness", "flexible")]
            let response = try await owner.post("/session?person=2", fields)
            #expect(response.location == "/session?person=2")
            #expect(house.store.household.people.map { $0.session != nil } == [false, true])
            _ = try await owner.post("/session/cancel", [("person", "2")])
            #expect(house.store.household.people[1].session?.cancelsAt != nil)
            #expect(try await owner.post("/session", fields + [("person", "9")]).status == .notFound)
            #expect(try await owner.get("/").text.contains("Time to wind down"))
        }
    }
}
