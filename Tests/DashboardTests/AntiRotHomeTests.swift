import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// Anti-Rot's Home and its override, at 20:00 in Berlin on a Friday.
@Suite struct AntiRotHomeTests {
    static func window(_ label: String, _ start: String, _ end: String) -> TimeWindow {
        TimeWindow(id: UUID(), label: label, start: TimeOfDay(start)!, end: TimeOfDay(end)!)
    }

    static func person(
        apps: Set<String>? = ["tiktok"], windows: [TimeWindow]? = [window("Lunch", "12:00", "13:00")],
        delay: Int = 0
    ) -> Person {
        Person(
            id: PersonID(rawValue: 1), name: "Me",
            antiRot: AntiRot(restricted: apps.map { AppSelection(apps: $0) }, windows: windows),
            looseningDelay: delay)
    }

    @Test("AR-086: at first a prompt with both links, and nothing is blocked yet")
    func firstLaunch() async throws {
        try await TestHouse().visit { guest in
            let page = try await guest.signedIn().get("/anti-rot").text
            for text in [
                "Nothing is blocked yet", "href=\"/anti-rot/apps\"", "href=\"/anti-rot/schedule\"", "ALLOWED",
            ] { #expect(page.contains(text), "\(text)") }
            #expect(!page.contains("BLOCKED"))
        }
    }

    @Test("AR-052, AR-053: BLOCKED until the next window; the place Apps says it too")
    func blocked() async throws {
        try await TestHouse(people: [Self.person()]).visit { guest in
            let owner = try guest.signedIn()
            let page = try await owner.get("/anti-rot").text
            for text in ["BLOCKED", "until tomorrow at 12:00", "I'm Eating 🍕", "Lunch 12:00–13:00"] {
                #expect(page.contains(text), "\(text)")
            }
            #expect(try await owner.get("/apps").text.contains("BLOCKED until tomorrow at 12:00"))
        }
    }

    @Test(
        "AR-055 to AR-057, C-18: a press opens for 45 minutes, counts, is spent, and comes back at midnight")
    func override() async throws {
        let house = try TestHouse(people: [Self.person()])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.post("/anti-rot/override").location == "/anti-rot")
            #expect(house.me.antiRot.override.overrideExpiresAt == house.clock.now + 2_700)
            var page = try await owner.get("/anti-rot").text
            for text in [
                "ALLOWED", "45:00", "Override active — 45m remaining", #"class="open" x="1200" width="45""#,
            ] {
                #expect(page.contains(text), "\(text)")
            }
            // The time is on the countdown (AR-043) and on the button (AR-055), so a third place would be too much.
            #expect(!page.contains("until 20:45"))
            #expect(!page.contains("I'm Eating 🍕"))
            house.clock.advance(by: 2_641)
            page = try await owner.get("/anti-rot").text
            #expect(page.contains("Override active — 1m remaining") && page.contains("00:59"))
            let running = try await owner.post("/anti-rot/override")
            #expect(running.status == .conflict && running.text.contains("Already used today"))
            house.clock.advance(by: 59)
            page = try await owner.get("/anti-rot").text
            #expect(page.contains("BLOCKED") && page.contains("Used today — resets at midnight"))
            let stale = try await owner.post("/anti-rot/override")
            #expect(stale.status == .conflict && stale.text.contains("Already used today"))
            house.clock.advance(by: 4 * 3_600)
            #expect(try await owner.get("/anti-rot").text.contains("I'm Eating 🍕"))
            #expect(try await owner.post("/anti-rot/override").status == .seeOther)
        }
        #expect(try house.store.log(of: house.me.id).filter { $0.kind == .overrideUsed }.count == 2)
    }

    @Test("AR-044: of 50 presses at once exactly one wins")
    func race() async throws {
        let house = try TestHouse(people: [Self.person()])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let answers = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<50 { group.addTask { try await owner.post("/anti-rot/override").status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0 == .seeOther } == 1)
            #expect(answers.count { $0 == .conflict } == 49)
        }
        #expect(try house.store.log(of: house.me.id).count { $0.kind == .overrideUsed } == 1)
    }

    @Test("A-02: without a login for the asking device's person only; other sites cannot press")
    func withoutLogin() async throws {
        let other = Person(id: PersonID(rawValue: 2), name: "Ada")
        let house = try TestHouse(people: [Self.person(), other])
        try await house.visit { guest in
            for path in ["/anti-rot", "/anti-rot/apps", "/anti-rot/schedule"] {
                #expect(try await guest.get(path).status == .ok, "\(path)")
                let stranger = try await guest.get(path + "?person=2")
                #expect(stranger.location?.hasPrefix("/login") == true, "\(path)")
            }
            let foreign = guest.with(.origin, "http://evil.example")
            #expect(try await foreign.post("/anti-rot/override").status == .forbidden)
            let crossing = guest.with(.init("Sec-Fetch-Site")!, "cross-site")
            #expect(try await crossing.post("/anti-rot/override").status == .forbidden)
            let others = try await guest.post("/anti-rot/override", [("person", "2")])
            #expect(others.location?.hasPrefix("/login") == true)
            let unknown = try await guest.at(TestHouse.stranger).post("/anti-rot/override")
            #expect(unknown.location?.hasPrefix("/login") == true)
            let badToken = try await guest.signedIn().post("/anti-rot/override", csrf: "wrong")
            #expect(badToken.status == .forbidden)
            #expect(house.me.antiRot.override.lastUsedDate == nil)
            #expect(try await guest.post("/anti-rot/override").location == "/anti-rot")
            #expect(house.me.antiRot.override.lastUsedDate != nil)
            for path in ["apps", "windows", "windows/clear"] {
                let refused = try await guest.post("/anti-rot/\(path)", [("app", "whatsapp")])
                #expect(refused.location?.hasPrefix("/login") == true, "\(path)")
            }
        }
        #expect(house.me.antiRot.restricted?.apps == ["tiktok"])
    }

    @Test("AR-047, AR-048, C-22: whoever is not known here learns what it is, and how to get started")
    func welcome() async throws {
        try await TestHouse().visit { guest in
            let page = try await guest.at(TestHouse.stranger).get("/anti-rot").text
            #expect(page.contains("Get Started") && page.contains("action=\"/login\""))
        }
        try await TestHouse(isSetUp: false).visit { guest in
            let page = try await guest.get("/anti-rot").text
            #expect(page.contains("Get Started") && page.contains("action=\"/setup\""))
            #expect(try await guest.get("/anti-rot/apps").location == "/")
        }
    }

    @Test("A loosening change waits, says when it takes effect, and can be taken back")
    func waits() async throws {
        let house = try TestHouse(people: [Self.person(apps: ["tiktok", "whatsapp"], delay: 24)])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let saved = try await owner.post("/anti-rot/apps", [("app", ""), ("app", "tiktok")])
            #expect(saved.location == "/anti-rot/apps?done=waiting")
            #expect(house.me.antiRot.restricted?.apps == ["tiktok", "whatsapp"])
            let change = try #require(house.me.pending.first)
            for path in ["/anti-rot", "/anti-rot/apps"] {
                let page = try await owner.get(path).text
                #expect(page.contains("Takes effect tomorrow at 20:00") && page.contains("1 app selected"))
                #expect(page.contains("Cancel change"))
            }
            let drop = "/anti-rot/changes/\(change.id)/drop"
            #expect(try await owner.post(drop).location == "/anti-rot?done=kept")
            #expect(house.me.pending.isEmpty)
            for stale in [drop, "/anti-rot/changes/nonsense/drop"] {
                #expect(try await owner.post(stale).status == .conflict)
            }
        }
    }
}
