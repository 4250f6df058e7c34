import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct APIRoutesTests {
    @Test("The state is the contract's object, with every key")
    func state() async throws {
        let house = try TestHouse()
        try house.start(.flexible, minutes: 120)
        house.clock.advance(by: 0.25)
        try await house.program { program in
            let state = try await program.get("/api/v1/state")
            #expect(state.headers[.contentType] == "application/json; charset=utf-8")
            let keys = [
                "revision", "now", "zone", "person", "devices", "session", "bedtimeAt", "overrideEndsAt",
                "schedule",
                "dateExceptions", "antiRot",
                "limits", "focus", "requests",
            ]
            #expect(Set(state.object.keys) == Set(keys))
            #expect(state.object["now"] as? String == "2026-11-20T19:00:00.250Z")
            let session = try #require(state.object["session"] as? [String: Any])
            #expect(session["durationFormatted"] as? String == "2h")
            #expect(session["totalSeconds"] as? Int == 7200)
            #expect(session["endsAt"] as? String == "2026-11-20T21:00:00Z")
            #expect(session["cancelsAt"] is NSNull)
            let schedule = try #require(state.object["schedule"] as? [String: Any])
            #expect(schedule["start"] as? String == "22:00")
            #expect(schedule["nextStart"] is NSNull)
        }
    }

    @Test("Every answer says of which revision of the household it is")
    func revision() async throws {
        let house = try TestHouse()
        try await house.program { program in
            let before = try await program.get("/api/v1/state").headers[.eTag]
            #expect(before == "\"\(house.store.revision)\"")
            let start = #"{"durationMinutes":60,"strictness":"flexible"}"#
            let changed = try await program.json(.post, "/api/v1/session", start).headers[.eTag]
            #expect(changed != before && changed == "\"\(house.store.revision)\"")
            #expect(try await program.get("/api/v1/devices").headers[.eTag] == changed)
        }
    }

    @Test("A session from start to reset")
    func session() async throws {
        let house = try TestHouse()
        try await house.program { program in
            let start = #"{"durationMinutes":60,"strictness":"flexible"}"#
            #expect(try await program.json(.post, "/api/v1/session", start).status == .created)
            let again = try await program.json(.post, "/api/v1/session", start)
            #expect(again.status == .conflict)
            #expect(again.object["code"] as? String == "session-running")
            let cancel = try await program.json(.post, "/api/v1/session/cancel")
            #expect(
                (cancel.object["session"] as? [String: Any])?["cancelsAt"] as? String
                    == "2026-11-20T19:00:30Z")
            let keep = try await program.json(.delete, "/api/v1/session/cancel")
            #expect((keep.object["session"] as? [String: Any])?["cancelsAt"] is NSNull)
            for body in ["{}", #"{"confirm":false}"#] {
                let reset = try await program.json(.post, "/api/v1/reset", body)
                #expect(reset.object["code"] as? String == "not-confirmed")
            }
            #expect(house.session != nil)
            let reset = try await program.json(.post, "/api/v1/reset", #"{"confirm":true}"#)
            #expect(reset.status == .ok)
            #expect(house.session == nil)
            let late = try await program.json(.post, "/api/v1/session/cancel")
            #expect(late.object["code"] as? String == "no-session")
        }
    }

    @Test(
        "What cannot be used: 400 or 422 with a stable code, never worse",
        arguments: [
            ("{", 400, "invalid-json"), ("[]", 400, "invalid-json"), ("null", 400, "invalid-json"),
            ("{}", 422, "invalid-input"),
            (#"{"durationMinutes":45,"strictness":"strict"}"#, 422, "unknown-duration"),
            (#"{"durationMinutes":"60","strictness":"strict"}"#, 422, "invalid-input"),
            (#"{"durationMinutes":60.5,"strictness":"strict"}"#, 422, "invalid-input"),
            (#"{"durationMinutes":true,"strictness":"strict"}"#, 422, "invalid-input"),
            (#"{"durationMinutes":60,"strictness":"x"}"#, 422, "invalid-input"),
            (#"{"durationMinutes":60,"strictness":"strict","x":1}"#, 422, "invalid-input"),
            (#"{"durationMinutes":60,"strictness":"strict","person":9}"#, 404, "unknown-person"),
            (String(repeating: "[", count: 5000), 400, "invalid-json"),
        ])
    func badInput(_ body: String, _ status: Int, _ code: String) async throws {
        let house = try TestHouse()
        try await house.program { program in
            let response = try await program.json(.post, "/api/v1/session", body)
            #expect(response.status.code == status)
            #expect(response.object["code"] as? String == code)
            #expect(response.headers[.contentType] == "application/problem+json")
        }
        #expect(house.session == nil)
    }

    @Test("The schedule goes back as it came")
    func schedule() async throws {
        let house = try TestHouse()
        try await house.program { program in
            let sent =
                #"{"isEnabled":true,"start":"23:00","end":"06:30","strictness":"strict","days":["mon","sun"],"#
                + #""exceptions":[{"days":["sun"],"start":"22:00","end":"05:00"}],"nextStart":null}"#
            let saved = try await program.json(.put, "/api/v1/schedule", sent)
            #expect(saved.status == .ok)
            let read = try await program.get("/api/v1/schedule")
            #expect(read.text == saved.text)
            #expect(read.text.contains(#""nextStart":"2026-11-22T21:00:00Z""#))
            #expect(try await program.json(.put, "/api/v1/schedule", read.text).status == .ok)
            for body in [
                #"{"isEnabled":true,"start":"25:61","end":"06:30","strictness":"strict"}"#,
                #"{"isEnabled":true,"start":"23:00","end":"23:00","strictness":"strict"}"#,
                #"{"isEnabled":true,"start":"23:00","end":"06:30","strictness":"strict","days":[]}"#,
                #"{"isEnabled":true,"start":"23:00","end":"06:30","strictness":"strict","exceptions":[1]}"#,
            ] {
                let refused = try await program.json(.put, "/api/v1/schedule", body)
                #expect(refused.status == .unprocessableContent, "\(body)")
            }
        }
    }

    @Test("Selections, catalog, devices, people and export")
    func rest() async throws {
        let house = try TestHouse()
        try await house.program { program in
            let selection = #"{"apps":["tiktok"],"categories":[],"domains":["Example.org"]}"#
            let saved = try await program.json(.put, "/api/v1/selections/allowed", selection)
            #expect(saved.text == #"{"apps":["tiktok"],"categories":[],"domains":["example.org"]}"#)
            #expect(try await program.get("/api/v1/selections/allowed").text == saved.text)
            let unknown = try await program.json(
                .put, "/api/v1/selections/allowed",
                #"{"apps":["nosuch"],"categories":[],"domains":[]}"#)
            #expect(unknown.object["code"] as? String == "unknown-ids")
            for part in [#"{"apps":[]}"#, #"{"apps":[],"categories":[]}"#, "{}"] {
                let response = try await program.json(.put, "/api/v1/selections/allowed", part)
                #expect(response.status == .unprocessableContent, "\(part)")
            }
            #expect(try await program.get("/api/v1/selections/allowed").text == saved.text)
            #expect(try await program.get("/api/v1/selections/favourite").status == .notFound)
            #expect(try await program.get("/api/v1/catalog").text.contains(#""id":"tiktok""#))
            let person = try await program.json(.post, "/api/v1/people", #"{"name":"Ana","role":"child"}"#)
            #expect(person.status == .created)
            let id = try #require(person.object["id"] as? Int)
            let device = try await program.json(
                .patch, "/api/v1/devices/1", #"{"person":\#(id),"name":"Pad"}"#)
            #expect(device.object["person"] as? Int == id)
            let freed = try await program.json(.patch, "/api/v1/devices", #"{"id":1,"person":null}"#)
            #expect(freed.object["person"] is NSNull)
            #expect(try await program.json(.patch, "/api/v1/devices/9", "{}").status == .notFound)
            let renamed = try await program.json(.patch, "/api/v1/people", #"{"id":\#(id),"name":"Anna"}"#)
            #expect(renamed.object["name"] as? String == "Anna")
            #expect(try await program.json(.delete, "/api/v1/people/\(id)").status == .noContent)
            let last = try await program.json(.delete, "/api/v1/people/1")
            #expect(last.object["code"] as? String == "last-person")
            let export = try await program.get("/api/v1/export")
            for key in ["allowedApps", "defaultStrictness"] { #expect(export.text.contains("\"\(key)\"")) }
            #expect(!export.text.contains("scrypt"))
        }
    }

    @Test(
        "What is nested deeper than anything that we take is refused before it is parsed",
        arguments: [(16, HTTPResponse.Status.unprocessableContent), (17, .badRequest), (60_000, .badRequest)])
    func depth(_ levels: Int, _ status: HTTPResponse.Status) async throws {
        // The object itself is one level; brackets in a text are none.
        let nested = String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1)
        let body = #"{"text":"[[[[[[[[[[[[[[[[[[[[\"[[[[","minutes":\#(nested)}"#
        try await TestHouse().program { program in
            let begun = ContinuousClock.now
            let reply = try await program.json(.post, "/api/v1/focus", body)
            #expect(reply.status == status)
            #expect(ContinuousClock.now - begun < .seconds(1))
        }
    }

    @Test("A browser's login may read, and only that; 413 and 415 as they should be")
    func limits() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/api/v1/state").status == .ok)
            #expect(
                try await owner.json(.post, "/api/v1/reset", #"{"confirm":true}"#).status == .unauthorized)
        }
        try await house.program { program in
            let large = "{\"a\":\"" + String(repeating: "x", count: 300_000) + "\"}"
            #expect(try await program.json(.post, "/api/v1/session", large).status == .contentTooLarge)
            let odd = try await program.postRaw("/api/v1/session", "a=1")
            #expect(odd.status == .unsupportedMediaType)
            #expect(try await program.get("/api/v1/nowhere").object["code"] as? String == "not-found")
            for query in ["person=", "person=1&person=1"] {
                #expect(try await program.get("/api/v1/state?\(query)").status == .unprocessableContent)
            }
        }
    }

    @Test("The description names every path of the API, and every shape that it refers to")
    func description() async throws {
        try await TestHouse().visit { guest in
            let document = try await guest.get("/api/openapi.json")
            #expect(document.object["openapi"] as? String == "3.1.0")
            let paths = try #require(document.object["paths"] as? [String: Any])
            for (method, path) in GateTests.programs {
                let operations = paths[path.replacing("/people/1", with: "/people/{id}")] as? [String: Any]
                #expect(operations?[method.rawValue.lowercased()] != nil, "\(method) \(path)")
            }
            let components = document.object["components"] as? [String: Any]
            let schemas = try #require(components?["schemas"] as? [String: Any])
            for match in document.text.matches(of: /schemas\/(\w+)/) {
                #expect(schemas[String(match.output.1)] != nil, "\(match.output.1)")
            }
        }
    }
}
