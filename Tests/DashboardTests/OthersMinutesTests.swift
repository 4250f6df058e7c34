import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// "An adult's usage is visible to that adult only" (design.md, Trust), on every page about limits.
@Suite struct OthersMinutesTests {
    private static let ada = PersonID(rawValue: 2)
    private static let tablet = "192.168.1.30"

    /// Ada used 37 of her 45 minutes, 113 this week, and two unlocks. The asking phone is another person's.
    private func house(_ role: Person.Role) throws -> TestHouse {
        let limit = UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 45, weeklyMinutes: 200)
        var ada = Person(id: Self.ada, name: "Ada", role: role, limits: Limits(list: [limit]))
        ada.limits.unlocks = Limits.DayCount(day: CivilDate("2026-11-20")!, count: 2)
        let devices = [(1, TestHouse.phone, 1), (2, Self.tablet, 2)].map { id, address, person in
            Device(
                id: DeviceID(rawValue: id), name: "Device \(id)", kind: .phone,
                person: PersonID(rawValue: person), addresses: [address],
                firstSeen: TestHouse.evening - 86_400, lastSeen: TestHouse.evening - 5)
        }
        let house = try TestHouse(
            people: [Person(id: PersonID(rawValue: 1), name: "Me"), ada], devices: devices)
        house.use([.app("tiktok"): TargetUse(day: 37, week: 113)], by: Self.ada)
        // Yesterday's computed and received minutes of hers.
        let snapshot = ScreenTimeSnapshot(
            date: CivilDate("2026-11-19")!, timezone: "Europe/Berlin", verifiedMinutes: 113,
            computedAt: TestHouse.evening)
        try house.store.change { $0[person: Self.ada]?.verified.snapshot = snapshot }
        let upload = try VerifiedUpload(
            date: "2026-11-19", verifiedMinutes: 37, source: "test", timezone: "Europe/Berlin",
            selection: WireSelection(AppSelection()), computedAtISO8601: "2026-11-20T06:00:00Z",
            at: TestHouse.evening)
        _ = try house.store.receive(upload, with: nil, for: Self.ada, at: TestHouse.evening)
        return house
    }

    /// All answers about limits, read from one address with a login and by a program.
    private func told(_ house: TestHouse, at address: String) async throws -> [String: String] {
        let token = try house.store.createToken(name: "test", at: house.clock.now)
        nonisolated(unsafe) var told: [String: String] = [:]
        try await house.visit { guest in
            let owner = try guest.signedIn().at(address)
            let program = guest.at(address).with(.authorization, "Bearer \(token)")
            for path in [
                "/apps?person=2", "/limits?person=2", "/widget?person=2", "/kiosk?person=2&limits=on",
            ] {
                told[path] = try await owner.get(path).text
            }
            for path in ["/api/v1/limits?person=2", "/api/v1/state?person=2", "/api/v1/export"] {
                told[path] = try await program.get(path).text
            }
        }
        return told
    }

    private static func names(_ text: String) -> Bool {
        text.contains(/\b(37|113)\b/) || text.contains("2 unlocks") || text.contains("\"unlocksUsed\":2")
    }

    @Test("Another adult's limits are told without minutes, live and to programs too") func another()
        async throws
    {
        let house = try house(.adult)
        for (path, text) in try await told(house, at: TestHouse.phone) {
            #expect(!Self.names(text), "\(path)")
        }
        let audience = Audience(person: Self.ada, isSignedIn: true, seesUsage: false)
        let state = StateText(house.site.feed.snapshot, at: house.clock.now).state(of: audience)
        let text = try #require(state.map { String(decoding: $0.bytes, as: UTF8.self) })
        #expect(text.contains("\"usedMinutes\":null") && text.contains("\"reached\":false"))
        let page = try #require(try await told(house, at: TestHouse.phone)["/limits?person=2"])
        #expect(page.contains("Only <bdi>Ada</bdi>'s own devices show"))
        #expect(page.contains("45 min today") && page.contains("Not reached"))
    }

    @Test(
        "A stranger's device that enrolls itself reads no minutes and spends no override until a login on it")
    func selfEnrolled() async throws {
        let house = try TestHouse()
        house.use([.app("tiktok"): TargetUse(day: 37, week: 113)])
        try await house.visit { guest in
            let stranger = guest.at(TestHouse.stranger)
            #expect(try await stranger.get("/login").status == .ok)
            #expect(try await stranger.post("/devices/enroll").status == .seeOther)
            #expect(house.store.household.devices.count == 2)
            let usage = try await stranger.get("/usage")
            #expect(usage.status == .forbidden && usage.text.contains("This device enrolled itself."))
            #expect(try await stranger.post("/anti-rot/override").location?.hasPrefix("/login") == true)
            #expect(house.me.antiRot.override.end(at: house.clock.now) == nil)
            let login = try await stranger.post("/login", [("passcode", TestHouse.passcode)])
            #expect(login.status == .seeOther)
            #expect(try await stranger.get("/usage").status == .ok)
        }
    }

    @Test("On their own device, and of a child, they are told", arguments: [Person.Role.adult, .child])
    func own(role: Person.Role) async throws {
        let house = try house(role)
        for (path, text) in try await told(house, at: role == .adult ? Self.tablet : TestHouse.phone) {
            #expect(Self.names(text), "\(path)")
        }
    }
}
