import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct HouseholdRoutesTests {
    private static let ada = PersonID(rawValue: 2)
    private static let tablet = "192.168.1.30"
    /// Ada's nights begin at 22:00; it is 20:00.
    private static let nightly = RecurringSchedule(
        isEnabled: true, start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 6, minute: 30),
        strictness: .strict)

    private func house(_ role: Person.Role = .child, _ schedule: RecurringSchedule? = nightly) throws
        -> TestHouse
    {
        let devices = [(1, TestHouse.phone, 1, "Phone"), (2, Self.tablet, 2, "Ada's tablet")].map {
            Device(
                id: DeviceID(rawValue: $0), name: $3, kind: .phone, person: PersonID(rawValue: $2),
                addresses: [$1], firstSeen: TestHouse.evening - 86_400, lastSeen: TestHouse.evening - 5)
        }
        return try TestHouse(
            people: [
                Person(id: PersonID(rawValue: 1), name: "Me"),
                Person(id: Self.ada, name: "Ada", role: role, defaultStrictness: .strict, schedule: schedule),
            ], devices: devices)
    }

    private static func person(_ house: TestHouse) -> Person? { house.store.household[person: ada] }

    private static func log(_ house: TestHouse) throws -> [String] {
        try house.store.log(of: ada).map { "\($0.kind.rawValue): \($0.detail)" }
    }

    private static func press(_ location: String?) -> String? {
        location?.split(separator: "press=").last?.split(separator: "#").first.map(String.init)
    }

    @Test("Who allows nothing is warned of before \"Bedtime now\" and Start, and gets what everybody new has")
    func nothingAllowed() async throws {
        let house = try house(.child, nil)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let warning = "<bdi>Ada</bdi> has no app that stays open at night"
            for (page, from, back) in [
                ("/household?person=1", "household", "/household?person=1&done=saved"),
                ("/session?person=2", "session", "/session?person=2&done=saved"),
            ] {
                try house.store.change { $0.people[1].allowed = AppSelection() }
                #expect(try await owner.get(page).text.contains(warning), "\(page)")
                let path = "/allowed-apps/set" + (from == "household" ? "?person=1" : "")
                let answer = try await owner.post(
                    path, [("person", "2"), ("set", "starting"), ("from", from)])
                #expect(answer.location == back)
                #expect(Self.person(house)?.allowed == TestHouse.starting)
                #expect(try await !owner.get(page).text.contains(warning), "\(page)")
            }
        }
    }

    @Test("Whoever is added, on the page or by a program, allows what the first person did at first")
    func added() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let answer = try await owner.post("/settings/people", [("name", "Ben"), ("role", "adult")])
            #expect(answer.status == .seeOther)
            let token = guest.with(
                .authorization, "Bearer \(try house.store.createToken(name: "x", at: house.clock.now))")
            #expect(try await token.json(.post, "/api/v1/people", #"{"name":"Cleo"}"#).status == .created)
        }
        #expect(
            house.store.household.people.map(\.allowed).suffix(2) == [TestHouse.starting, TestHouse.starting])
    }

    @Test("Everybody's state on one screen, without anybody's minutes")
    func shows() async throws {
        let house = try house(.adult)
        house.use([.app("tiktok"): TargetUse(day: 37, week: 113)], by: Self.ada)
        try await house.visit { guest in
            let page = try await guest.signedIn().get("/household").text
            for words in [
                "<bdi>Ada</bdi>", "<bdi>Me</bdi>", "Adult", "Awake", "Tonight at 22:00, strict",
                "No bedtime is planned.",
                "Active in the last minutes: <bdi>Ada&#39;s tablet</bdi>",
                "Bedtime now", "Skip tonight",
            ] { #expect(page.contains(words), "\(words)") }
            #expect(!page.contains(/\b(37|113)\b/) && !page.contains("TikTok"))
            #expect(try await guest.get("/household").location == "/login?next=/household")
            house.clock.advance(by: 2 * 3600)
            let night = try await guest.signedIn().get("/household").text
            #expect(night.contains("Asleep since 22:00, until 06:30"))
            #expect(night.contains("Nightly schedule, strict"))
            #expect(night.components(separatedBy: "Skip tonight").count == 1)
        }
    }

    @Test("One tap puts a child to bed, and the log says who did it", arguments: [Person.Role.adult, .child])
    func bedtime(_ role: Person.Role) async throws {
        let house = try house(role)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let answer = try await owner.post("/household/bedtime", [("person", "2")])
            #expect(answer.status == .seeOther)
            let session = try #require(Self.person(house)?.session)
            #expect(session.strictness == .strict && session.endsAt == TestHouse.evening + 10.5 * 3600)
            #expect(
                try Self.log(house).first == "sessionStarted: 10h 30m, strict. Bedtime now, by Me, on Phone")
            let page = try await owner.get(answer.location ?? "").text
            #expect(page.contains("<bdi>Ada</bdi>: asleep until 06:30."))
            #expect(page.contains("data-undo=\"8\""))
            #expect(house.me.session == nil)
        }
    }

    @Test("8 seconds of undo, for the browser that pressed", arguments: ["bedtime", "later", "skip"])
    func undo(_ tap: String) async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let before = Self.person(house)
            let location = try await owner.post("/household/\(tap)", [("person", "2")]).location
            let press = Self.press(location) ?? ""
            let fields = [("person", "2"), ("press", press)]
            #expect(Self.person(house) != before)
            let other = try guest.at(Self.tablet).signedIn()
            #expect(try await !other.get(location ?? "").text.contains("data-undo"))
            let refused = try await other.post("/household/undo", fields)
            #expect(refused.status == .conflict && refused.text.contains("Only the person who did this"))
            house.clock.advance(by: 8)
            let answer = try await owner.post("/household/undo", fields)
            #expect(answer.location == "/household?done=undone#person-2")
            #expect(Self.person(house) == before)
            #expect(try Self.log(house).first?.contains("taken back, by Me, on Phone") == true)
            #expect(try await owner.post("/household/undo", fields).status == .conflict)
        }
    }

    @Test("Minutes for today in one press, for all limits or one, with Undo")
    func bonus() async throws {
        let house = try house()
        try house.store.change { household in
            household.people[1].limits.list = [
                UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30),
                UsageLimit(id: UUID(), target: .category("social"), minutes: 60),
            ]
        }
        house.use([.app("tiktok"): TargetUse(day: 30, week: 30)], by: Self.ada)
        let limit = try #require(Self.person(house)?.limits.list[0].id.uuidString)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            func minutes() -> [Int] { Self.person(house)?.limits.extraTime.map(\.minutes) ?? [] }
            let all = try await owner.post("/household/bonus", [("person", "2"), ("minutes", "15")])
            #expect(minutes() == [15, 15])
            let page = try await owner.get(all.location ?? "").text
            #expect(page.contains("<bdi>Ada</bdi>: 15 more minutes of every limit today."))
            let undo = [("person", "2"), ("press", Self.press(all.location) ?? "")]
            #expect(try await owner.post("/household/undo", undo).status == .seeOther)
            #expect(minutes() == [])
            let one = [("person", "2"), ("minutes", "60"), ("limit", limit)]
            #expect(try await owner.post("/household/bonus", one).status == .seeOther)
            #expect(minutes() == [60])
            #expect(
                try await owner.get("/limits?person=2").text.contains("60 min more were given for today."))
            let given = try Self.log(house).filter { $0.hasPrefix("bonusGiven") }
            #expect(
                given.sorted() == [
                    "bonusGiven: 15 more minutes of every limit",
                    "bonusGiven: 15 more minutes of every limit, taken back",
                    "bonusGiven: 60 more minutes of TikTok",
                ], "\(given)")
            for value in ["", "0", "x", "721"] {
                let refused = try await owner.post("/household/bonus", [("person", "2"), ("minutes", value)])
                #expect(refused.status == .unprocessableContent)
                #expect(refused.text.contains("Give 1 to 720 whole minutes."), "\(value)")
            }
            #expect(try await owner.get("/household").text.contains("More time today"))
        }
    }

    @Test("Another bedtime tonight, by its time, on Household and on home, and for programs")
    func anotherBedtime() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let moved = try await owner.post("/household/at", [("person", "2"), ("time", "23:15")])
            let page = try await owner.get(moved.location ?? "").text
            #expect(page.contains("<bdi>Ada</bdi>: bedtime at 23:15 tonight."))
            #expect(page.contains("75 minutes later than planned."))
            _ = try await owner.post(
                "/schedule/tonight", [("person", "2"), ("change", "at"), ("time", "21:00")])
            let home = try await owner.get("/?person=2").text
            #expect(home.contains("Tonight at 21:00") && home.contains("60 minutes earlier than planned."))
            let over = try await owner.post("/household/at", [("person", "2"), ("time", "19:59")])
            #expect(over.status == .conflict && over.text.contains("This time is over."))
            let program = guest.with(
                .authorization, "Bearer \(try house.store.createToken(name: "x", at: house.clock.now))")
            let sent = try await program.json(.post, "/api/v1/people/2/at", #"{"time":"22:30"}"#)
            #expect(sent.status == .ok && Self.person(house)?.tonight?.minutes == 30)
            let none = try await program.json(.post, "/api/v1/people/2/bonus", #"{"minutes":15}"#)
            #expect(none.object["code"] as? String == "unknown-limit")
        }
    }

    @Test("A child who sleeps can be let wake earlier, from Household and by programs; an adult cannot")
    func wakesEarlier() async throws {
        let house = try house()
        try house.store.change { household in
            household.people[1].role = .child
            household.people[1].schedule?.strictness = .flexible
            _ = try household.beginBedtime(
                PersonID(rawValue: 2), strictness: .flexible, session: UUID(), at: house.clock.now)
        }
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/household").text.contains("Wake earlier"))
            let pressed = try await owner.post("/household/wake-at", [("person", "2"), ("time", "06:15")])
            let page = try await owner.get(pressed.location ?? "").text
            #expect(page.contains("<bdi>Ada</bdi>: asleep until 06:15."))
            let program = guest.with(
                .authorization, "Bearer \(try house.store.createToken(name: "x", at: house.clock.now))")
            let sent = try await program.json(.post, "/api/v1/people/2/wake-at", #"{"time":"06:00"}"#)
            #expect(sent.status == .ok)
            let late = try await program.json(.post, "/api/v1/people/2/wake-at", #"{"time":"06:30"}"#)
            #expect(late.object["code"] as? String == "no-earlier-end")
        }
    }

    @Test("Between the planned and the moved bedtime the night is still to come")
    func moved() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/household/later", [("person", "2")])
            house.clock.advance(by: 2 * 3600 + 600)
            let page = try await owner.get("/household").text
            #expect(page.contains("Tonight at 22:30, strict"))
            #expect(!page.contains("For the rest of the night"))
            // Who left the night is awake for its rest.
            house.clock.advance(by: 1200)
            _ = try await owner.post("/settings/reset", [("person", "2"), ("confirm", "reset")])
            #expect(
                try await owner.get("/household").text.contains(
                    "For the rest of the night. The next bedtime is tomorrow at 22:00."))
        }
    }

    @Test("After 8 seconds it is refused in words, and the offer is gone")
    func tooLate() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let location = try await owner.post("/household/bedtime", [("person", "2")]).location ?? ""
            house.clock.advance(by: 8.5)
            #expect(try await !owner.get(location).text.contains("data-undo"))
            let fields = [("person", "2"), ("press", Self.press(location) ?? "")]
            let late = try await owner.post("/household/undo", fields)
            #expect(late.status == .conflict && late.text.contains("It is too late to undo this"))
            #expect(Self.person(house)?.session != nil)
        }
    }

    @Test(
        "What does not fit comes back with the page and the reason",
        arguments: [
            ("bedtime", 2.5 * 3600, "A sleep session is already running."),
            ("skip", 2.5 * 3600, "Ada has a strict session running"),
            ("later", 2.5 * 3600, "Ada has a strict session running"),
        ])
    func refused(_ tap: String, _ seconds: Double, _ words: String) async throws {
        let house = try house()
        house.clock.advance(by: seconds)
        try await house.visit { guest in
            let answer = try await guest.signedIn().post("/household/\(tap)", [("person", "2")])
            #expect(answer.status == .conflict)
            #expect(answer.text.contains(words) && answer.text.contains("<h1>Household</h1>"))
        }
    }

    @Test("Bedtime now that is pressed twice is one press, for the same login and for 8 seconds")
    func pressedTwice() async throws {
        let house = try house()
        try await house.visit { guest in
            let (owner, other) = (try guest.signedIn(), try guest.signedIn())
            let ada = [("person", "2")]
            let first = try #require(try await owner.post("/household/bedtime", ada).location)
            let session = try #require(Self.person(house)?.session)
            house.clock.advance(by: 3)
            #expect(try await owner.post("/household/bedtime", ada).location == first)
            #expect(Self.person(house)?.session == session)
            #expect(try await other.post("/household/bedtime", ada).status == .conflict)
            house.clock.advance(by: 5.5)
            #expect(try await owner.post("/household/bedtime", ada).status == .conflict)
        }
    }

    @Test("Undo takes back what was pressed twice, and another press begins anew")
    func undoneAfterTwice() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let ada = [("person", "2")]
            let first = try #require(try await owner.post("/household/bedtime", ada).location)
            _ = try await owner.post("/household/bedtime", ada)
            _ = try await owner.post("/household/undo", ada + [("press", Self.press(first) ?? "")])
            #expect(Self.person(house)?.session == nil)
            let again = try await owner.post("/household/bedtime", ada).location
            #expect(again != nil && again != first && Self.person(house)?.session != nil)
        }
    }

    @Test("While tonight is skipped, nobody is offered to move it")
    func skipped() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/household").text.contains("30 minutes later tonight"))
            _ = try await owner.post("/household/skip", [("person", "2")])
            let page = try await owner.get("/household").text
            #expect(page.contains("Tonight is skipped."))
            #expect(!page.contains("30 minutes later tonight") && !page.contains("Skip tonight"))
        }
    }

    @Test("Later three times, then no more") func later() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for minutes in [30, 60, 90] {
                _ = try await owner.post("/household/later", [("person", "2")])
                #expect(Self.person(house)?.tonight?.minutes == minutes)
            }
            let answer = try await owner.post("/household/later", [("person", "2")])
            #expect(answer.status == .conflict && answer.text.contains("already moved this night 3 times"))
            let page = try await owner.get("/household").text
            #expect(
                page.contains("90 minutes later than planned.") && !page.contains("30 minutes later tonight"))
        }
    }

    @Test(
        "Nothing without a login, a token of the form, or a person",
        arguments: ["bedtime", "later", "skip", "undo"])
    func trust(_ tap: String) async throws {
        let house = try house()
        try await house.visit { guest in
            let path = "/household/\(tap)"
            #expect(try await guest.at(Self.tablet).post(path, [("person", "2")]).status == .seeOther)
            let owner = try guest.signedIn()
            #expect(try await owner.post(path, [("person", "2")], csrf: .some("wrong")).status == .forbidden)
            #expect(try await owner.post(path, [("person", "9")]).status == .notFound)
            #expect(
                try await owner.post(path, [("person", "2"), ("minutes", "5")]).status
                    == .unprocessableContent)
            #expect(Self.person(house)?.session == nil && Self.person(house)?.tonight == nil)
        }
    }

    @Test("Home always leads there, the kiosk where there is more than one person")
    func links() async throws {
        for (house, hasSeveral) in [(try house(), true), (try TestHouse(), false)] {
            try await house.visit { guest in
                let owner = try guest.signedIn()
                #expect(try await owner.get("/").text.contains("href=\"/household"))
                #expect(try await owner.get("/kiosk").text.contains("href=\"/household") == hasSeveral)
            }
        }
    }

    @Test("Programs press the same buttons, and take them back with their own token")
    func programs() async throws {
        let house = try house()
        let tokens = try ["one", "two"].map { try house.store.createToken(name: $0, at: house.clock.now) }
        try await house.visit { guest in
            let programs = tokens.map { guest.with(.authorization, "Bearer \($0)") }
            let answer = try await programs[0].json(.post, "/api/v1/people/2/bedtime")
            #expect(answer.status == .ok)
            #expect((answer.object["state"] as? [String: Any])?["person"] as? Int == 2)
            #expect(answer.object["undoUntil"] as? String == "2026-11-20T19:00:08Z")
            let entry = try Self.log(house).first
            #expect(entry?.hasSuffix("Bedtime now, by the program one") == true)
            let press = try #require(answer.object["press"] as? String)
            let body = "{\"press\":\"\(press)\"}"
            let other = try await programs[1].json(.post, "/api/v1/people/2/undo", body)
            #expect(other.status == .conflict && other.object["code"] as? String == "undo-not-yours")
            #expect(try await programs[0].json(.post, "/api/v1/people/1/undo", body).status == .conflict)
            #expect(try await programs[0].json(.post, "/api/v1/people/2/undo", body).status == .ok)
            #expect(Self.person(house)?.session == nil)
            let skip = try await programs[0].json(.post, "/api/v1/people/2/skip")
            #expect(skip.status == .ok && Self.person(house)?.tonight?.kind == .skip)
            let gone = try await programs[0].json(.post, "/api/v1/people/9/later")
            #expect(gone.status == .notFound)
            let none = try await programs[0].json(.post, "/api/v1/people/1/later")
            #expect(none.object["code"] as? String == "no-night-tonight")
            #expect(
                try await guest.signedIn().json(.post, "/api/v1/people/2/bedtime").status == .unauthorized)
        }
    }
}
