import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct PauseRoutesTests {
    /// Me and Ada, whose night begins at 22:00; it is 22:47:13.
    private func house(_ strictness: StrictnessMode = .flexible) throws -> TestHouse {
        let nightly = RecurringSchedule(
            isEnabled: true, start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 6, minute: 30),
            strictness: strictness)
        let house = try TestHouse(
            people: [
                Person(id: PersonID(rawValue: 1), name: "Me"),
                Person(id: PersonID(rawValue: 2), name: "Ada", role: .child, schedule: nightly),
            ])
        house.clock.advance(by: 2 * 3600 + 47 * 60 + 13)
        return house
    }

    @Test("Household, home and the bedside display say until when; then the night goes on by itself")
    func pages() async throws {
        let house = try house()
        let ada = [("person", "2")]
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/household").text.contains("Wake for 30 minutes"))
            let answer = try await owner.post("/household/pause", ada)
            #expect(answer.location == "/household#person-2")
            let waking = try await owner.get("/household").text
            #expect(waking.contains("Wakes in 30 s."))
            #expect(waking.contains("Awake until 23:18. Then the night goes on."))
            #expect(waking.contains("Keep asleep") && !waking.contains("Wake for 30 minutes"))
            let running = try await owner.get("/?person=2").text
            #expect(running.contains("Awake until 23:18, then asleep again."))
            #expect(
                try await owner.get("/kiosk?person=2").text.contains(
                    "</span> Awake&nbsp;until&nbsp;<b>23:18</b>"))

            house.clock.advance(by: 30)
            let awake = try await owner.get("/household").text
            #expect(awake.contains("<b>Awake until 23:18</b>") && awake.contains("Then the night goes on."))
            #expect(awake.contains("30 minutes later tonight") && !awake.contains("later than planned"))
            let home = try await owner.get("/?person=2").text
            #expect(home.contains("<b>Awake until 23:18</b></p>") && home.contains("Sleep now</button>"))
            #expect(home.contains("Then the night goes on. Until 06:30."))
            #expect(try await owner.get("/kiosk?person=2").text.contains("Awake until 23:18"))

            house.clock.advance(by: 31 * 60)
            #expect(try await owner.get("/household").text.contains("Asleep since 23:18, until 06:30"))
        }
    }

    @Test("Sleep now ends it; keep asleep takes it back")
    func takenBack() async throws {
        let house = try house()
        let ada = [("person", "2")]
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/household/pause", ada)
            _ = try await owner.post("/household/keep", ada)
            house.clock.advance(by: 60)
            #expect(try await owner.get("/household").text.contains("Asleep since 22:00"))
            _ = try await owner.post("/household/pause", ada)
            house.clock.advance(by: 60)
            _ = try await owner.post("/schedule/tonight?person=2", ada + [("change", "undo")])
            #expect(try await owner.get("/household").text.contains("Asleep since 22:49"))
        }
    }

    @Test("A strict night stays, and nothing on the page offers otherwise")
    func strict() async throws {
        let house = try house(.strict)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await !owner.get("/household").text.contains("Wake for"))
            let answer = try await owner.post("/household/pause", [("person", "2")])
            #expect(answer.status == .conflict)
            let child = try await guest.at("192.168.1.77").post("/household/pause", [("person", "2")])
            #expect(child.status == .seeOther && child.location?.hasPrefix("/login") == true)
        }
    }

    @Test("Programs do the same and read when sleep goes on")
    func programs() async throws {
        let house = try house()
        let token = try house.store.createToken(name: "x", at: house.clock.now)
        try await house.visit { guest in
            let program = guest.with(.authorization, "Bearer \(token)")
            func resumesAt(_ answer: TestResponse) -> String? {
                (answer.object["session"] as? [String: Any])?["resumesAt"] as? String
            }
            let pause = try await program.json(.post, "/api/v1/session/pause?person=2")
            #expect(pause.status == .ok && resumesAt(pause) == "2026-11-20T22:18:00Z")
            let keep = try await program.json(.delete, "/api/v1/session/cancel?person=2")
            #expect(keep.status == .ok && resumesAt(keep) == nil)
            let none = try await program.json(.post, "/api/v1/session/pause?person=1")
            #expect(none.object["code"] as? String == "no-session")
        }
    }

    @Test("The log and webhooks know a pause from the morning")
    func told() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/household/pause", [("person", "2")])
            house.clock.advance(by: 60)
            // Any change writes down what fell due.
            _ = try await owner.post("/household/bedtime", [("person", "1")])
        }
        let ada = PersonID(rawValue: 2)
        let entry = try #require(try house.store.log(of: ada).first { $0.kind == .sessionEnded })
        #expect(entry.detail == "8h 30m, awake for 30 minutes")
        let past = try #require(try house.store.pastSessions(of: ada).first)
        #expect(past.outcome == .ended && PastNight(past).ending == .kept)
        #expect(SessionEvent(past, noticedAt: house.clock.now).kind == .ended(reason: .paused))
    }
}
