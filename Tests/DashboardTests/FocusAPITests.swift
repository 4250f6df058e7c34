import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// The focus timer for programs.
@Suite struct FocusAPITests {
    private static let me = PersonID(rawValue: 1)

    @Test("MF-021 to MF-029: start, pause, resume and stop; an illegal move is a 409 that changes nothing")
    func moves() async throws {
        let house = try TestHouse()
        try await house.program { program in
            func refused(_ path: String, _ code: String) async throws {
                let before = house.store.household
                let response = try await program.json(.post, "/api/v1/focus\(path)")
                #expect(response.status == .conflict, "\(path)")
                #expect(response.object["code"] as? String == code, "\(path)")
                #expect(response.headers[.contentType] == "application/problem+json")
                #expect(house.store.household == before)
            }
            for path in ["/pause", "/stop"] { try await refused(path, "focus-not-running") }
            try await refused("/resume", "focus-not-paused")

            let started = try await program.json(.post, "/api/v1/focus", #"{"minutes":45}"#)
            #expect(started.status == .created)
            let session = try #require(started.object["session"] as? String)
            #expect(
                started.text == #"{"state":"running","totalSeconds":2700,"remainingSeconds":2700,"#
                    + #""endsAt":"2026-11-20T19:45:00Z","session":"\#(session)","shields":false,"#
                    + #""finished":null}"#)
            try await refused("", "focus-running")
            try await refused("/resume", "focus-not-paused")
            house.clock.advance(by: 100.5)
            let paused = try await program.json(.post, "/api/v1/focus/pause")
            #expect(paused.object["state"] as? String == "paused")
            #expect(paused.object["remainingSeconds"] as? Int == 2_600)
            #expect(paused.object["endsAt"] is NSNull)
            try await refused("/pause", "focus-not-running")
            house.clock.advance(by: 1_000)
            let resumed = try await program.json(.post, "/api/v1/focus/resume")
            #expect(resumed.object["remainingSeconds"] as? Int == 2_600)
            #expect(resumed.object["session"] as? String == session)
            house.clock.advance(by: 200)
            let stopped = try await program.json(.post, "/api/v1/focus/stop")
            #expect(stopped.object["state"] as? String == "idle")
            let finished = try #require(stopped.object["finished"] as? [String: Any])
            #expect(finished["id"] as? String == session && finished["completed"] as? Bool == false)
        }
        let kept = try house.store.allFocusSessions(of: Self.me)
        #expect(kept.map(\.durationSeconds) == [300] && kept[0].presetLabel == "45m")
    }

    @Test("MF-086: a start with a length saves what is paused first")
    func startsAnew() async throws {
        let house = try TestHouse()
        try await house.program { program in
            _ = try await program.json(.post, "/api/v1/focus", #"{"minutes":45}"#)
            house.clock.advance(by: 1_200)
            _ = try await program.json(.post, "/api/v1/focus/pause")
            let anew = try await program.json(.post, "/api/v1/focus", #"{"minutes":25}"#)
            #expect(anew.object["remainingSeconds"] as? Int == 1_500)
        }
        #expect(try house.store.allFocusSessions(of: Self.me).map(\.durationSeconds) == [1_200])
    }

    @Test("MF-087: a stop that discards keeps nothing; a new start takes the length that was chosen last")
    func discards() async throws {
        let house = try TestHouse()
        try await house.program { program in
            _ = try await program.json(.post, "/api/v1/focus", #"{"minutes":90}"#)
            let stopped = try await program.json(.post, "/api/v1/focus/stop", #"{"save":false}"#)
            #expect(stopped.object["finished"] is NSNull)
            let again = try await program.json(.post, "/api/v1/focus")
            #expect(again.object["totalSeconds"] as? Int == 5_400)
        }
        #expect(try house.store.allFocusSessions(of: Self.me).isEmpty)
    }

    @Test(
        "What cannot be used: 422 with a stable code, and nothing starts",
        arguments: [
            (#"{"minutes":0}"#, "focus-length-out-of-range"),
            (#"{"minutes":-5}"#, "focus-length-out-of-range"),
            (#"{"minutes":1441}"#, "focus-length-out-of-range"), (#"{"minutes":25.5}"#, "invalid-input"),
            (#"{"minutes":"25"}"#, "invalid-input"), (#"{"minutes":null}"#, "invalid-input"),
            (#"{"minutes":25,"x":1}"#, "invalid-input"), (#"{"save":true}"#, "invalid-input"),
        ]) func badInput(_ body: String, _ code: String) async throws
    {
        let house = try TestHouse()
        try await house.program { program in
            let response = try await program.json(.post, "/api/v1/focus", body)
            #expect(response.status == .unprocessableContent, "\(body)")
            #expect(response.object["code"] as? String == code, "\(body) \(response.text)")
            let stop = try await program.json(.post, "/api/v1/focus/stop", #"{"save":"yes"}"#)
            #expect(stop.status == .unprocessableContent)
            let nobody = try await program.json(.post, "/api/v1/focus", #"{"minutes":25,"person":9}"#)
            #expect(nobody.status == .notFound && nobody.object["code"] as? String == "unknown-person")
        }
        #expect(house.me.focus == Focus())
    }

    @Test("Every person has a timer of their own, named in the body or in the address")
    func persons() async throws {
        let ana = PersonID(rawValue: 2)
        let house = try TestHouse(people: [Person(id: Self.me, name: "Me"), Person(id: ana, name: "Ana")])
        try await house.program { program in
            _ = try await program.json(.post, "/api/v1/focus", #"{"minutes":25,"person":2}"#)
            #expect(try await program.get("/api/v1/focus").object["state"] as? String == "idle")
            #expect(try await program.get("/api/v1/focus?person=2").object["state"] as? String == "running")
            _ = try await program.json(.post, "/api/v1/focus/stop?person=2")
            let hers = try await program.get("/api/v1/focus/sessions?person=2")
            #expect((hers.object["sessions"] as? [Any])?.count == 1)
            let mine = try await program.get("/api/v1/focus/sessions")
            #expect(mine.text == #"{"sessions":[],"next":null}"#)
        }
    }

    @Test("The history comes in pages that neither repeat nor leave out")
    func pages() async throws {
        let house = try TestHouse()
        let start = house.clock.now
        let all = (0..<123).map { number in
            FocusSession(
                id: UUID(), start: start.addingTimeInterval(Double(number / 7)),
                end: start.addingTimeInterval(Double(number / 7) + 60), durationSeconds: 60,
                presetLabel: number.isMultiple(of: 2) ? "1m" : nil, completed: number.isMultiple(of: 3))
        }
        _ = try house.store.addFocusSessions(all, of: Self.me)
        try await house.program { program in
            var read: [String] = []
            var path = "/api/v1/focus/sessions?limit=10"
            while true {
                let page = try await program.get(path)
                #expect(page.status == .ok)
                let sessions = try #require(page.object["sessions"] as? [[String: Any]])
                #expect((1...10).contains(sessions.count))
                read += sessions.compactMap { $0["id"] as? String }
                guard let next = page.object["next"] as? String else { break }
                path = "/api/v1/focus/sessions?limit=10&cursor=\(next)"
            }
            #expect(read.count == 123)
            #expect(Set(read) == Set(all.map(\.id.uuidString)))
            for query in [
                "limit=0", "limit=201", "limit=x", "limit=", "cursor=", "cursor=1.x", "cursor=9",
                "cursor=\(Int64.min).\(UUID())", "cursor=\(Int64.max).\(UUID())",
            ] {
                let refused = try await program.get("/api/v1/focus/sessions?\(query)")
                #expect(refused.status == .unprocessableContent, "\(query)")
                #expect(refused.object["code"] as? String == "invalid-input", "\(query)")
            }
        }
    }
}
