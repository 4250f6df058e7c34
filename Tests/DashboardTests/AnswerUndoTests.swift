import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct AnswerUndoTests {
    private static let ada = PersonID(rawValue: 2)

    /// Ada asks for more minutes of TikTok, and for a later bedtime tonight.
    private func house() throws -> (TestHouse, requests: [String]) {
        let nightly = RecurringSchedule(
            isEnabled: true, start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 6, minute: 30),
            strictness: .strict)
        let house = try TestHouse(people: [
            Person(id: PersonID(rawValue: 1), name: "Me"),
            Person(
                id: Self.ada, name: "Ada", role: .child, schedule: nightly,
                limits: Limits(list: [UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)])),
        ])
        house.use([.app("tiktok"): TargetUse(day: 32, week: 32)], by: Self.ada)
        let usage = house.site.feed.snapshot.usage
        let ids = [UUID(), UUID()]
        try house.store.change { household in
            let now = house.clock.now
            _ = household.settle(at: now, usage: usage, newID: UUID.init)
            _ = try household.askForTime(
                Self.ada, target: .app("tiktok"), device: nil, request: ids[0], usage: usage, at: now)
            _ = try household.ask(
                Self.ada, for: .later, device: nil, wish: ids[1],
                catalog: Catalog(categories: [], apps: [], alwaysReachable: []), at: now)
        }
        return (house, ids.map(\.uuidString))
    }

    private static func rules(_ house: TestHouse) -> Person? {
        var person = house.store.household[person: ada]
        // Whether a limit is noted as reached follows from the rest.
        person?.limits.reached = []
        return person
    }

    @Test(
        "Every answer can be taken back for 8 seconds, where it was given; then the question is open again",
        arguments: [0, 1], ["grant", "decline"])
    func undo(_ question: Int, _ answer: String) async throws {
        let (house, requests) = try house()
        let id = requests[question]
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let before = Self.rules(house)
            let location = try await owner.post(
                "/requests/\(id)", [("answer", answer), ("from", "/limits?person=1")]
            ).location
            #expect(Self.rules(house) != before)
            let page = try await owner.get(location ?? "").text
            #expect(page.contains("action=\"/requests/\(id)/undo\""))
            let other = try await guest.signedIn().post("/requests/\(id)/undo")
            #expect(other.status == .conflict && other.text.contains("Only the person who did this"))
            house.clock.advance(by: 7.5)
            let back = try await owner.post("/requests/\(id)/undo", [("from", "/limits?person=1")])
            #expect(back.location == "/limits?done=undone")
            #expect(Self.rules(house) == before)
            #expect(try await owner.get("/requests").text.contains("action=\"/requests/\(id)\""))
            let log = try house.store.log(of: Self.ada)
            #expect(log.contains { $0.detail.contains("taken back, by Me") })
            #expect(try await owner.post("/requests/\(id)/undo").status == .conflict)
        }
    }

    @Test("After 8 seconds the answer stays, and nothing offers otherwise")
    func tooLate() async throws {
        let (house, requests) = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let path = "/requests/\(requests[0])"
            let location = try await owner.post(path, [("answer", "grant")]).location
            house.clock.advance(by: 8.5)
            let after = Self.rules(house)
            #expect(try await !owner.get(location ?? "").text.contains("\(path)/undo"))
            let late = try await owner.post("\(path)/undo")
            #expect(late.status == .conflict && late.text.contains("It is too late to undo this"))
            #expect(Self.rules(house) == after)
        }
    }

    @Test("A change that came in between stays, and so does the answer")
    func overtaken() async throws {
        let (house, requests) = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/requests/\(requests[1])", [("answer", "grant")])
            _ = try await owner.post("/household/skip", [("person", "2")])
            let late = try await owner.post("/requests/\(requests[1])/undo")
            #expect(late.status == .conflict)
            #expect(house.store.household[person: Self.ada]?.tonight?.kind == .skip)
        }
    }
}
