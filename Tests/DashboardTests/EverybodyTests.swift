import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct EverybodyRoutesTests {
    private static let tablet = "192.168.1.30"

    /// Me and Ada, a child with a strict night at 22:00 and a tablet of her own; it is 20:00.
    private func house() throws -> TestHouse {
        let devices = [(1, TestHouse.phone, 1, "Phone"), (2, Self.tablet, 2, "Ada's tablet")].map {
            Device(
                id: DeviceID(rawValue: $0), name: $3, kind: .phone, person: PersonID(rawValue: $2),
                addresses: [$1], firstSeen: TestHouse.evening - 86_400, lastSeen: TestHouse.evening - 5)
        }
        let nightly = RecurringSchedule(
            isEnabled: true, start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 6, minute: 30),
            strictness: .strict)
        return try TestHouse(
            people: [
                Person(id: PersonID(rawValue: 1), name: "Me"),
                Person(
                    id: PersonID(rawValue: 2), name: "Ada", role: .child, defaultStrictness: .strict,
                    schedule: nightly),
            ], devices: devices)
    }

    private static func asleep(_ house: TestHouse) -> [Bool] {
        house.store.household.people.map { $0.session != nil }
    }

    private static let button = "Everybody to bed</button>"

    private static func press(_ location: String?) -> String {
        location?.split(separator: "press=").last.map(String.init) ?? ""
    }

    @Test("One press, one Undo for all, and each log says who did it", arguments: ["/household", "/"])
    func pressed(_ page: String) async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let offered = try await owner.get(page).text
            #expect(offered.contains("<bdi>Ada</bdi> to bed"), "the only child")
            #expect(offered.contains(Self.button) == (page == "/household"))
            let location = try await owner.post("/household/everybody").location
            #expect(Self.asleep(house) == [true, true])
            for person in house.store.household.people {
                let entry = try #require(try house.store.log(of: person.id).first)
                #expect(entry.kind == .sessionStarted)
                #expect(entry.detail.hasSuffix(". Everybody to bed, by Me, on Phone"))
            }
            let shown = try await owner.get(location ?? "").text
            #expect(
                shown.contains("<bdi>Me</bdi>: asleep until 04:00, <bdi>Ada</bdi>: asleep until 06:30."))
            #expect(shown.contains("data-undo=\"8\"") && !shown.contains(Self.button))
            let back = try await owner.post("/household/undo", [("press", Self.press(location))])
            #expect(back.location == "/household?done=undone")
            #expect(Self.asleep(house) == [false, false])
        }
    }

    @Test(
        "Children to bed leaves adults awake, pressed twice too; nobody is offered it when no child is awake")
    func children() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let location = try await owner.post("/household/children").location
            #expect(Self.asleep(house) == [false, true])
            #expect(try await owner.post("/household/children").location == location)
            let child = house.store.household.people[1].id
            let entry = try #require(try house.store.log(of: child).first)
            #expect(entry.detail.hasSuffix(". Children to bed, by Me, on Phone"))
            let page = try await owner.get("/household").text
            #expect(!page.contains("to bed</span>") && !page.contains(Self.button))
            house.clock.advance(by: 8.5)
            #expect(try await owner.post("/household/children").status == .conflict)
            #expect(Self.asleep(house) == [false, true])
        }
    }

    @Test("Pressed twice, it is one press; when all are asleep, it is refused")
    func twice() async throws {
        let house = try house()
        try await house.visit { guest in
            let (owner, other) = (try guest.signedIn(), try guest.signedIn())
            let first = try await owner.post("/household/everybody").location
            #expect(try await owner.post("/household/everybody").location == first)
            let refused = try await other.post("/household/everybody")
            #expect(refused.status == .conflict && refused.text.contains("Everybody is asleep already."))
            house.clock.advance(by: 8.5)
            #expect(try await owner.post("/household/everybody").status == .conflict)
            let late = try await owner.post("/household/undo", [("press", Self.press(first))])
            #expect(late.status == .conflict && Self.asleep(house) == [true, true])
        }
    }

    @Test("A child's own device has no passcode, and so cannot press it")
    func child() async throws {
        let house = try house()
        try await house.visit { guest in
            let child = guest.at(Self.tablet)
            let answer = try await child.post("/household/everybody")
            #expect(answer.status == .seeOther && answer.location?.hasPrefix("/login") == true)
            #expect(Self.asleep(house) == [false, false])
        }
    }

    @Test("Home offers it in the evening, to a house with several people awake")
    func offered() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            house.clock.advance(by: 16 * 3600)
            #expect(try await !owner.get("/").text.contains("Everybody to bed"), "at noon")
            #expect(try await owner.get("/household").text.contains(Self.button))
        }
        let alone = try TestHouse()
        try await alone.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await !owner.get("/").text.contains("Everybody to bed"))
            #expect(try await !owner.get("/household").text.contains(Self.button))
        }
    }

    @Test("Programs press it too, and take it back with their own token")
    func programs() async throws {
        let house = try house()
        let tokens = try ["one", "two"].map { try house.store.createToken(name: $0, at: house.clock.now) }
        try await house.visit { guest in
            let programs = tokens.map { guest.with(.authorization, "Bearer \($0)") }
            let wrong = try await programs[0].json(.post, "/api/v1/people/bedtime", "{\"group\":\"adults\"}")
            #expect(wrong.status == .unprocessableContent && Self.asleep(house) == [false, false])
            let answer = try await programs[0].json(.post, "/api/v1/people/bedtime")
            #expect(answer.status == .ok && answer.object["people"] as? [Int] == [1, 2])
            #expect(answer.object["undoUntil"] as? String == "2026-11-20T19:00:08Z")
            let body = "{\"press\":\"\(answer.object["press"] as? String ?? "")\"}"
            let other = try await programs[1].json(.post, "/api/v1/people/undo", body)
            #expect(other.object["code"] as? String == "undo-not-yours")
            let one = try await programs[0].json(.post, "/api/v1/people/2/undo", body)
            #expect(one.status == .ok && Self.asleep(house) == [true, false], "one person's part of it")
            let rest = try await programs[0].json(.post, "/api/v1/people/undo", body)
            #expect(rest.object["people"] as? [Int] == [1] && Self.asleep(house) == [false, false])
            #expect(
                try await guest.signedIn().json(.post, "/api/v1/people/bedtime").status == .unauthorized)
        }
    }
}
