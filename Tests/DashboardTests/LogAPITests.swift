import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// `GET /api/v1/log`: who changed what, for programs, as "My rules" shows it.
@Suite struct LogAPITests {
    private func entries(_ response: TestResponse) -> [[String: Any]] {
        response.object["entries"] as? [[String: Any]] ?? []
    }

    private func what(_ response: TestResponse) -> [String] {
        entries(response).compactMap { $0["what"] as? String }
    }

    @Test("Newest first: what, when, whose, by whom; the household's own rules among them")
    func lines() async throws {
        let house = try TestHouse()
        try await house.program(named: "lamp") { program in
            var owner = try program.signedIn()
            owner.headers = [:]
            _ = try await owner.post("/devices/1", [("owner", "")])
            _ = try await owner.post("/devices/1", [("owner", "1")])
            _ = try await owner.post("/settings/time-zone", [("timeZone", "Europe/London")])
            _ = try await program.json(
                .put, "/api/v1/schedule",
                #"{"isEnabled":true,"start":"22:30","end":"07:00","strictness":"strict","days":["mon"],"exceptions":[]}"#
            )
            let log = try await program.get("/api/v1/log")
            #expect(
                log.status == .ok && log.object["isWhole"] as? Bool == true && log.object["next"] is NSNull)
            #expect(what(log).prefix(2) == ["Nightly schedule", "Time zone"])
            let schedule = try #require(entries(log).first)
            #expect(
                schedule["kind"] as? String == "ruleChanged" && schedule["subject"] as? String == "schedule")
            #expect(schedule["person"] as? Int == 1 && schedule["device"] is NSNull)
            #expect(schedule["at"] as? String == "2026-11-20T19:00:00Z")
            let by = try #require(schedule["by"] as? [String: Any])
            #expect(by["kind"] as? String == "program" && by["words"] as? String == "by the program lamp")
            #expect(entries(log).dropFirst().first?["person"] is NSNull)
            #expect(what(log).contains { $0.hasPrefix("Enrolled: ") })
        }
    }

    @Test("Fifty at a time without a limit, 500 at most, and page after page by before")
    func pages() async throws {
        let house = try TestHouse()
        for number in 0..<60 {
            var entry = LogEntry(
                .ruleChanged, person: number % 3 == 0 ? nil : house.me.id, at: house.clock.now)
            entry.subject = .limits
            try house.store.append(entry)
        }
        try await house.program { program in
            let first = try await program.get("/api/v1/log")
            #expect(entries(first).count == 50)
            var ids: [Int] = []
            var address = "/api/v1/log?limit=7"
            while true {
                let page = try await program.get(address)
                ids += entries(page).compactMap { $0["id"] as? Int }
                guard let next = page.object["next"] as? Int else { break }
                #expect(next == ids.last)
                address = "/api/v1/log?limit=7&before=\(next)"
            }
            #expect(ids == ids.sorted(by: >) && Set(ids).count == ids.count && ids.count >= 60)
            #expect(entries(try await program.get("/api/v1/log?limit=500")).count == ids.count)
            for query in ["limit=0", "limit=501", "limit=x", "limit=", "before=0", "before=-1", "before=x"] {
                let refused = try await program.get("/api/v1/log?\(query)")
                #expect(refused.status == .unprocessableContent, "\(query)")
                #expect(refused.object["code"] as? String == "invalid-input")
            }
        }
    }

    @Test("What another adult asked and did stands there on their own devices only; of a child it is told")
    func redacted() async throws {
        let house = try FairHouse()
        let store = house.house.store
        for person in [FairHouse.anna, FairHouse.mia] {
            for detail in ["TikTok open at night", "no bedtime tonight"] {
                try store.append(LogEntry(.wishAsked, person: person, at: TestHouse.evening, detail: detail))
            }
            for subject in [RuleSubject.limits, .schedule, .limits] {
                var entry = LogEntry(.ruleChanged, person: person, at: TestHouse.evening)
                entry.subject = subject
                try store.append(entry)
            }
            try store.append(LogEntry(.helpUsed, person: person, at: TestHouse.evening))
        }
        try await house.house.program { program in
            let anna = try await program.get("/api/v1/log?person=2")
            #expect(anna.object["isWhole"] as? Bool == false)
            #expect(what(anna) == ["Limits", "Nightly schedule"], "as the cards of the page say it")
            let before = try #require(entries(anna).last?["id"] as? Int)
            #expect(what(try await program.get("/api/v1/log?person=2&before=\(before)")) == [])
            for (guest, person) in [(program, 3), (program.at(FairHouse.laptop), 2)] {
                let log = try await guest.get("/api/v1/log?person=\(person)")
                #expect(log.object["isWhole"] as? Bool == true)
                #expect(
                    what(log) == [
                        "Limits", "Nightly schedule", "Limits", "Asked: no bedtime tonight",
                        "Asked: TikTok open at night",
                    ])
            }
            #expect(try await program.get("/api/v1/log?person=9").status == .notFound)
        }
    }
}
