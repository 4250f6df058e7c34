import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// Exceptions by date, on pages and for programs. It is Friday, 2026-11-20, 20:00.
@Suite struct DatesTests {
    private static let ada = PersonID(rawValue: 2)
    private static let nightly = RecurringSchedule(
        isEnabled: true, start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 6, minute: 30),
        strictness: .flexible)

    private func house() throws -> TestHouse {
        try TestHouse(people: [
            Person(id: PersonID(rawValue: 1), name: "Me", schedule: Self.nightly),
            Person(id: Self.ada, name: "Ada", role: .child, schedule: Self.nightly),
        ])
    }

    private static let holidays = [
        ("first", "2026-11-23"), ("last", "2026-11-29"), ("people", "2"), ("instead", "weekday"),
        ("weekday", "sat"), ("start", "23:00"), ("end", "08:00"),
    ]

    @Test("One tap proposes the next week, for the people whom the page proposed")
    func nextWeek() async throws {
        try await house().visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/dates").text.contains("href=\"/dates?week=next\""))
            let page = try await owner.get("/dates?week=next").text
            let form = try #require(FormsOnPagesTests.forms(in: page).first { $0.action == "/dates" })
            for field in [("first", "2026-11-23"), ("last", "2026-11-29"), ("people", "2")] {
                #expect(form.fields.contains { $0 == field }, "\(field)")
            }
            let ada = try await owner.get("/dates?person=2").text
            #expect(ada.contains("href=\"/dates?week=next&amp;person=2\""))
        }
    }

    @Test("The form of the page is sent as it stands, and the list takes it back with one tap")
    func added() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let page = try await owner.get("/dates").text
            let form = try #require(FormsOnPagesTests.forms(in: page).first { $0.action == "/dates" })
            #expect(form.fields.contains { $0 == ("people", "2") })
            #expect(
                !form.fields.contains { $0 == ("people", "1") }, "children are ticked where there are any")
            var sender = owner
            sender.csrf = nil
            let sent = try await sender.post("/dates", form.fields)
            #expect(sent.location?.contains("done=added") == true, "\(sent.text)")
            let exception = try #require(house.store.household.people[1].dateExceptions.first)
            #expect(exception.first == exception.last && exception.instead == .weekday(.sat))
            for path in [
                "/household", "/schedule?person=2", "/limits?person=2", "/anti-rot/schedule?person=2",
            ] {
                let list = try await owner.get(path).text
                #expect(list.contains("<b>Fri 20 Nov: as on Saturday</b>"), "\(path)")
                #expect(list.contains("action=\"/dates/\(exception.id.uuidString)/delete\""), "\(path)")
            }
            #expect(try await !owner.get("/schedule?person=1").text.contains("as on Saturday"))
            let answer = try await owner.post(
                "/dates/\(exception.id.uuidString)/delete", [("from", "household")])
            #expect(answer.location == "/household?done=undone#dates")
            #expect(house.store.household.people[1].dateExceptions.isEmpty)
            #expect(
                try house.store.log(of: Self.ada).map(\.detail) == [
                    "Exception taken back: 2026-11-20: as on Saturday",
                    "Exception 2026-11-20: as on Saturday",
                ])
        }
    }

    @Test("Home, the next bedtime and My rules follow it")
    func follows() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let late = [
                ("first", "2026-11-20"), ("last", ""), ("people", "2"), ("instead", "times"),
                ("weekday", "sat"), ("start", "23:30"), ("end", "09:00"),
            ]
            #expect(try await owner.post("/dates", late).status == .seeOther)
            #expect(try await owner.get("/?person=2").text.contains("Tonight at 23:30"))
            #expect(
                try await owner.get("/my-rules?person=2").text.contains(
                    "Fri 20 Nov: bedtime 23:30, wake-up 09:00."))
            #expect(try await owner.get("/household").text.contains("Tonight at 23:30"))
        }
    }

    @Test(
        "What is refused comes back with the input and its reason",
        arguments: [
            ("last", "2026-11-22", "The last day must not be before the first."),
            ("last", "soon", "Please give a date."),
            ("first", "", "Please give a date."),
            ("people", "", "Choose at least one person."),
            ("instead", "fewer", "Choose what holds instead."),
            ("weekday", "someday", "Choose from mon to sun."),
        ])
    func refused(_ name: String, _ value: String, _ reason: String) async throws {
        let house = try house()
        try await house.visit { guest in
            let fields = Self.holidays.map { $0.0 == name ? (name, value) : $0 }
            let answer = try await guest.signedIn().post("/dates", fields)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains(reason) && answer.text.contains("value=\"23:00\""))
            #expect(house.store.household.people.allSatisfy { $0.dateExceptions.isEmpty })
        }
    }

    @Test("One that makes rules easier says that it waits, and until when")
    func waits() async throws {
        let house = try house()
        try house.store.change { household in
            household.people[1].limits.list = [
                UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30, minutesByDay: [.sat: 60])
            ]
            household.people[1].looseningDelay = 24
        }
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.post("/dates", Self.holidays).location == "/dates?done=waiting")
            let page = try await owner.get("/household").text
            #expect(page.contains("Acts tomorrow at 20:00, because it makes rules easier."))
            house.clock.advance(by: 24 * 3600)
            #expect(try await !owner.get("/household").text.contains("because it makes rules easier"))
            #expect(house.store.household.people[1].plannedDateExceptions.count == 1)
        }
    }

    @Test("Programs add one for everybody, read it in the state, and take it back for one person or all")
    func programs() async throws {
        let house = try house()
        try await house.visit { guest in
            let program = guest.with(
                .authorization, "Bearer \(try house.store.createToken(name: "x", at: house.clock.now))")
            let sent = #"{"first":"2026-11-21","last":"2026-11-21","instead":"nothing"}"#
            let added = try await program.json(.post, "/api/v1/dates", sent)
            #expect(added.status == .created)
            #expect(added.object["people"] as? [Int] == [1, 2])
            let id = try #require(added.object["id"] as? String)
            for person in 1...2 {
                let state = try await program.get("/api/v1/state?person=\(person)").object
                let held = state["dateExceptions"] as? [[String: Any]]
                #expect(held?.map { $0["id"] as? String } == [id])
            }
            #expect(try await program.json(.delete, "/api/v1/dates/\(id)?person=2").status == .noContent)
            #expect(house.store.household.people.map(\.dateExceptions.count) == [1, 0])
            #expect(try await program.json(.delete, "/api/v1/dates/\(id)").status == .noContent)
            #expect(house.store.household.people.map(\.dateExceptions.count) == [0, 0])
            let gone = try await program.json(.delete, "/api/v1/dates/\(id)")
            #expect(gone.object["code"] as? String == "unknown-date-exception")
            let odd = try await program.json(
                .post, "/api/v1/dates",
                #"{"first":"2026-11-21","last":"2026-11-21","instead":"nothing","start":"22:00"}"#)
            #expect(odd.status == .unprocessableContent)
        }
    }
}
