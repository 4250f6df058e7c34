import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Policy
import Store
import Testing

@Suite struct SettingsRoutesTests {
    @Test("SI-031, SI-150: the default mode is saved, and a running session keeps its own (SI-062)")
    func defaultMode() async throws {
        let house = try TestHouse()
        try house.start(.flexible)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let saved = try await owner.post("/settings", [("defaultStrictness", "strict")])
            #expect(saved.location == "/settings?done=saved")
            #expect(house.me.defaultStrictness == .strict)
            #expect(house.session?.strictness == .flexible)
            #expect(try await owner.get("/settings").text.contains("Cannot cancel until time is up"))
            for fields in [[], [("defaultStrictness", "hard")], [("defaultStrictness", "")]] {
                #expect(try await owner.post("/settings", fields).status == .unprocessableContent)
            }
        }
        #expect(house.me.defaultStrictness == .strict)
    }

    @Test(
        "A-14: a machine's own zone stands selected under its own name, so that saving changes nothing",
        arguments: ["Etc/UTC", "Etc/GMT+5", "US/Eastern", "Zulu"])
    func machineZones(_ zone: String) async throws {
        let house = try TestHouse()
        try house.store.change { $0.timeZone = zone }
        try await house.visit { guest in
            let page = try await guest.signedIn().get("/settings/time-zone").text
            #expect(page.contains("<option value=\"\(zone)\" selected>"))
        }
    }

    @Test(
        "A-14: zones of the database only", arguments: ["", "Mars/Olympus", "CEST", "GMT+2", "../etc/passwd"])
    func zones(_ zone: String) async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let refused = try await owner.post("/settings/time-zone", [("timeZone", zone)])
            #expect(refused.status == .unprocessableContent)
            #expect(house.store.household.timeZone == "Europe/Berlin")
            _ = try await owner.post("/settings/time-zone", [("timeZone", "Asia/Kolkata")])
            #expect(house.store.household.timeZone == "Asia/Kolkata")
        }
    }

    @Test("The passcode changes for who knows it, and every other browser is out")
    func passcode() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let (owner, other) = (try guest.signedIn(), try guest.signedIn())
            for fields in [
                [("current", "wrong"), ("passcode", "12345x9")], [("passcode", "12345x9")],
                [("current", TestHouse.passcode), ("passcode", "1")],
            ] {
                let response = try await owner.post("/settings/passcode", fields)
                #expect(response.status == .unprocessableContent)
                #expect(!response.text.contains("12345x9"))
            }
            let fields = [("current", TestHouse.passcode), ("passcode", "12345x9")]
            #expect(
                try await owner.post("/settings/passcode", fields).location
                    == "/settings/passcode?done=passcode")
            #expect(try await owner.get("/settings").status == .ok)
            #expect(try await other.get("/settings").status == .seeOther)
            #expect(try await guest.post("/login", [("passcode", "12345x9")]).status == .seeOther)
            #expect(
                try await guest.post("/login", [("passcode", TestHouse.passcode)]).status
                    == .unprocessableContent)
        }
    }

    @Test("A-19: a token is shown once, works, and stops when it is revoked")
    func tokens() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let made = try await owner.post("/settings/tokens", [("name", "<i>Home</i>")])
            let token = try #require(made.text.firstMatch(of: /si_[A-Za-z0-9_-]{43}/)).output
            #expect(!made.text.contains("<i>Home"))
            #expect(try await !owner.get("/settings").text.contains(token))
            let program = guest.with(.authorization, "Bearer \(token)")
            #expect(try await program.get("/api/v1/state").status == .ok)
            #expect(
                try await guest.with(.authorization, "Bearer si_x").get("/api/v1/state").status
                    == .unauthorized)
            // A token is for programs and opens no page.
            #expect(try await program.get("/settings").status == .seeOther)
            let id = try #require(house.store.tokens.first).id
            _ = try await owner.post("/settings/tokens/\(id)/delete")
            #expect(try await program.get("/api/v1/state").status == .unauthorized)
            #expect(try await owner.post("/settings/tokens/\(id)/delete").status == .notFound)
            for fields in [[], [("name", "")], [("name", String(repeating: "x", count: 61))]] {
                #expect(try await owner.post("/settings/tokens", fields).status == .unprocessableContent)
            }
        }
    }

    @Test("People are added, renamed and removed, never the last; names are text")
    func people() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let name = "Zoë \"\u{301}<b>👩‍👧"
            #expect(
                try await owner.post("/settings/people", [("name", name)]).location
                    == "/settings/people?done=added#add")
            let id = try #require(house.store.household.people.last).id.rawValue
            let page = try await owner.get("/settings/people")
            #expect(!page.text.contains("<b>👩"))
            let long = String(repeating: "x", count: 61)
            let refused = try await owner.post("/settings/people", [("name", long)])
            #expect(refused.status == .unprocessableContent && refused.text.contains("value=\"\(long)\""))
            _ = try await owner.post("/settings/people/\(id)", [("name", "Zoe")])
            #expect(house.store.household.people.last?.name == "Zoe")
            _ = try await owner.post("/settings/new-devices", [("newDevices", "\(id)")])
            #expect(house.store.household.newDevicesBelongTo?.rawValue == id)
            let fields = [("person", "\(id)"), ("name", "Zoe")]
            let question = try await owner.post("/settings/people/\(id)/delete", fields)
            #expect(question.status == .ok && question.text.contains("This cannot be undone."))
            let unconfirmed = try await owner.post(
                "/settings/people/\(id)/delete", fields + [("confirm", "yes")])
            #expect(unconfirmed.status == .unprocessableContent)
            #expect(house.store.household.people.count == 2, "nobody was removed yet")
            let removed = try await owner.post(
                "/settings/people/\(id)/delete", fields + [("confirm", "remove")])
            #expect(removed.location == "/settings/people?done=removed#person-1")
            #expect(house.store.household.people.map(\.name) == ["Me"])
            #expect(house.store.household.newDevicesBelongTo == nil)
            #expect(try await owner.post("/settings/people/1/delete").status == .conflict)
            for bad in ["", "   ", "\u{202E}", String(repeating: "x", count: 61)] {
                let response = try await owner.post("/settings/people", [("name", bad)])
                #expect(response.status == .unprocessableContent)
            }
            #expect(try await owner.post("/settings/new-devices", [("newDevices", "77")]).status == .conflict)
        }
    }

    @Test("A refused name stays in its own row, with the error beside it")
    func refusedName() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/settings/people", [("name", "Mia"), ("role", "child")])
            let refused = try await owner.post("/settings/people/2", [("name", "Me"), ("role", "adult")])
            #expect(refused.status == .unprocessableContent)
            let row = try #require(
                refused.text.components(separatedBy: "<form ").first { $0.contains("id=\"person-2\"") })
            #expect(row.contains("value=\"Me\"") && row.contains("aria-describedby=\"person-error-2\""))
            #expect(row.contains("<option value=\"adult\" selected>"))
            #expect(row.contains("id=\"person-error-2\" role=\"alert\""))
            let add = try #require(
                refused.text.components(separatedBy: "<form ").first { $0.contains("id=\"person-new\"") })
            #expect(!add.contains("error") && !add.contains("value=\"Me\""))
            let added = try await owner.post("/settings/people", [("name", "Mia"), ("role", "child")])
            #expect(
                added.text.contains("id=\"person-error\"") && !added.text.contains("id=\"person-error-2\""))
            #expect(
                added.text.contains(
                    "<option value=\"child\" selected>Child</option></select><button class=\"pill\" type=\"submit\">Add"
                ))
        }
    }

    @Test("The backup is a whole database file")
    func backup() async throws {
        try await TestHouse().visit { guest in
            let response = try await guest.signedIn().get("/settings/backup")
            #expect(response.status == .ok)
            #expect(String(buffer: response.body).hasPrefix("SQLite format 3"))
            #expect(response.headers[.contentDisposition]?.contains("sleep-inducer.sqlite") == true)
        }
    }
}
