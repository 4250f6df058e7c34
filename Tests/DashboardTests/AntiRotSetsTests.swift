import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// The pages of sets of windows besides the first, and what programs do with them.
@Suite struct AntiRotSetsTests {
    private static func add(_ name: String, _ owner: Guest) async throws -> String {
        let added = try await owner.post("/anti-rot/sets", [("name", name)])
        return try #require(added.location)
    }

    @Test("UR-016: a set gets a name, apps, a whole category and windows on pages of its own")
    func added() async throws {
        let house = try TestHouse(people: [AntiRotHomeTests.person()])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/anti-rot/sets").text.contains("have the same windows"))
            #expect(try await owner.get("/anti-rot/schedule").text.contains("href=\"/anti-rot/sets\""))
            let path = try await Self.add(" Games ", owner)
            #expect(try await owner.get(path).text.contains("Nothing is blocked by this set yet."))
            let apps = try await owner.get("\(path)/apps").text
            #expect(apps.contains("action=\"\(path)/apps\"") && apps.contains("only while all of them are"))
            let picked = [("app", ""), ("app", "whatsapp"), ("category", "social")]
            #expect(try await owner.post("\(path)/apps", picked).location == "\(path)/apps?done=saved")
            let film = [("label", "Film"), ("start", "23:00"), ("end", "01:00")]
            #expect(try await owner.post("\(path)/windows", film).location == "\(path)/schedule?done=saved")
            let set = try #require(house.me.antiRot.otherSets.first)
            let id = try #require(set.id)
            #expect(set.name == "Games" && path == "/anti-rot/sets/\(id.uuidString)")
            #expect(set.restricted == AppSelection(apps: ["whatsapp"], categories: ["social"]))
            #expect(set.windows?.map(\.times) == ["23:00–01:00"])
            let page = try await owner.get(path).text
            for text in ["everything in", "1 app and 1 category selected", "Film 23:00–01:00"] {
                #expect(page.contains(text), "\(text)")
            }
            for page in ["/anti-rot", "/anti-rot/sets"] {
                let list = try await owner.get(page).text
                #expect(list.contains("First set") && list.contains("<bdi>Games</bdi>"), "\(page)")
            }
            #expect(try await owner.get("/my-rules").text.contains("only while all of them are"))
        }
        #expect(house.me.antiRot.windows?.count == 1)
    }

    @Test("What is refused stands beside its field; a set that is gone is not found")
    func refuses() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for name in [" ", String(repeating: "x", count: 61)] {
                let refused = try await owner.post("/anti-rot/sets", [("name", name)])
                #expect(refused.status == .unprocessableContent && refused.text.contains("name-error"))
            }
            let path = try await Self.add("Games", owner)
            #expect(try await owner.post(path, [("name", "")]).status == .unprocessableContent)
            #expect(try await owner.post(path, [("name", "Late")]).location == "\(path)?done=saved")
            #expect(house.me.antiRot.otherSets.map(\.name) == ["Late"])
            let gone = "/anti-rot/sets/\(UUID().uuidString)"
            for page in [gone, "\(gone)/apps", "\(gone)/schedule", "/anti-rot/sets/x"] {
                #expect(try await owner.get(page).status == .notFound, "\(page)")
            }
            #expect(try await owner.post("\(gone)/delete").status == .notFound)
            #expect(try await guest.post("\(path)/delete").status != .ok)
            #expect(house.me.antiRot.otherSets.count == 1)
        }
    }

    @Test("A removed set can be had back as it was; where loosening waits, it stays until then")
    func removed() async throws {
        let house = try TestHouse(people: [AntiRotHomeTests.person()])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let path = try await Self.add("Games", owner)
            _ = try await owner.post("\(path)/apps", [("app", "tiktok")])
            _ = try await owner.post("\(path)/windows", [("start", "10:00"), ("end", "11:00")])
            let was = house.me.antiRot.otherSets
            let id = try #require(was.first?.id).uuidString
            #expect(try await owner.post("\(path)/delete").location == "/anti-rot/sets?removed=\(id)")
            #expect(house.me.antiRot.otherSets.isEmpty)
            let page = try await owner.get("/anti-rot/sets?removed=\(id)").text
            #expect(page.contains(">Undo</button>") && page.contains("action=\"\(path)/restore\""))
            #expect(try await owner.post("\(path)/restore").location == "/anti-rot/sets?done=undone")
            #expect(house.me.antiRot.otherSets == was)
            #expect(try await owner.post("\(path)/restore").status == .conflict)
            try house.store.change { $0.people[0].looseningDelay = 24 }
            #expect(try await owner.post("\(path)/delete").location == "\(path)?done=waiting")
            #expect(house.me.antiRot.otherSets == was && house.me.pending.count == 1)
            #expect(try await owner.get(path).text.contains("Without this set"))
        }
    }

    @Test("Programs read and replace all sets besides the first")
    func programs() async throws {
        let house = try TestHouse()
        try await house.program { program in
            let path = "/api/v1/window-sets"
            #expect(try await program.get(path).text == #"{"sets":[],"waiting":[]}"#)
            let games =
                #"{"sets":[{"name":"Games","categories":["social"],"windows":[{"start":"23:00","end":"01:00","days":["fri"]}]},{"name":"Later"}]}"#
            let saved = try await program.json(.put, path, games)
            #expect(saved.status == .ok && saved.text.contains(#""categories":["social"]"#))
            #expect(saved.text.contains(#""windows":null"#))
            #expect(try await program.json(.put, path, saved.text).text == saved.text)
            for (body, status) in [
                (#"{"sets":[{"name":""}]}"#, HTTPResponse.Status.unprocessableContent),
                (#"{"sets":[{"name":"A","windows":[]}]}"#, .unprocessableContent),
                (#"{"sets":[{"name":"A","categories":["nope"]}]}"#, .unprocessableContent),
                (#"{"sets":[{"name":"A","domains":["a.example"]}]}"#, .unprocessableContent),
                (#"{"sets":[{"name":"A","windows":[{"start":"9","end":"10:00"}]}]}"#, .unprocessableContent),
                ("{}", .unprocessableContent),
            ] {
                #expect(try await program.json(.put, path, body).status == status, "\(body)")
            }
            #expect(house.me.antiRot.otherSets.count == 2)
            #expect(
                try await program.json(.put, path, #"{"sets":[]}"#).text == #"{"sets":[],"waiting":[]}"#)
        }
        #expect(house.me.antiRot.otherSets.isEmpty)
    }
}
