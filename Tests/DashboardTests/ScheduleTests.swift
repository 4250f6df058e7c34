import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct ScheduleRoutesTests {
    private static let fields = [
        ("isEnabled", "on"), ("start", "23:00"), ("end", "06:30"), ("strictness", "strict"),
    ]

    private static func changed(_ changes: [(String, String?)]) -> [(String, String)] {
        var fields = fields
        for (name, value) in changes {
            fields.removeAll { $0.0 == name }
            if let value { fields.append((name, value)) }
        }
        return fields
    }

    @Test("SI-029, SI-058: before anything is saved the page shows the default")
    func defaults() async throws {
        try await TestHouse().visit { guest in
            let page = try await guest.signedIn().get("/schedule")
            #expect(page.text.contains("value=\"22:00\""))
            #expect(page.text.contains("value=\"07:00\""))
        }
    }

    @Test("SI-102, SI-134: saving keeps it and leads back; absent days mean every day")
    func saves() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.post("/schedule", Self.fields).location == "/?done=saved")
            #expect(try await owner.get("/").text.contains("Tonight at 23:00"))
        }
        let schedule = try #require(house.me.schedule)
        #expect(schedule.isEnabled && schedule.strictness == .strict)
        #expect(schedule.start == TimeOfDay(hour: 23, minute: 0))
        #expect(schedule.days == Set(Weekday.allCases))
    }

    @Test("Weekdays and exceptions as the page sends them; SI-132: times are kept when it is off")
    func weekdays() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let days = [("days", ""), ("days", "fri"), ("days", "sat")]
            let exception = [
                ("exceptionDays0", "sat"), ("exceptionStart0", "23:45"), ("exceptionEnd0", "09:00"),
                ("exceptionStart1", "23:00"), ("exceptionEnd1", "08:00"),
            ]
            let fields = Self.changed([("isEnabled", nil)]) + days + exception
            let saved = try await guest.signedIn().post("/schedule", fields)
            #expect(saved.status == .seeOther)
        }
        let schedule = try #require(house.me.schedule)
        #expect(!schedule.isEnabled)
        #expect(schedule.days == [.fri, .sat])
        #expect(
            schedule.exceptions == [
                ScheduleException(
                    days: [.sat], start: TimeOfDay(hour: 23, minute: 45), end: TimeOfDay(hour: 9, minute: 0))
            ])
    }

    @Test(
        "SI-052 to SI-055, A-05: times that are none, and days that are none: 422, nothing saved",
        arguments: [
            [("start", "25:61")], [("start", "24:00")], [("start", "7:00")], [("start", "07:00:00")],
            [("end", "")],
            [("end", nil)], [("start", "٠٧:٠٠")], [("start", "-1:00")], [("end", "23:00")],
            [("strictness", "soft")], [("strictness", nil)], [("days", "")], [("days", "monday")],
            [("isEnabled", "yes")], [("startHour", "22")],
            [("exceptionDays0", "mon"), ("exceptionStart0", "25:61")],
            [("exceptionDays0", "mon"), ("exceptionStart0", "22:00"), ("exceptionEnd0", "22:00")],
            [("exceptionDays0", "noday"), ("exceptionStart0", "22:00"), ("exceptionEnd0", "07:00")],
            [("exceptionDays8", "mon")],
        ] as [[(String, String?)]])
    func refuses(_ changes: [(String, String?)]) async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let response = try await guest.signedIn().post("/schedule", Self.changed(changes))
            #expect(response.status == .unprocessableContent)
            let isSaid = ["class=\"error\"", "role=\"alert\""].contains(where: response.text.contains)
            #expect(isSaid)
            if let typed = changes.first(where: { $0.0 == "start" })?.1 {
                #expect(response.text.contains("value=\"\(typed)\""))
            }
        }
        #expect(house.me.schedule == nil)
    }

    @Test("Doubled fields: 422")
    func doubled() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            for name in ["start", "end", "strictness", "isEnabled"] {
                let again = Self.fields.first { $0.0 == name }!
                let response = try await guest.signedIn().post("/schedule", Self.fields + [again])
                #expect(response.status == .unprocessableContent, "\(name)")
            }
            let days = [("days", "mon"), ("days", "mon")]
            #expect(
                try await guest.signedIn().post("/schedule", Self.fields + days).status
                    == .unprocessableContent)
        }
        #expect(house.me.schedule == nil)
    }

    @Test("A-06: saving inside the window opens the night at once; switching off ends nothing")
    func insideTheWindow() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fields = Self.changed([("start", "19:30")])
            let saved = try await owner.post("/schedule", fields + [("begin", "now")])
            #expect(saved.location == "/?done=begun")
            #expect(house.session?.strictness == .strict)
            #expect(house.session?.startedAt == TestHouse.evening, "and not at 19:30")
            #expect(try house.store.log(of: house.me.id).allSatisfy { $0.instant == TestHouse.evening })
            let active = try await owner.get("/?done=begun").text
            #expect(active.contains("Saved. Sleep Mode has begun."))
            #expect(active.contains("Sleep Mode Active"))
            #expect(try await owner.get("/settings/reset").text.contains("does not start again tonight"))
            #expect(try await owner.post("/schedule", fields).location == "/?done=saved")
            _ = try await owner.post("/schedule", Self.changed([("isEnabled", nil)]))
            #expect(house.session != nil)
        }
    }

    @Test(
        "A-06: saving inside the window asks first; until the answer nothing is saved, and the input is kept")
    func asksInsideTheWindow() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fields = Self.changed([("start", "19:30")]) + [("days", ""), ("days", "fri")]
            let asked = try await owner.post("/schedule", fields)
            #expect(asked.status == .ok && asked.text.contains("It is 20:00. Bedtime was at 19:30."))
            for (name, value) in fields {
                #expect(asked.text.contains("name=\"\(name)\" value=\"\(value)\""))
            }
            #expect(house.me.schedule == nil && house.session == nil)
            let back = try await owner.post("/schedule", fields + [("begin", "back")])
            #expect(back.status == .ok && back.text.contains("value=\"19:30\""))
            #expect(house.me.schedule == nil && house.session == nil)
            let wrong = try await owner.post("/schedule", fields + [("begin", "later")])
            #expect(wrong.status == .unprocessableContent && house.me.schedule == nil)
            let saved = try await owner.post("/schedule", fields + [("begin", "tomorrow")])
            #expect(saved.location == "/?done=saved")
            #expect(house.me.schedule?.start == TimeOfDay(hour: 19, minute: 30) && house.session == nil)
            house.clock.advance(by: 3600)
            #expect(try await !owner.get("/").text.contains("Sleep Mode Active"))
        }
    }

    @Test("Tonight can be skipped, moved and taken back, until it begins")
    func tonight() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.post("/schedule/tonight", [("change", "skip")]).status == .conflict)
            _ = try await owner.post("/schedule", Self.fields)
            _ = try await owner.post("/schedule/tonight", [("change", "later")])
            #expect(house.me.tonight?.minutes == 30)
            #expect(try await owner.get("/").text.contains("Tonight at 23:30"))
            _ = try await owner.post("/schedule/tonight", [("change", "skip")])
            #expect(house.me.tonight?.kind == .skip)
            _ = try await owner.post("/schedule/tonight", [("change", "undo")])
            #expect(house.me.tonight == nil)
            for value in ["", "sooner", "clear\u{301}"] {
                let response = try await owner.post("/schedule/tonight", [("change", value)])
                #expect(response.status == .unprocessableContent)
            }
            house.clock.advance(by: 3 * 3600)
            let late = try await owner.post("/schedule/tonight", [("change", "skip")])
            #expect(late.status == .conflict)
        }
    }
}
