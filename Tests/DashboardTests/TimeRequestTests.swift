import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct TimeRequestRoutesTests {
    private static let ada = PersonID(rawValue: 2)
    private static let limit = UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)

    /// Ada has used up her minutes and asks for more.
    private func house() throws -> (TestHouse, String) {
        let house = try TestHouse(people: [
            Person(id: PersonID(rawValue: 1), name: "Me"),
            Person(id: Self.ada, name: "Ada", role: .child, limits: Limits(list: [Self.limit])),
        ])
        house.use([.app("tiktok"): TargetUse(day: 30, week: 30)], by: Self.ada)
        let usage = house.site.feed.snapshot.usage
        let id = UUID()
        try house.store.change { household in
            _ = household.settle(at: house.clock.now, usage: usage, newID: UUID.init)
            _ = try household.askForTime(
                Self.ada, target: .app("tiktok"), device: nil, request: id, usage: usage, at: house.clock.now)
        }
        return (house, id.uuidString)
    }

    private func limits(_ house: TestHouse) -> Limits {
        house.store.household[person: Self.ada]?.limits ?? Limits()
    }

    @Test("The owner sees it on top of the dashboard, on Ada's limits, and on a page of its own")
    func shows() async throws {
        let (house, id) = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let words = "<bdi>Ada</bdi> asks for 15 more minutes of <bdi>TikTok</bdi>, 20:00."
            for path in ["/", "/limits?person=2"] {
                let page = try await owner.get(path).text
                #expect(page.contains(words), "\(path)")
                #expect(page.contains("action=\"/limits/requests/\(id)\""))
            }
            #expect(try await !owner.get("/limits?person=1").text.contains(words))
            let page = try await owner.get("/limits/requests/\(id)").text
            #expect(page.contains("Give 15 minutes") && page.contains("Not tonight"))
            let login = try await guest.get("/limits/requests/\(id)")
            #expect(login.location == "/login?next=/limits/requests/\(id)")
        }
    }

    @Test("What was given is 15, also where more had been used by then")
    func tellsWhatWasGiven() async throws {
        for (used, words) in [
            (30, "15 min more were given for today."),
            (32, "15 min more were given for today, beside 2 that were used past the limit."),
        ] {
            let (house, id) = try house()
            house.use([.app("tiktok"): TargetUse(day: used, week: used)], by: Self.ada)
            try await house.visit { guest in
                let owner = try guest.signedIn()
                _ = try await owner.post("/limits/requests/\(id)", [("answer", "grant")])
                let page = try await owner.get("/limits?person=2").text
                #expect(page.contains(words), "\(used)")
                #expect(page.contains("of \(used + 15) min today"))
            }
        }
    }

    @Test("Granted: 15 minutes for today, once")
    func grants() async throws {
        let (house, id) = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let path = "/limits/requests/\(id)"
            let answer = try await owner.post(path, [("answer", "grant"), ("from", "home")])
            #expect(answer.location == "/?done=granted")
            let page = try await owner.get("/limits?person=2").text
            #expect(page.contains("of 45 min today") && page.contains("15 min left"))
            #expect(try await !owner.get("/").text.contains(path))
            #expect(try await owner.get(path).text.contains("15 minutes given"))
            let again = try await owner.post(path, [("answer", "decline")])
            #expect(again.status == .conflict)
        }
        #expect(limits(house).extraTime.map(\.minutes) == [15])
    }

    @Test("Declined from the link: nothing changes, and the page says so")
    func declines() async throws {
        let (house, id) = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let path = "/limits/requests/\(id)"
            for fields in [[], [("answer", "maybe")], [("answer", "grant"), ("minutes", "60")]] {
                #expect(try await owner.post(path, fields).status == .unprocessableContent)
            }
            let answer = try await owner.post(path, [("answer", "decline")])
            #expect(answer.location == "\(path)?done=declined")
            #expect(try await owner.get(path).text.contains("Nothing was changed."))
            #expect(try await owner.get("/limits/requests/\(UUID().uuidString)").status == .notFound)
            #expect(try await guest.post(path, [("answer", "grant")]).status == .seeOther)
        }
        #expect(limits(house).extraTime.isEmpty)
        #expect(limits(house).requests.map(\.answer) == [.declined])
    }

    @Test("With its day the request is over")
    func expires() async throws {
        let (house, id) = try house()
        house.clock.advance(by: 5 * 3600)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let page = try await owner.get("/limits/requests/\(id)")
            #expect(page.status == .notFound && page.text.contains("it was for another day"))
        }
    }
}
