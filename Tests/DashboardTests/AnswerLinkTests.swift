import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// The links in notices about a question: they need no login, and answer it once.
@Suite struct AnswerLinkTests {
    private static let ada = PersonID(rawValue: 2)
    private static let limit = UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)

    /// Ada asks, for more minutes unless the test says otherwise, and the whole home's webhook is told. Returns the path of
    /// the link's page.
    private func house(asks form: WishForm? = nil) throws -> (TestHouse, String) {
        let house = try TestHouse(people: [
            Person(id: PersonID(rawValue: 1), name: "Me"),
            Person(
                id: Self.ada, name: "Ada", role: .child,
                schedule: RecurringSchedule(
                    isEnabled: true, start: TimeOfDay(hour: 22, minute: 0),
                    end: TimeOfDay(hour: 7, minute: 0),
                    strictness: .flexible),
                limits: Limits(list: [Self.limit])),
        ])
        let clock = house.clock
        house.store.linkAnswers { "http://sleep.home.arpa" }
        house.store.tellWebhooks { change in
            let events = change.new.webhookEvents(
                since: change.old, ended: [], catalog: TestHouse.catalog, at: clock.now)
            return (events, clock.now)
        }
        _ = try house.store.addWebhook(
            Webhook(
                id: UUID(), person: nil, address: WebhookAddress(typed: "http://192.168.1.20/x"),
                events: [.extraTimeAsked, .wishAsked], since: clock.now))
        house.use([.app("tiktok"): TargetUse(day: 30, week: 30)], by: Self.ada)
        let usage = house.site.feed.snapshot.usage
        try house.store.change { household in
            _ = household.settle(at: clock.now, usage: usage, newID: UUID.init)
            if let form {
                _ = try household.ask(
                    Self.ada, for: form, reason: "Homework", device: nil, wish: UUID(),
                    catalog: TestHouse.catalog, at: clock.now)
                return
            }
            _ = try household.askForTime(
                Self.ada, target: .app("tiktok"), reason: "Homework", device: nil, request: UUID(),
                usage: usage, at: clock.now)
        }
        let letter = try #require(house.store.takeLetters(at: clock.now).first?.letter)
        let link = try #require(
            letter.body.firstMatch(of: /http:\/\/sleep\.home\.arpa(\/answer\/[\w-]+)\/yes/))
        return (house, String(link.1))
    }

    private func extra(_ house: TestHouse) -> [Int] {
        house.store.household[person: Self.ada]?.limits.extraTime.map(\.minutes) ?? []
    }

    @Test("Opening it asks once more and changes nothing; pressing answers; then it says what was answered")
    func once() async throws {
        let (house, link) = try house()
        try await house.visit { guest in
            for (path, forms) in [(link, 2), ("\(link)/yes", 1), ("\(link)/no", 1)] {
                let page = try await guest.get(path)
                #expect(page.status == .ok && page.text.contains("“<bdi>Homework</bdi>”"))
                #expect(page.text.components(separatedBy: "<form").count == forms + 1)
            }
            #expect(extra(house) == [])
            #expect(try await guest.post("\(link)/maybe", []).status == .notFound)
            let answer = try await guest.post("\(link)/yes", [])
            #expect(answer.status == .ok && answer.text.contains("You said yes"))
            for again in [try await guest.get(link), try await guest.post("\(link)/no", [])] {
                #expect(again.status == .gone)
                #expect(again.text.contains("This question was already answered: yes."))
            }
        }
        #expect(extra(house) == [15])
    }

    @Test("An answer elsewhere ends it, and so does the end of the question")
    func ends() async throws {
        let (house, link) = try house()
        try await house.visit { guest in
            let question = house.store.household.questions(at: house.clock.now)[0]
            let owner = try guest.signedIn()
            _ = try await owner.post("/requests/\(question.id)", [("answer", "decline")])
            let page = try await guest.post("\(link)/yes", [])
            #expect(page.status == .gone && page.text.contains("already answered: no."))
            house.clock.advance(by: 30 * 3600)
            let late = try await guest.post("\(link)/yes", [])
            #expect(late.status == .gone && late.text.contains("This link is over"))
        }
        #expect(extra(house) == [])
    }

    @Test("What the rules refuse is refused with their words, and the question stays open")
    func refused() async throws {
        let (house, link) = try house(asks: .later)
        let now = house.clock.now
        try house.store.change { household in
            for _ in 0..<TonightChange.mostSteps { try household.changeTonight(Self.ada, .later, at: now) }
        }
        try await house.visit { guest in
            let page = try await guest.post("\(link)/yes", [])
            #expect(page.status == .conflict && page.text.contains("You already moved this night"))
            #expect(try await guest.get(link).status == .ok)
        }
    }

    @Test("A token that was never made is not found, and the next tries wait; the right one never does")
    func guesses() async throws {
        let (house, link) = try house()
        try await house.visit { guest in
            var seen: [HTTPResponse.Status] = []
            for _ in 0..<5 { seen.append(try await guest.get("/answer/AAAAAAAAAAAAAAAAAAAAAA/yes").status) }
            #expect(seen == [.notFound, .notFound, .notFound, .tooManyRequests, .tooManyRequests])
            #expect(try await guest.get(link).status == .ok)
        }
    }
}
