import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// `/` on a child's own device, without a login.
@Suite struct ChildHomeTests {
    private static let limit = UsageLimit(
        id: UUID(uuidString: "0D9F61B5-6E4C-4E0B-8F0A-5B7B6E1C2D31")!, target: .app("tiktok"), minutes: 30)

    /// Mia has a limit, a window and a bedtime.
    private func fair() throws -> FairHouse {
        let fair = try FairHouse()
        try fair.house.store.change { household in
            household.people[2].limits.list = [Self.limit]
            household.people[2].antiRot = AntiRot(
                restricted: AppSelection(apps: ["whatsapp"]),
                windows: [
                    TimeWindow(
                        id: UUID(), label: "", start: TimeOfDay(hour: 21, minute: 0),
                        end: TimeOfDay(hour: 21, minute: 30))
                ])
        }
        fair.house.use([.app("tiktok"): TargetUse(day: 12, week: 12)], by: FairHouse.mia)
        return fair
    }

    @Test("It shows what holds now and what is left, and nothing of anybody else")
    func ownPage() async throws {
        let fair = try fair()
        try await fair.house.visit { guest in
            let page = try await guest.at(FairHouse.tablet).get("/")
            #expect(page.status == .ok)
            for part in [
                "<h1><bdi>Mia</bdi></h1>", "Tonight at 22:00, until tomorrow at 07:00.", "18 min left",
                "Blocked until 21:00.", "Focus timer", "Ask for 30 minutes later tonight", "href=\"/help\"",
                "href=\"/my-rules\"", "href=\"/login?next=/\"",
            ] { #expect(page.text.contains(part), "\(part)") }
            for other in ["Anna", "<bdi>Me</bdi>", "name=\"csrf\"", "/settings", "/household", "/devices"] {
                #expect(!page.text.contains(other), "\(other)")
            }
            fair.house.clock.advance(by: 3 * 3600)
            let night = try await guest.at(FairHouse.tablet).get("/").text
            #expect(night.contains("Asleep since 22:00, until 07:00."))
        }
    }

    @Test("It is drawn again when something else holds: at the window, at the latest at bedtime")
    func isLive() async throws {
        let fair = try fair()
        try await fair.house.visit { guest in
            let page = try await guest.at(FairHouse.tablet).get("/").text
            let opens = TestHouse.evening.addingTimeInterval(3600).instantText
            #expect(page.contains("data-tomorrow=\"\(opens)\""))
            for part in ["now", "limits", "answers", "ask"] {
                #expect(page.contains("data-fresh=\"\(part)\""))
            }
        }
    }

    @Test("An adult's device, one that nobody confirmed, and a stranger's are asked to log in")
    func othersLogIn() async throws {
        let fair = try fair()
        try await fair.house.visit { guest in
            for address in [FairHouse.laptop, TestHouse.stranger] {
                #expect(try await guest.at(address).get("/").location?.hasPrefix("/login") == true)
            }
            let mine = try await guest.at(FairHouse.tablet).get("/?person=1")
            #expect(mine.location?.hasPrefix("/login") == true, "nobody else's page")
            try fair.house.store.change { $0.devices[2].isConfirmed = false }
            #expect(try await guest.at(FairHouse.tablet).get("/").location?.hasPrefix("/login") == true)
            try fair.house.store.change { $0.devices[2].isConfirmed = true }
            let owner = try guest.at(FairHouse.tablet).signedIn()
            #expect(try await owner.get("/").text.contains("Start Now"), "an adult who logged in on it")
        }
    }

    @Test("A question that is asked there leads back there, and so does one that is refused")
    func asks() async throws {
        let fair = try fair()
        try await fair.house.visit { guest in
            let mia = guest.at(FairHouse.tablet)
            let from = ("from", "home")
            let refused = try await mia.post("/my-rules/ask", [("what", "app"), ("app", ""), from])
            #expect(refused.status == .unprocessableContent && refused.text.contains("Choose an app."))
            #expect(refused.text.contains("<h1><bdi>Mia</bdi></h1>"))
            let asked = try await mia.post("/my-rules/ask", [("what", "later"), from])
            #expect(asked.location == "/?done=asked")
            #expect(try await mia.get("/").text.contains("There is no answer yet."))
            let anna = try await guest.at(FairHouse.laptop).post("/my-rules/ask", [("what", "moon"), from])
            #expect(anna.text.contains("<h1>My rules</h1>"), "an adult has no such page")
        }
    }

    @Test("The shield's “Something missing?” leads to a question about the app")
    func asksForWhatWasBlocked() async throws {
        let devices = [FairHouse.tablet, TestHouse.phone].enumerated().map { index, address in
            Device(
                id: DeviceID(rawValue: Int64(index + 1)), name: "Device",
                person: PersonID(rawValue: Int64(2 - index)), addresses: [address],
                firstSeen: TestHouse.evening, lastSeen: TestHouse.evening)
        }
        let house = try TestHouse(
            people: [
                Person(id: PersonID(rawValue: 1), name: "Me"),
                Person(id: PersonID(rawValue: 2), name: "Mia", role: .child),
            ], devices: devices,
            justBlocked: { _, person in
                [JustBlocked.Name("tiktok.com", person: person, layer: .sleep, at: TestHouse.evening)]
            })
        try await house.visit { guest in
            let mia = try await guest.at(FairHouse.tablet).get("/just-blocked").text
            #expect(
                mia.contains("href=\"/my-rules?ask=tiktok#ask\"") && mia.contains("href=\"/my-rules#ask\""))
            let alone = try await guest.at(TestHouse.phone).get("/just-blocked").text
            #expect(!alone.contains("?ask="), "nobody could answer the only adult")
            let owner = try guest.at(FairHouse.tablet).signedIn()
            #expect(try await !owner.get("/just-blocked").text.contains("?ask="))
        }
    }
}
