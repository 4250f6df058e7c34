import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct LimitsRoutesTests {
    private static let me = PersonID(rawValue: 1)

    /// A house with this use in its feed, as Enforcement publishes it.
    private func house(_ uses: [LimitTarget: TargetUse] = [:], people: [Person]? = nil) throws -> TestHouse {
        let house = try TestHouse(people: people)
        house.use(uses)
        return house
    }

    @Test("TH-006, TH-026: a limit is saved for an app or a category, and shown with what was used")
    func saves() async throws {
        let house = try house([.app("tiktok"): TargetUse(day: 12, week: 30)])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/limits").text.contains("Nothing is limited."))
            let saved = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "30")])
            #expect(saved.location?.hasPrefix("/limits?undo=") == true)
            let whole = [("category", "social"), ("minutes", "60"), ("weekly", "300"), ("sat", "90")]
            _ = try await owner.post("/limits", whole + [("sun", "")])
            let page = try await owner.get("/limits").text
            #expect(page.contains("<b data-used-text>12</b> of 30 min today"))
            #expect(page.contains("18 min left"))
            #expect(page.contains("Resets at 00:00"))
            #expect(page.contains("0 of 300 min this week"))
        }
        #expect(house.me.limits.list.map(\.target) == [.app("tiktok"), .category("social")])
        #expect(house.me.limits.list[1].minutesByDay == [.sat: 90])
        #expect(house.me.limits.list[1].weeklyMinutes == 300)
    }

    @Test("A category's form ticks the apps that do not count, and the page and programs say which")
    func leavesOut() async throws {
        let house = try house([.category("social"): TargetUse(day: 12, week: 30)])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fresh = try await owner.get("/limits/new/category/social").text
            #expect(fresh.contains("value=\"tiktok\"") && !fresh.contains("value=\"whatsapp\""))
            let sent = [("category", "social"), ("minutes", "60"), ("leavesOut", "tiktok")]
            #expect(try await owner.post("/limits", sent).status == .seeOther)
            #expect(house.me.limits.list[0].leavesOut == ["tiktok"])
            let page = try await owner.get("/limits").text
            #expect(page.contains("Not counted: TikTok."))
            #expect(page.contains(/name="leavesOut" value="tiktok" checked/))
            let program = guest.with(
                .authorization, "Bearer \(try house.store.createToken(name: "x", at: house.clock.now))")
            let read = try await program.get("/api/v1/limits").text
            #expect(read.contains(#""leavesOut":["tiktok"]"#))
            #expect(try await program.json(.put, "/api/v1/limits", read).status == .ok)
            #expect(house.me.limits.list[0].leavesOut == ["tiktok"])
            let odd = [("category", "social"), ("minutes", "60"), ("leavesOut", "whatsapp")]
            #expect(try await owner.post("/limits", odd).status == .unprocessableContent)
        }
    }

    @Test("A-08: lowering, raising and removing a reached limit acts on today's use at once")
    func actsAtOnce() async throws {
        let house = try house([.app("tiktok"): TargetUse(day: 12, week: 12)])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "30")])
            let id = try #require(house.me.limits.list.first?.id)
            _ = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "10")])
            #expect(house.me.limits.list.map(\.id) == [id])
            #expect(house.me.limits.reached.map(\.target) == [.app("tiktok")])
            #expect(try await owner.get("/limits").text.contains("Reached"))
            _ = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "20")])
            #expect(try await owner.get("/limits").text.contains("8 min left"))
        }
    }

    @Test(
        "Input that is no limit: 422 beside its field, with what was typed, and nothing saved",
        arguments: [
            [("app", "tiktok"), ("minutes", "0")], [("app", "tiktok"), ("minutes", "-1")],
            [("app", "tiktok"), ("minutes", "1441")], [("app", "tiktok"), ("minutes", "1e9")],
            [("app", "tiktok"), ("minutes", "ten")], [("app", "tiktok"), ("minutes", "")],
            [("app", "tiktok")], [("minutes", "30")], [("app", ""), ("category", ""), ("minutes", "30")],
            [("app", "tiktok"), ("category", "social"), ("minutes", "30")],
            [("app", "tiktok"), ("app", "whatsapp"), ("minutes", "30")],
            [("app", "nosuch"), ("minutes", "30")], [("category", "tiktok"), ("minutes", "30")],
            [("app", "tiktok"), ("minutes", "30"), ("weekly", "0")],
            [("app", "tiktok"), ("minutes", "30"), ("weekly", "10081")],
            [("app", "tiktok"), ("minutes", "30"), ("mon", "1441")],
            [("app", "tiktok"), ("minutes", "30"), ("monday", "10")],
            [("app", "tiktok"), ("minutes", "30"), ("minutes", "40")],
            [("app", "tiktok"), ("minutes", "\u{661}\u{665}")],
        ] as [[(String, String)]])
    func refuses(_ fields: [(String, String)]) async throws {
        let house = try house()
        try await house.visit { guest in
            let response = try await guest.signedIn().post("/limits", fields)
            #expect(response.status == .unprocessableContent)
            let isSaid = ["class=\"error\"", "role=\"alert\""].contains(where: response.text.contains)
            #expect(isSaid)
            for (name, value) in fields where ["minutes", "weekly", "mon"].contains(name) {
                let isKept = response.text.contains("value=\"\(value)\"")
                #expect(isKept || fields.filter { $0.0 == name }.count > 1 || fields.count < 2, "\(name)")
            }
        }
        #expect(house.me.limits.list.isEmpty)
    }

    @Test("A limit that there is comes back open, with what was refused in it")
    func refusesChange() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "30")])
            let response = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "ten")])
            #expect(response.status == .unprocessableContent)
            #expect(response.text.contains("<details class=\"change\" open>"))
            #expect(response.text.contains("value=\"ten\""))
        }
        #expect(house.me.limits.list.map(\.minutes) == [30])
    }

    @Test("Adding and changing can be taken back for a moment, exactly, and only while nothing else happened")
    func undoOfSaving() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let added = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "30")])
            let first = try #require(house.me.limits.list.first)
            let path = "/limits/\(first.id.uuidString)/restore"
            #expect(added.location == "/limits?undo=\(first.id.uuidString)")
            let page = try await owner.get(try #require(added.location)).text
            #expect(page.contains("action=\"\(path)\"") && page.contains("</bdi> was added."))
            _ = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "45"), ("fri", "60")])
            #expect(try await owner.get(added.location!).text.contains("</bdi> was changed."))
            #expect(try await owner.post(path).location == "/limits?done=undone")
            #expect(house.me.limits.list == [first])
            #expect(try await owner.post(path).status == .conflict)
            _ = try await owner.post("/limits/\(first.id.uuidString)/delete")
            _ = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "10")])
            let second = try #require(house.me.limits.list.first)
            #expect(try await owner.post("/limits/\(second.id.uuidString)/restore").status == .seeOther)
            #expect(house.me.limits.list.isEmpty)
            _ = try await owner.post(
                "/limits/settings", [("resetHour", "0"), ("unlocksPerDay", ""), ("looseningDelay", "24")])
            let waiting = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "30")])
            #expect(waiting.location == "/limits?done=saved", "Taking it back would have to wait.")
        }
    }

    @Test("Removing is offered back for a moment, and comes back as it was")
    func undo() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fields = [("app", "tiktok"), ("minutes", "30"), ("weekly", "100"), ("fri", "45")]
            _ = try await owner.post("/limits", fields)
            let before = house.me.limits.list
            let id = before[0].id.uuidString
            let removed = try await owner.post("/limits/\(id)/delete")
            #expect(house.me.limits.list.isEmpty)
            let page = try await owner.get(try #require(removed.location)).text
            #expect(page.contains("action=\"/limits/\(id)/restore\""))
            _ = try await owner.post("/limits/\(id)/restore")
            #expect(house.me.limits.list == before)
            #expect(try await !owner.get(removed.location!).text.contains("/restore"))
            _ = try await owner.post("/limits/\(id)/delete")
            #expect(try await owner.post("/limits/\(id)/delete").status == .conflict)
            house.clock.advance(by: 600)
            #expect(try await owner.post("/limits/\(id)/restore").status == .conflict)
            #expect(try await owner.post("/limits/nonsense/delete").status == .notFound)
        }
        #expect(house.me.limits.list.isEmpty)
    }

    @Test("Loosening waits as chosen, is listed, and can be kept as it was; tightening acts at once")
    func waits() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "30")])
            let settings = [("resetHour", "4"), ("unlocksPerDay", "3"), ("looseningDelay", "24")]
            #expect(try await owner.post("/limits/settings", settings).location == "/limits?done=saved")
            #expect(house.me.limits.resetHour == 4 && house.me.limits.unlocksPerDay == 3)
            #expect(house.me.looseningDelay == 24)
            let more = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "60")])
            #expect(more.location == "/limits?done=waiting")
            #expect(house.me.limits.list[0].minutes == 30)
            let page = try await owner.get("/limits").text
            #expect(page.contains("<bdi>TikTok</bdi>: 60 min a day"))
            #expect(page.contains("tomorrow at 20:00"))
            #expect(page.contains("Cancel change"))
            let id = try #require(house.me.pending.first?.id.uuidString)
            let kept = try await owner.post("/limits/changes/\(id)/drop")
            #expect(kept.location == "/limits?done=kept")
            #expect(house.me.pending.isEmpty)
            _ = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "15")])
            #expect(house.me.limits.list[0].minutes == 15)
            let gone = try await owner.post("/limits/\(house.me.limits.list[0].id.uuidString)/delete")
            #expect(gone.location == "/limits?done=waiting")
            house.clock.advance(by: 24 * 3600)
            #expect(try await owner.get("/limits").text.contains("Nothing is limited."))
        }
    }

    @Test(
        "Settings that cannot be: 422 beside the field",
        arguments: [
            ("24", "", "0"), ("-1", "", "0"), ("x", "", "0"), ("", "", "0"), ("0", "1001", "0"),
            ("0", "-1", "0"), ("0", "two", "0"), ("0", "", "12"), ("0", "", ""),
        ])
    func refusesSettings(_ hour: String, _ unlocks: String, _ delay: String) async throws {
        let house = try house()
        try await house.visit { guest in
            let fields = [("resetHour", hour), ("unlocksPerDay", unlocks), ("looseningDelay", delay)]
            let response = try await guest.signedIn().post("/limits/settings", fields)
            #expect(response.status == .unprocessableContent)
            #expect(response.text.contains("class=\"error\""))
        }
        #expect(house.me.limits == Limits() && house.me.looseningDelay == 0)
    }

    @Test("TH-023, A-10: any number of unlocks unless a cap was chosen, and an empty field takes it back")
    func unlocks() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/limits").text.contains("placeholder=\"Any number\""))
            for (unlocks, stored) in [("0", 0), ("5", 5), ("", nil)] as [(String, Int?)] {
                let fields = [("resetHour", "0"), ("unlocksPerDay", unlocks), ("looseningDelay", "0")]
                _ = try await owner.post("/limits/settings", fields)
                #expect(house.me.limits.unlocksPerDay == stored)
            }
        }
    }

    @Test("Choosing needs no script: search, categories first, then the minutes")
    func chooses() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let start = try await owner.get("/limits/new").text
            #expect(start.contains("href=\"/limits/new/category/social\""))
            #expect(!start.contains("/limits/new/app/"))
            let found = try await owner.get("/limits/new?find=tik").text
            #expect(found.contains("href=\"/limits/new/app/tiktok\""))
            #expect(!found.contains("/limits/new/app/whatsapp"))
            let none = try await owner.get("/limits/new?find=%3Cscript%3E").text
            #expect(none.contains("No app of that name.") && !none.contains("<script>"))
            let chosen = try await owner.get("/limits/new/app/tiktok").text
            #expect(chosen.contains("name=\"app\" value=\"tiktok\""))
            #expect(try await owner.get("/limits/new/app/nosuch").status == .unprocessableContent)
            #expect(try await owner.get("/limits/new/domain/x").status == .notFound)
            _ = try await owner.post("/limits", [("app", "tiktok"), ("minutes", "30")])
            #expect(try await owner.get("/limits/new/app/tiktok").location == "/limits")
        }
    }

    @Test("Without a login the asking device's person may read its own limits, and change nothing")
    func withoutLogin() async throws {
        let house = try house([.app("tiktok"): TargetUse(day: 12, week: 12)])
        try await house.visit { guest in
            _ = try await guest.signedIn().post("/limits", [("app", "tiktok"), ("minutes", "30")])
            let page = try await guest.get("/limits")
            #expect(page.status == .ok)
            #expect(page.text.contains("<b data-used-text>12</b> of 30 min today"))
            #expect(!page.text.contains("<form"))
            #expect(try await guest.get("/limits?person=2").status == .seeOther)
            #expect(try await guest.at(TestHouse.stranger).get("/limits").status == .seeOther)
            let posted = try await guest.post("/limits", [("app", "tiktok"), ("minutes", "99")])
            #expect(posted.status == .seeOther && posted.location?.hasPrefix("/login") == true)
        }
        #expect(house.me.limits.list.map(\.minutes) == [30])
    }

    @Test("Everybody's limits by person=, each their own")
    func people() async throws {
        let ada = Person(id: PersonID(rawValue: 2), name: "Ada", role: .child)
        let house = try house(people: [Person(id: Self.me, name: "Me"), ada])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fields = [("app", "tiktok"), ("minutes", "30"), ("person", "2")]
            #expect(
                try await owner.post("/limits", fields).location?.hasPrefix("/limits?person=2&undo=") == true)
            #expect(try await owner.get("/limits?person=2").text.contains("of 30 min today"))
            #expect(try await owner.get("/limits?person=1").text.contains("Nothing is limited."))
        }
        #expect(house.me.limits.list.isEmpty)
    }
}
