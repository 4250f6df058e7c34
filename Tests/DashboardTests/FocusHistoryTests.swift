import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct FocusHistoryTests {
    /// One session a day, all at 20:00, the newest an hour ago.
    private func house(_ count: Int) throws -> TestHouse {
        let house = try TestHouse()
        let sessions = (0..<count).map { day in
            FocusSession(
                id: UUID(), start: TestHouse.evening - 3_600 - Double(day) * 86_400,
                end: TestHouse.evening - 2_100 - Double(day) * 86_400, durationSeconds: 1_500,
                presetLabel: "25m", completed: day % 2 == 0)
        }
        _ = try house.store.addFocusSessions(sessions, of: house.me.id)
        return house
    }

    private func rows(_ html: String) -> Int { html.components(separatedBy: "/delete\"").count - 1 }

    private func upload(_ owner: Guest, _ content: String, csrf: String? = nil) async throws -> TestResponse {
        let boundary = "----WebKitFormBoundaryAaB03x"
        let body = """
            --\(boundary)\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n\(csrf ?? owner.csrf ?? "")\r\n\
            --\(boundary)\r\nContent-Disposition: form-data; name="file"; filename="x.json"\r\n\
            Content-Type: application/json\r\n\r\n\(content)\r\n--\(boundary)--\r\n
            """
        return try await owner.postRaw(
            "/focus/import", body, type: "multipart/form-data; boundary=\(boundary)")
    }

    @Test("The list goes on page by page, nothing twice and nothing left out")
    func pages() async throws {
        let house = try house(45)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            var path: String? = "/focus/history"
            var (seen, pages) = (Set<String>(), 0)
            while let next = path {
                let html = try await owner.get(next).text
                pages += 1
                for match in html.matches(of: /history\/([0-9A-F-]{36})\/delete/) {
                    #expect(seen.insert(String(match.1)).inserted)
                }
                path = html.firstMatch(of: /href="([^"]+)" rel="next"/).map {
                    String($0.1).replacing("&amp;", with: "&")
                }
            }
            #expect(seen.count == 45 && pages == 3)
        }
    }

    @Test("Deleting and its undo lead back to where the list stood")
    func staysInPlace() async throws {
        let house = try house(45)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let first = try await owner.get("/focus/history").text
            let older = try #require(first.firstMatch(of: /href="([^"]+)" rel="next"/)).1
            let second = try await owner.get(String(older)).text
            let after = try #require(second.firstMatch(of: /name="after" value="([^"]+)"/)).1
            let id = try #require(second.firstMatch(of: /history\/([0-9A-F-]{36})\/delete/)).1
            let gone = try await owner.post("/focus/history/\(id)/delete", [("after", String(after))])
            #expect(gone.location == "/focus/history?removed=\(id)&after=\(after)")
            let left = try await owner.get(gone.location ?? "").text
            #expect(left.contains("/\(id)/restore") && !left.contains("/\(id)/delete"))
            let back = try await owner.post("/focus/history/\(id)/restore", [("after", String(after))])
            #expect(back.location == "/focus/history?after=\(after)")
            #expect(try await owner.get(back.location ?? "").text.contains("/\(id)/delete"))
        }
    }

    @Test("Totals per day and week as a chart with a table beside it")
    func totals() async throws {
        try await house(3).visit { guest in
            let html = try await guest.signedIn().get("/focus/history").text
            #expect(html.contains("Focus by day: 1h 15m in 14 days"))
            #expect(html.contains("<th scope=\"row\">Fri 20 Nov</th><td>25m</td>"))
            #expect(html.contains("<small>1 session, 1 completed</small>"))
        }
    }

    @Test("Delete, and Undo brings it back as it was")
    func deletes() async throws {
        let house = try house(2)
        let before = try house.store.allFocusSessions(of: house.me.id)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let id = before[0].id.uuidString
            let gone = try await owner.post("/focus/history/\(id)/delete")
            #expect(gone.location == "/focus/history?removed=\(id)")
            #expect(try house.store.allFocusSessions(of: house.me.id).count == 1)
            #expect(try await owner.get(gone.location ?? "").text.contains("/restore"))
            #expect(try await owner.post("/focus/history/\(id)/delete").status == .conflict)
            #expect(try await owner.post("/focus/history/\(id)/restore").location == "/focus/history")
            #expect(try await owner.post("/focus/history/\(UUID())/restore").status == .conflict)
            #expect(try await owner.post("/focus/history/x/delete").status == .notFound)
        }
        #expect(try house.store.allFocusSessions(of: house.me.id) == before)
    }

    @Test("MF-006, MF-008, MF-018: CSV, sessions.json and timer-state.json in their exact shapes")
    func downloads() async throws {
        let house = try house(1)
        let session = try house.store.allFocusSessions(of: house.me.id)[0]
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let csv = try await owner.get("/focus/history.csv")
            #expect(csv.headers[.contentType] == "text/csv; charset=utf-8")
            #expect(
                csv.text == "id,start,durationSeconds,presetLabel,completed\r\n"
                    + "\(session.id.uuidString),2026-11-20T18:00:00Z,1500,25m,true\r\n")
            let json = try await owner.get("/sessions.json")
            #expect(json.headers[.contentDisposition] == "attachment; filename=\"sessions.json\"")
            let list = try #require(
                try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [[String: Any]])
            #expect(Set(list[0].keys) == ["id", "start", "durationSeconds", "presetLabel", "completed"])
            #expect(list[0]["start"] as? String == "2026-11-20T18:00:00Z")
            let state = try await owner.get("/timer-state.json").object
            #expect(Set(state.keys) == ["total", "remaining", "running", "paused"])
            #expect(state["total"] as? Int == 1_500 && state["running"] as? Bool == false)
        }
    }

    @Test("MF-011, MF-012: both files are taken over; what is known stays, and importing again adds nothing")
    func imports() async throws {
        let house = try house(1)
        let known = try house.store.allFocusSessions(of: house.me.id)[0].id.uuidString
        let list = """
            [{"id":"\(known)","start":"2025-10-21T10:00:00Z","durationSeconds":60,"completed":false},
             {"id":"\(UUID())","start":"2025-10-21T10:00:00Z","durationSeconds":1500,"presetLabel":"25m","completed":true}]
            """
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await upload(owner, list).location == "/focus/history?added=1&known=1")
            #expect(try await upload(owner, list).location == "/focus/history?added=0&known=2")
            let page = try await owner.get("/focus/history?added=1&known=1").text
            #expect(page.contains("1 session was added. 1 was here already."))
            let state = #"{"total": 1500, "remaining": 1200, "running": false, "paused": false}"#
            #expect(try await upload(owner, state).location == "/focus?done=saved")
            #expect(try await owner.get("/focus").text.contains("20:00"))
        }
        #expect(try house.store.allFocusSessions(of: house.me.id).count == 2)
        #expect(house.me.focus.timer.totalSeconds == 1_500)
    }

    @Test("A file that cannot be used is refused in words, and nothing is lost")
    func refusesFiles() async throws {
        let house = try house(1)
        let before = house.store.household
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for (content, words) in [
                ("", "Choose a file first."), ("x", "This is not a sessions.json file."),
                ("[{}]", "This is not a sessions.json file."), ("{}", "This is not a timer-state.json file."),
                (#"{"total":0,"remaining":0,"running":false,"paused":false}"#, "timer-state.json"),
                ("[1,2", "This is not a sessions.json file."),
            ] {
                let response = try await upload(owner, content)
                #expect(response.status == .unprocessableContent)
                #expect(response.text.contains("id=\"file-error\""))
                #expect(response.text.contains(words))
            }
            let large = try await upload(owner, String(repeating: " ", count: 4 << 20 + 1) + "[]")
            #expect(large.status == .contentTooLarge && large.text.contains("The file is larger than 4 MB."))
            #expect(try await upload(owner, "[]", csrf: "wrong").status == .forbidden)
            #expect(try await owner.postRaw("/focus/import", "a=b").status == .unsupportedMediaType)
            #expect(
                try await owner.postRaw("/focus/import", "junk", type: "multipart/form-data; boundary=x")
                    .status
                    == .badRequest)
            _ = try await owner.post("/focus/start")
            let state = #"{"total": 1500, "remaining": 1200, "running": false, "paused": false}"#
            let running = try await upload(owner, state)
            #expect(running.status == .conflict && running.text.contains("Stop it first"))
            #expect(house.me.focus.timer.isRunning)
            _ = try await owner.post("/focus/stop", [("save", "false")])
        }
        #expect(house.store.household.people[0].focus == before.people[0].focus)
        #expect(try house.store.allFocusSessions(of: house.me.id).count == 1)
    }
}
