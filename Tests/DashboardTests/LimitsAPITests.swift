import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct LimitsAPITests {
    private static let two =
        #"{"limits":[{"app":"tiktok","minutes":30,"minutesByDay":{"sat":60},"weeklyMinutes":200},"#
        + #"{"kind":"category","target":"messengers","minutes":45}],"resetHour":4,"unlocksPerDay":3}"#

    @Test("Limits go back as they came, and PUT takes what GET answers")
    func limits() async throws {
        let house = try TestHouse()
        house.use([.app("tiktok"): TargetUse(day: 31, week: 50)])
        try await house.program { program in
            let saved = try await program.json(.put, "/api/v1/limits", Self.two)
            #expect(saved.status == .ok)
            let read = try await program.get("/api/v1/limits")
            #expect(read.text == saved.text)
            let limits = try #require(read.object["limits"] as? [[String: Any]])
            #expect(limits.map { $0["target"] as? String } == ["tiktok", "messengers"])
            #expect(limits[0]["reached"] as? Bool == true && limits[0]["usedThisWeek"] as? Int == 50)
            #expect(limits[0]["resetsAt"] as? String == "2026-11-21T03:00:00Z")
            #expect((limits[0]["minutesByDay"] as? [String: Int]) == ["sat": 60])
            #expect(limits[1]["weeklyMinutes"] is NSNull)
            #expect(read.object["unlocksPerDay"] as? Int == 3)
            #expect(try await program.json(.put, "/api/v1/limits", read.text).text == read.text)
            let state = try await program.get("/api/v1/state")
            let first = try #require((state.object["limits"] as? [[String: Any]])?.first)
            let keys = [
                "id", "kind", "target", "name", "minutes", "usedMinutes", "reached", "probationEndsAt",
            ]
            #expect(Set(first.keys) == Set(keys))
            #expect(first["name"] as? String == "TikTok" && first["usedMinutes"] as? Int == 31)
        }
        #expect(house.me.limits.list[0].weeklyMinutes == 200)
    }

    @Test("What is not in the list any more is removed; with a wait it stays until then, and is said")
    func replaces() async throws {
        let house = try TestHouse()
        try await house.program { program in
            _ = try await program.json(.put, "/api/v1/limits", Self.two)
            let one = #"{"limits":[{"category":"messengers","minutes":45}],"looseningDelay":8}"#
            _ = try await program.json(.put, "/api/v1/limits", one)
            #expect(house.me.limits.list.map(\.target) == [.category("messengers")])
            #expect(house.me.limits.resetHour == 4 && house.me.looseningDelay == 8)
            let none = try await program.json(.put, "/api/v1/limits", #"{"limits":[]}"#)
            let waiting = try #require(none.object["waiting"] as? [[String: Any]])
            #expect(waiting.map { $0["change"] as? String } == ["removeLimit"])
            #expect(waiting[0]["due"] as? String == "2026-11-21T03:00:00Z")
            #expect(house.me.limits.list.count == 1)
        }
    }

    @Test(
        "Limits that cannot be: nothing is changed, with a stable code",
        arguments: [
            (#"{}"#, 422, "invalid-input"), (#"{"limits":[{"minutes":30}]}"#, 422, "invalid-input"),
            (#"{"limits":[{"app":"tiktok"}]}"#, 422, "invalid-input"),
            (#"{"limits":[{"app":"tiktok","minutes":"ten"}]}"#, 422, "invalid-input"),
            (#"{"limits":[{"app":"tiktok","minutes":1.5}]}"#, 422, "invalid-input"),
            (#"{"limits":[{"app":"tiktok","minutes":0}]}"#, 422, "limit-out-of-range"),
            (#"{"limits":[{"app":"tiktok","minutes":-1}]}"#, 422, "limit-out-of-range"),
            (#"{"limits":[{"app":"tiktok","minutes":1441}]}"#, 422, "limit-out-of-range"),
            (#"{"limits":[{"app":"tiktok","minutes":1e9}]}"#, 422, "limit-out-of-range"),
            (#"{"limits":[{"app":"tiktok","minutes":5,"weeklyMinutes":0}]}"#, 422, "weekly-out-of-range"),
            (
                #"{"limits":[{"app":"tiktok","minutes":5,"minutesByDay":{"mon":0}}]}"#, 422,
                "limit-out-of-range"
            ),
            (
                #"{"limits":[{"app":"tiktok","minutes":5,"minutesByDay":{"monday":9}}]}"#, 422,
                "invalid-input"
            ),
            (#"{"limits":[{"app":"tiktok","category":"social","minutes":5}]}"#, 422, "invalid-input"),
            (#"{"limits":[{"app":"nosuch","minutes":5}]}"#, 422, "unknown-target"),
            (
                #"{"limits":[{"app":"tiktok","minutes":5},{"app":"tiktok","minutes":6}]}"#, 422,
                "repeated"
            ),
            (#"{"limits":[],"resetHour":24}"#, 422, "reset-hour-out-of-range"),
            (#"{"limits":[],"unlocksPerDay":-1}"#, 422, "unlocks-out-of-range"),
            (#"{"limits":[],"looseningDelay":12}"#, 422, "unknown-delay"),
        ])
    func refuses(_ body: String, _ status: Int, _ code: String) async throws {
        let house = try TestHouse()
        try await house.program { program in
            let response = try await program.json(.put, "/api/v1/limits", body)
            #expect(response.status.code == status, "\(body)")
            #expect(response.object["code"] as? String == code, "\(body) \(response.text)")
        }
        #expect(house.me.limits == Limits())
    }

    @Test(
        "TH-018, TH-023: a minute is unlocked when the limit is reached, as often as wanted, or up to the cap"
    )
    func probations() async throws {
        let house = try TestHouse()
        house.use([.app("tiktok"): TargetUse(day: 31, week: 50)])
        try await house.program { program in
            let unlock = #"{"app":"tiktok"}"#
            let none = try await program.json(.post, "/api/v1/probations", unlock)
            #expect(none.status == .conflict && none.object["code"] as? String == "unknown-limit")
            _ = try await program.json(
                .put, "/api/v1/limits",
                #"{"limits":[{"app":"tiktok","minutes":30},{"category":"messengers","minutes":5}]}"#)
            for _ in 1...3 {
                let started = try await program.json(.post, "/api/v1/probations", unlock)
                #expect(started.status == .created)
                #expect(started.object["expiresAt"] as? String == "2026-11-20T19:01:00Z")
                #expect((started.object["id"] as? String)?.hasPrefix("probation_") == true)
            }
            #expect(Set(house.me.limits.probations.map(\.id)).count == 3)
            let state = try await program.get("/api/v1/state")
            let first = (state.object["limits"] as? [[String: Any]])?.first
            #expect(first?["probationEndsAt"] as? String == "2026-11-20T19:01:00Z")
            let left = try await program.json(.post, "/api/v1/probations", #"{"category":"messengers"}"#)
            #expect(left.status == .conflict && left.object["code"] as? String == "limit-not-reached")
            for body in ["{}", #"{"app":"tiktok","category":"social"}"#, #"{"app":1}"#] {
                let refused = try await program.json(.post, "/api/v1/probations", body)
                #expect(refused.status == .unprocessableContent, "\(body)")
            }
            let unknown = try await program.json(.post, "/api/v1/probations", #"{"app":"nosuch"}"#)
            #expect(unknown.status == .unprocessableContent)
            _ = try await program.json(
                .put, "/api/v1/limits", #"{"limits":[{"app":"tiktok","minutes":30}],"unlocksPerDay":3}"#)
            let over = try await program.json(.post, "/api/v1/probations", unlock)
            #expect(over.status == .conflict && over.object["code"] as? String == "unlocks-used-up")
        }
    }

    @Test("Windows, the override and the restricted apps")
    func windows() async throws {
        let house = try TestHouse()
        try await house.program { program in
            #expect(try await program.get("/api/v1/windows").text == #"{"windows":null,"waiting":[]}"#)
            let lunch =
                #"{"windows":[{"label":"Lunch","start":"12:00","end":"13:00","days":["mon","fri"]}]}"#
            let saved = try await program.json(.put, "/api/v1/windows", lunch)
            #expect(saved.status == .ok && saved.text.contains(#""days":["mon","fri"]"#))
            #expect(try await program.json(.put, "/api/v1/windows", saved.text).text == saved.text)
            let late = #"{"windows":[{"start":"23:00","end":"01:00"}]}"#
            #expect(
                try await program.json(.put, "/api/v1/windows", late).text.contains(#""end":"01:00""#))
            for (body, code) in [
                (#"{"windows":[{"start":"12:00","end":"12:00"}]}"#, "window-same-times"),
                (#"{"windows":[]}"#, "empty-schedule-unconfirmed"), (#"{"windows":[1]}"#, "invalid-input"),
                (#"{"windows":[{"start":"25:00","end":"12:00"}]}"#, "invalid-input"),
                ("{}", "invalid-input"),
            ] {
                let refused = try await program.json(.put, "/api/v1/windows", body)
                #expect(refused.status == .unprocessableContent, "\(body)")
                #expect(refused.object["code"] as? String == code, "\(body)")
            }
            let apps = #"{"apps":["tiktok"],"categories":[],"domains":[]}"#
            #expect(try await program.json(.put, "/api/v1/selections/restricted", apps).text == apps)
            let wide = #"{"apps":[],"categories":["social"],"domains":[]}"#
            let refused = try await program.json(.put, "/api/v1/selections/restricted", wide)
            #expect(refused.object["code"] as? String == "apps-only")
            #expect(try await program.get("/api/v1/selections/restricted").text == apps)
            #expect(try await program.get("/api/v1/selections/nosuch").status == .notFound)
            let eating = try await program.json(.post, "/api/v1/override")
            #expect(eating.status == .created)
            let again = try await program.json(.post, "/api/v1/override")
            #expect(again.status == .conflict && again.object["code"] as? String == "override-used")
            let empty = #"{"windows":[],"confirm":true}"#
            #expect(try await program.json(.put, "/api/v1/windows", empty).status == .ok)
        }
        #expect(house.me.antiRot.windows == [] && house.me.antiRot.override.overrideExpiresAt != nil)
    }
}
