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

    @Test("The owner sees it on top of every page, in the list, and on a page of its own")
    func shows() async throws {
        let (house, id) = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let words = "<bdi>Ada</bdi> asks: <b><bdi>15 more minutes of TikTok</bdi></b>."
            for path in ["/", "/limits?person=2", "/limits?person=1", "/settings", "/requests"] {
                let page = try await owner.get(path).text
                #expect(page.components(separatedBy: words).count == 2, "\(path) says it once")
                #expect(page.contains("action=\"/requests/\(id)\""))
            }
            for path in ["/kiosk", "/shield?name=tiktok.com&layer=limits&person=2", "/login"] {
                #expect(try await !owner.get(path).text.contains(words), "\(path)")
            }
            #expect(try await owner.get("/requests/bar?from=/limits").text.contains(words))
            // The address of before leads to the same page.
            let page = try await owner.get("/limits/requests/\(id)").text
            #expect(page.contains("value=\"grant\"") && page.contains("value=\"decline\""))
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
            let from = "/limits?person=2&done=saved"
            let answer = try await owner.post(path, [("answer", "grant"), ("from", from), ("person", "2")])
            #expect(answer.location == "/limits?person=2&done=granted.\(id)")
            let told = try await owner.get(answer.location ?? "").text
            #expect(told.contains("Yes to Ada: 15 more minutes of TikTok."))
            let page = try await owner.get("/limits?person=2").text
            #expect(page.contains("of 45 min today") && page.contains("15 min left"))
            #expect(try await !owner.get("/").text.contains("/requests/\(id)"))
            #expect(try await owner.get(path).text.contains("Granted"))
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
            #expect(answer.location == "/requests/\(id)?done=declined.\(id)")
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
            #expect(page.status == .notFound && page.text.contains("This request is over."))
        }
    }
}
