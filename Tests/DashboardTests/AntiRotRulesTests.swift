import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// The forms for Anti-Rot's apps and windows.
@Suite struct AntiRotRulesTests {
    private static let lunch = [("label", "Lunch"), ("start", "12:00"), ("end", "13:00")]

    private static func changed(_ changes: [(String, String)]) -> [(String, String)] {
        lunch.filter { field in !changes.contains { $0.0 == field.0 } } + changes
    }

    @Test("AR-058 to AR-061, A-22: the choice is saved whole, counted, and ticked again")
    func apps() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/anti-rot/apps").text.contains("0 apps selected"))
            let one = try await owner.post("/anti-rot/apps", [("app", ""), ("app", "tiktok")])
            #expect(one.location == "/anti-rot/apps?done=saved")
            #expect(house.me.antiRot.restricted == AppSelection(apps: ["tiktok"]))
            let page = try await owner.get("/anti-rot/apps").text
            #expect(page.contains("1 app selected") && page.contains("value=\"tiktok\" checked"))
            #expect(!page.contains("name=\"category\"") && !page.contains("name=\"domain\""))
            _ = try await owner.post("/anti-rot/apps", [("app", "tiktok"), ("app", "whatsapp")])
            #expect(try await owner.get("/anti-rot/apps").text.contains("2 apps selected"))
            _ = try await owner.post("/anti-rot/apps", [("app", "")])
            #expect(house.me.antiRot.restricted == AppSelection())
            for (name, value) in [("app", "nosuchapp"), ("category", "social"), ("domain", "a.example")] {
                let refused = try await owner.post("/anti-rot/apps", [("app", "tiktok"), (name, value)])
                #expect(refused.status == .unprocessableContent, "\(name)")
                #expect(refused.text.contains("value=\"tiktok\" checked"))
            }
            #expect(house.me.antiRot.restricted == AppSelection())
        }
    }

    @Test(
        "AR-063 to AR-065, AR-027: windows stand in order with their blocked periods; absent days are every day"
    )
    func windows() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let dinner = [("label", ""), ("start", "18:00"), ("end", "19:00")]
            #expect(
                try await owner.post("/anti-rot/windows", dinner).location == "/anti-rot/schedule?done=saved")
            #expect(try await owner.post("/anti-rot/windows", Self.lunch).status == .seeOther)
            #expect(house.me.antiRot.windows?.map(\.label) == ["Lunch", ""])
            #expect(house.me.antiRot.windows?[0].days == Set(Weekday.allCases))
            let page = try await owner.get("/anti-rot/schedule").text
            for text in [
                "<bdi>Lunch</bdi>", "<bdi>18:00–19:00</bdi>", "blocked-period-0", "00:00–12:00",
                "blocked-period-1", "13:00–18:00", "blocked-period-2", "19:00–23:59", "Every day",
            ] { #expect(page.contains(text), "\(text)") }
            let touching = Self.changed([("start", "13:00"), ("end", "14:00"), ("days", ""), ("days", "mon")])
            #expect(try await owner.post("/anti-rot/windows", touching).status == .seeOther)
        }
        let entries = try house.store.log(of: house.me.id)
        #expect(entries.count { $0.kind == .ruleChanged } == 3)
    }

    @Test(
        "AR-093, AR-094: what cannot be a window is refused beside its field, with what was typed",
        arguments: [
            ([("start", "12:30"), ("end", "12:45")], "overlaps with Lunch"),
            ([("start", "10:00"), ("end", "10:00")], "cannot end when it starts"),
            ([("start", "25:61")], "between 00:00 and 23:59"), ([("end", "")], "between 00:00 and 23:59"),
            ([("days", "")], "at least one day"), ([("days", "monday")], "mon to sun"),
            (
                [("start", "14:00"), ("end", "15:00"), ("label", String(repeating: "x", count: 61))],
                "at most 60"
            ),
            ([("start", "14:00"), ("end", "15:00"), ("colour", "red")], "no field called"),
        ])
    func refuses(_ changes: [(String, String)], _ reason: String) async throws {
        let house = try TestHouse(people: [AntiRotHomeTests.person()])
        try await house.visit { guest in
            let fields = Self.changed(changes)
            let answer = try await guest.signedIn().post("/anti-rot/windows", fields)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains(reason), "\(reason)")
            #expect(answer.text.contains("id=\"add-window\" aria-labelledby=\"add-title\" open"))
            for (name, value) in fields where name == "start" || name == "label" {
                #expect(answer.text.contains("value=\"\(value)\""), "\(name)")
            }
        }
        #expect(house.me.antiRot.windows?.count == 1)
    }

    @Test("Labels with markup stay text; 10,000 characters are refused")
    func labels() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let markup = Self.changed([("label", "\"\u{301}><script>alert(1)</script>")])
            #expect(try await owner.post("/anti-rot/windows", markup).status == .seeOther)
            #expect(try await !owner.get("/anti-rot/schedule").text.contains("<script>alert"))
            let long = Self.changed([("label", String(repeating: "x", count: 10_000))])
            let refused = try await owner.post("/anti-rot/windows", long)
            #expect((400..<500).contains(refused.status.code))
        }
        #expect(house.me.antiRot.windows?.count == 1)
    }

    @Test("AR-094, UR-015: 23:00–01:00 is one window, and the next day says until when it is open")
    func midnight() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let film = Self.changed([("start", "23:00"), ("end", "01:00"), ("days", ""), ("days", "sun")])
            #expect(
                try await owner.post("/anti-rot/windows", film).location == "/anti-rot/schedule?done=saved")
            let page = try await owner.get("/anti-rot/schedule").text
            for text in ["23:00–01:00", "Sunday", "00:00–23:00", "01:00–23:59", "00:00–23:59"] {
                #expect(page.contains(text), "\(text)")
            }
            let overlapping = Self.changed([
                ("start", "00:30"), ("end", "02:00"), ("days", ""), ("days", "mon"),
            ])
            let refused = try await owner.post("/anti-rot/windows", overlapping)
            #expect(refused.text.contains("This overlaps with Lunch, 23:00–01:00."))
        }
        #expect(house.me.antiRot.windows?.map(\.days) == [[.sun]])
    }

    @Test("AR-066: a window is changed in the form that adds one, and the old one can be had back")
    func changes() async throws {
        let lunch = AntiRotHomeTests.window("Lunch", "12:00", "13:00")
        let other = AntiRotHomeTests.window("", "18:00", "19:00")
        let house = try TestHouse(people: [AntiRotHomeTests.person(windows: [lunch, other])])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let (id, path) = (lunch.id.uuidString, "/anti-rot/windows/\(lunch.id.uuidString)")
            let form = try await owner.get("/anti-rot/schedule?edit=\(id)").text
            #expect(form.contains("action=\"\(path)\"") && form.contains("value=\"Lunch\""))
            #expect(form.contains("id=\"add-window\" aria-labelledby=\"add-title\" open"))
            let refused = try await owner.post(path, Self.changed([("start", "17:30"), ("end", "18:30")]))
            #expect(refused.status == .unprocessableContent && refused.text.contains("This overlaps"))
            #expect(refused.text.contains("action=\"\(path)\"") && refused.text.contains("value=\"17:30\""))
            let saved = try await owner.post(path, Self.changed([("start", "13:00"), ("end", "14:00")]))
            #expect(saved.location == "/anti-rot/schedule?changed=\(id)")
            #expect(house.me.antiRot.windows?.map(\.times) == ["13:00–14:00", "18:00–19:00"])
            let page = try await owner.get("/anti-rot/schedule?changed=\(id)").text
            #expect(page.contains("was changed.") && page.contains("name=\"start\" value=\"12:00\""))
            let gone = try await owner.post("/anti-rot/windows/\(UUID().uuidString)", Self.changed([]))
            #expect(gone.status == .conflict)
        }
    }

    @Test("AR-063: a deleted window can be had back")
    func undo() async throws {
        let windows = [
            AntiRotHomeTests.window("Lunch", "12:00", "13:00"), AntiRotHomeTests.window("", "18:00", "19:00"),
        ]
        let house = try TestHouse(people: [AntiRotHomeTests.person(windows: windows)])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let id = windows[0].id.uuidString
            let gone = try await owner.post("/anti-rot/windows/\(id)/delete")
            #expect(gone.location == "/anti-rot/schedule?removed=\(id)")
            #expect(house.me.antiRot.windows == [windows[1]])
            let page = try await owner.get("/anti-rot/schedule?removed=\(id)").text
            #expect(page.contains(">Undo</button>") && page.contains("name=\"label\" value=\"Lunch\""))
            let back = Self.lunch + [("days", "")] + Weekday.allCases.map { ("days", $0.rawValue) }
            #expect(try await owner.post("/anti-rot/windows", back).status == .seeOther)
            #expect(house.me.antiRot.windows?.map(\.label) == ["Lunch", ""])
            #expect(try await owner.post("/anti-rot/windows/\(id)/delete").status == .conflict)
            #expect(try await owner.post("/anti-rot/windows/x/delete").status == .conflict)
            house.clock.advance(by: 121)
            #expect(try await !owner.get("/anti-rot/schedule?removed=\(id)").text.contains(">Undo<"))
        }
    }

    @Test("AR-068, AR-090, C-14: the last window goes only after a word; then everything is blocked all day")
    func lastWindow() async throws {
        let house = try TestHouse(people: [AntiRotHomeTests.person()])
        let id = try #require(house.me.antiRot.windows?.first?.id.uuidString)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let asked = try await owner.post("/anti-rot/windows/\(id)/delete")
            #expect(asked.status == .ok && asked.text.contains("Your apps will be blocked all day"))
            #expect(house.me.antiRot.windows?.count == 1)
            let done = try await owner.post("/anti-rot/windows/\(id)/delete", [("confirm", "empty")])
            #expect(done.status == .seeOther)
            #expect(house.me.antiRot.windows == [])
            #expect(try await owner.get("/anti-rot/schedule").text.contains("Apps will be blocked all day"))
            let home = try await owner.get("/anti-rot").text
            #expect(home.contains("BLOCKED") && home.contains("all day"))
        }
    }

    @Test("C-14: an empty schedule can be saved from the start, after the same word")
    func clear() async throws {
        let house = try TestHouse(people: [AntiRotHomeTests.person(windows: nil)])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let asked = try await owner.post("/anti-rot/windows/clear")
            #expect(asked.text.contains("Your apps will be blocked all day"))
            #expect(house.me.antiRot.windows == nil)
            _ = try await owner.post("/anti-rot/windows/clear", [("confirm", "empty")])
            #expect(house.me.antiRot.windows == [])
        }
    }
}
