import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct JustBlockedRoutesTests {
    private static let tablet = "192.168.1.30"

    /// The phone is Me's, the tablet is Ada's. `layer` blocked TikTok and cdn.example.org on both.
    private func house(
        _ role: Person.Role = .child, isConfirmed: Bool = true, layer: Layer = .sleep
    ) throws -> TestHouse {
        let devices = [(1, TestHouse.phone, 1, "Phone"), (2, Self.tablet, 2, "Tablet")].map {
            Device(
                id: DeviceID(rawValue: $0), name: $3, kind: .phone, person: PersonID(rawValue: $2),
                isConfirmed: $0 == 1 || isConfirmed, addresses: [$1], firstSeen: TestHouse.evening - 86_400,
                lastSeen: TestHouse.evening - 5)
        }
        return try TestHouse(
            people: [
                Person(id: PersonID(rawValue: 1), name: "Me"),
                Person(id: PersonID(rawValue: 2), name: "Ada", role: role),
            ], devices: devices,
            justBlocked: { device, person in
                ["v16.tiktok.com", "www.tiktok.com", "cdn.of\(device.rawValue).example"].map {
                    JustBlocked.Name($0, person: person, layer: layer, at: TestHouse.evening)
                }
            })
    }

    @Test("A device shows its own without a login, grouped by app, and nothing to press")
    func own() async throws {
        let house = try house()
        try await house.visit { guest in
            let page = try await guest.at(Self.tablet).get("/just-blocked")
            #expect(page.status == .ok)
            for words in [
                "<bdi>TikTok</bdi>", "v16.tiktok.com", "cdn.of2.example", "Blocked by sleep, 20:00",
            ] {
                #expect(page.text.contains(words), "\(words)")
            }
            #expect(page.text.components(separatedBy: "<bdi>TikTok</bdi>").count == 2)
            #expect(
                !page.text.contains("cdn.of1.example")
                    && !page.text.contains("action=\"/just-blocked/allow\""))
        }
    }

    @Test(
        "A stranger sees nothing, neither from a device that is nobody's nor from one that is not confirmed")
    func strangers() async throws {
        let house = try house(isConfirmed: false)
        try await house.visit { guest in
            let unknown = try await guest.at(TestHouse.stranger).get("/just-blocked")
            #expect(unknown.location == "/login?next=/just-blocked")
            let page = try await guest.at(Self.tablet).get("/just-blocked").text
            #expect(page.contains("This device is not confirmed yet."))
            #expect(!page.contains("tiktok") && !page.contains("example"))
            let other = try await guest.at(Self.tablet).get("/just-blocked?person=1")
            #expect(other.status == .seeOther)
        }
    }

    @Test(
        "Whoever has the passcode sees a child's devices too, another adult's not",
        arguments: [
            Person.Role.child, .adult,
        ])
    func owner(_ role: Person.Role) async throws {
        let house = try house(role)
        try await house.visit { guest in
            let page = try await guest.signedIn().get("/just-blocked").text
            #expect(page.contains("cdn.of1.example"))
            #expect(page.contains("cdn.of2.example") == (role == .child))
            #expect(page.contains("another adult's devices") == (role == .adult))
        }
    }

    @Test("Allowed from the next session on: one app, one domain", arguments: [true, false])
    func allow(_ isRunning: Bool) async throws {
        let house = try house()
        if isRunning { try house.start(.strict) }
        let running = house.session
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let answer = try await owner.post("/just-blocked/allow", [("person", "1"), ("app", "tiktok")])
            #expect(answer.location == "/just-blocked?person=1&done=allowed")
            _ = try await owner.post("/just-blocked/allow", [("person", "1"), ("domain", "cdn.of1.example")])
            #expect(house.me.allowed == AppSelection(apps: ["tiktok"], domains: ["cdn.of1.example"]))
            #expect(house.session == running)
            let page = try await owner.get("/just-blocked").text
            #expect(page.components(separatedBy: "Open from the next session on.").count == 3)
            let log = try house.store.log(of: house.me.id).map(\.detail).joined()
            #expect(!log.contains("example") && !log.contains("tiktok"))
        }
    }

    @Test(
        "What does not fit is refused",
        arguments: [
            [], [("app", "tiktok"), ("domain", "example.org")], [("app", "nope")], [("domain", "com")],
            [("name", "example.org")],
        ])
    func refused(_ fields: [(String, String)]) async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let answer = try await owner.post("/just-blocked/allow", fields + [("person", "1")])
            #expect([.unprocessableContent, .conflict].contains(answer.status))
            #expect(house.me.allowed == AppSelection())
            let child = try await guest.at(Self.tablet).post("/just-blocked/allow", [("app", "tiktok")])
            #expect(child.status == .seeOther)
        }
    }

    @Test(
        "What another layer refused is said, not allowed here",
        arguments: [
            (Layer.windows, "Blocked by Anti-Rot"), (.limits, "Its limit is reached"),
            (.focus, "Blocked while focusing"),
        ])
    func otherLayers(_ layer: Layer, _ words: String) async throws {
        let house = try house(layer: layer)
        try await house.visit { guest in
            let page = try await guest.signedIn().get("/just-blocked").text
            #expect(page.contains(words) && !page.contains("action=\"/just-blocked/allow\""))
        }
    }
}
