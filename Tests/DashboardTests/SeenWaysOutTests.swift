import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// Who is told of a way past this server, and which visits show one.
@Suite struct SeenWaysOutTests {
    private static let ada = PersonID(rawValue: 2)
    private static let tablet = DeviceID(rawValue: 2)
    private static let place = "192.168.1.22"
    private static let sentence = "of Ada looked up a VPN"

    /// "Me" with a laptop, and the child Ada with a tablet.
    private func house() throws -> TestHouse {
        let evening = TestHouse.evening
        return try TestHouse(
            people: TestHouse.parentAndChild,
            devices: [
                TestHouse.laptop,
                Device(
                    id: Self.tablet, name: "Tablet", kind: .tablet, person: Self.ada, addresses: [Self.place],
                    firstSeen: evening - 86_400, lastSeen: evening - 5),
            ])
    }

    private func look(_ house: TestHouse) {
        house.store.lookForWaysOut(at: house.clock.now)
        house.store.take(HouseFacts(now: house.clock.now, runningSince: TestHouse.evening - 60))
    }

    private func kinds(_ house: TestHouse) -> [SeenWayOut.Kind] {
        house.store.household[device: Self.tablet]?.waysOut.map(\.kind) ?? []
    }

    @Test("Home and status say it to an adult with the next step, and to no child; the log has it")
    func adults() async throws {
        let house = try house()
        house.store.note(.vpn, on: Self.tablet, at: house.clock.now)
        look(house)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for page in ["/", "/health"] {
                let text = try await owner.get(page).text
                #expect(
                    text.contains(Self.sentence) && text.contains("</bdi> <a href=\"/devices"), "\(page)")
            }
            let child = guest.at(Self.place)
            for page in ["/", "/health"] {
                let answer = try await child.get(page)
                #expect(answer.status == .ok && !answer.text.contains(Self.sentence), "\(page)")
            }
            let rules = try await owner.get("/my-rules?person=2").text
            #expect(rules.contains("A VPN was looked up: Tablet"))
            let away = [("notice", "way-out-vpn-2"), ("from", "home")]
            #expect(try await owner.post("/health/away", away).location == "/")
            #expect(try await !owner.get("/").text.contains(Self.sentence))
        }
        try await house.program { guest in
            let devices = try await guest.get("/api/v1/devices").text
            #expect(devices.contains("\"kind\":\"vpn\"") && devices.contains(Self.sentence))
            let log = try await guest.get("/api/v1/log?person=2").text
            #expect(log.contains("\"kind\":\"wayOutSeen\""))
        }
    }

    @Test("Two pages five minutes apart without a question between them are told after a minute, once")
    func pages() async throws {
        let house = try house()
        try await house.visit { guest in
            let child = guest.at(Self.place).with(.accept, "text/html")
            func visit(_ path: String = "/my-rules", after seconds: TimeInterval) async throws {
                house.clock.advance(by: seconds)
                _ = try await child.get(path)
                look(house)
            }
            try await visit(after: 0)
            try await visit(after: 299)
            #expect(kinds(house).isEmpty)
            try await visit("/captive-portal", after: 1)
            #expect(kinds(house) == [.asksElsewhere] && house.store.notices.notices.isEmpty)
            house.clock.advance(by: 60)
            try house.store.change { household, log in
                household.settle(at: house.clock.now, log: &log, newID: UUID.init)
            }
            look(house)
            #expect(house.store.notices.notices.map(\.id) == ["way-out-asks-elsewhere-2"])
            let lines = try house.store.log(of: Self.ada).filter { $0.kind == .wayOutSeen }
            #expect(lines.map(\.detail) == ["asks-elsewhere"])
        }
    }

    @Test("What a page fetches by itself, an adult's pages and a device that asks show nothing")
    func nothing() async throws {
        let house = try house()
        try await house.visit { guest in
            for _ in 0..<3 {
                house.clock.advance(by: 400)
                _ = try await guest.with(.accept, "text/html").get("/my-rules")
                _ = try await guest.at(Self.place).with(.accept, "*/*").get("/my-rules")
                look(house)
            }
            #expect(kinds(house).isEmpty)
            for _ in 0..<3 {
                house.clock.advance(by: 400)
                _ = try await guest.at(Self.place).with(.accept, "text/html").get("/my-rules")
                try house.store.change { $0.devices[1].lastSeen = house.clock.now }
                look(house)
            }
            #expect(kinds(house).isEmpty && house.store.household.devices[0].waysOut.isEmpty)
        }
    }

    @Test("A check that finds a second server tells it, and one that finds none mends it")
    func check() async throws {
        let house = try house()
        try await house.visit { guest in
            let child = guest.at(Self.place)
            func check(_ families: [SetupCheck.Family]) async throws {
                let page = try await child.get("/check").text
                let id = String(try #require(page.firstMatch(of: /result\?id=([0-9a-f]{32})/)).1)
                house.site.checks.note(
                    families.map { .init(id: id, family: $0, address: Self.place) }, signs: [])
                for host in families.contains(.either) ? [id] : [] {
                    _ = try await child.with(.testHost, "\(host).check.sleep.home.arpa").get("/check/seen")
                }
                _ = try await child.get("/check/result?id=\(id)")
                look(house)
            }
            try await check([.v4])
            #expect(house.store.notices.notices.map(\.id) == ["way-out-second-server-2"])
            try await check(SetupCheck.Family.allCases)
            #expect(house.store.notices.notices.isEmpty && kinds(house) == [.secondServer])
        }
    }
}
