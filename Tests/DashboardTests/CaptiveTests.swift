import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct CaptiveTests {
    private static func house(isSetUp: Bool = true, secure: Bool = true) throws -> TestHouse {
        let tablet = Device(
            id: DeviceID(rawValue: 1), name: "Tablet", kind: .tablet, person: PersonID(rawValue: 1),
            addresses: [TestHouse.phone], firstSeen: TestHouse.evening - 86_400,
            lastSeen: TestHouse.evening - 5)
        var me = Person(id: PersonID(rawValue: 1), name: "Grace")
        me.schedule = RecurringSchedule(
            isEnabled: true, start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 7, minute: 0),
            strictness: .flexible)
        var network = NetworkFacts()
        network.secureAddress = secure ? "https://sleep.home.arpa" : nil
        return try TestHouse(isSetUp: isSetUp, people: [me], devices: [tablet], network: network)
    }

    private func answer(_ guest: Guest) async throws -> String {
        let response = try await guest.get("/captive-portal")
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "application/captive+json")
        #expect(response.headers[.cacheControl] == "private, no-store")
        return response.text
    }

    private static let open =
        "{\"captive\":false,\"user-portal-url\":\"https://sleep.home.arpa/my-rules\",\"venue-info-url\":\"https://sleep.home.arpa/\",\"can-extend-session\":false}"

    @Test("Nobody is captive by default, by day or by night, and nobody's name is in it")
    func byDefault() async throws {
        let house = try Self.house()
        try await house.visit { guest in
            for _ in 0..<2 {
                for reader in [guest, guest.at(TestHouse.stranger)] {
                    let told = try await answer(reader)
                    #expect(told == Self.open)
                }
                house.clock.advance(by: 3 * 3600)
            }
        }
    }

    @Test(
        "A tablet that was marked is told the seconds until bedtime, then that the network is closed; others are not"
    )
    func marked() async throws {
        let house = try Self.house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let saved = try await owner.post("/devices/1", [("noMobileData", "on")])
            #expect(saved.status == .seeOther && house.store.household.devices[0].hasNoMobileData)
            // 20:00 in Berlin.
            let evening = try await answer(guest)
            #expect(evening.contains("\"captive\":false"))
            #expect(evening.contains("\"seconds-remaining\":7200,"))
            house.clock.advance(by: 7200)
            let closed = try await answer(guest)
            #expect(closed.contains("\"captive\":true") && !closed.contains("seconds-remaining"))
            let stranger = try await answer(guest.at(TestHouse.stranger))
            #expect(stranger == Self.open)
            _ = try await guest.post("/help")
            let helped = try await answer(guest)
            #expect(helped.contains("\"seconds-remaining\":900,"))
            // A form without the field does not change it.
            _ = try await owner.post("/devices/1", [("name", "iPad")])
            #expect(house.store.household.devices[0].hasNoMobileData)
            _ = try await owner.post("/devices/1", [("noMobileData", "off")])
            let after = try await answer(guest)
            #expect(after == Self.open)
        }
    }

    @Test("Only with a login, only for tablets, and nothing but on and off")
    func refused() async throws {
        let house = try Self.house()
        try await house.visit { guest in
            let field = [("noMobileData", "on")]
            #expect(try await guest.post("/devices/1", field).location?.hasPrefix("/login") == true)
            let owner = try guest.signedIn()
            #expect(try await owner.get("/devices").text.contains("This tablet has none"))
            #expect(
                try await owner.post("/devices/1", [("noMobileData", "yes")]).status == .unprocessableContent)
            let phone = try await owner.post("/devices/1", [("kind", "phone"), ("noMobileData", "on")])
            #expect(
                phone.status == .unprocessableContent && phone.text.contains("a phone would leave the Wi-Fi"))
            #expect(house.store.household.devices[0].kind == .tablet)
            _ = try await owner.post("/devices/1", [("kind", "phone")])
            let page = try await owner.get("/devices").text
            #expect(!page.contains("This tablet has none"))
        }
    }

    @Test("A program reads the mark and sets it, of tablets only; without it in the body it stays as it is")
    func program() async throws {
        let house = try Self.house()
        let token = try house.store.createToken(name: "test", at: house.clock.now)
        try await house.visit { guest in
            let program = guest.with(.authorization, "Bearer \(token)")
            let list = try await program.get("/api/v1/devices").list
            #expect(list.first?["noMobileData"] as? Bool == false)
            let marked = try await program.json(.patch, "/api/v1/devices/1", #"{"noMobileData":true}"#)
            #expect(marked.status == .ok && marked.object["noMobileData"] as? Bool == true)
            let named = try await program.json(.patch, "/api/v1/devices", #"{"id":1,"name":"iPad"}"#)
            #expect(named.object["noMobileData"] as? Bool == true)
            let wrong = try await program.json(.patch, "/api/v1/devices/1", #"{"noMobileData":"on"}"#)
            #expect(wrong.status == .unprocessableContent)
            let phone = try await program.json(
                .patch, "/api/v1/devices/1", #"{"kind":"phone","noMobileData":true}"#)
            #expect(phone.status == .unprocessableContent)
            #expect(phone.object["code"] as? String == "only-tablets")
            #expect(house.store.household.devices[0].kind == .tablet, "nothing of a refused change is kept")
            let unmarked = try await program.json(.patch, "/api/v1/devices/1", #"{"noMobileData":false}"#)
            #expect(unmarked.object["noMobileData"] as? Bool == false)
        }
    }

    @Test("Before set-up, without HTTPS, under other Hosts, with other methods")
    func edges() async throws {
        try await Self.house(isSetUp: false).visit { guest in
            let unset = try await answer(guest)
            #expect(unset == Self.open)
        }
        try await Self.house(secure: false).visit { guest in
            let text = try await answer(guest)
            #expect(!text.contains("user-portal-url"), "a portal has to be reached over TLS")
            #expect(text.contains("\"venue-info-url\":\"http://sleep.home.arpa/\""))
            #expect(
                try await guest.with(.testHost, "tiktok.com").get("/captive-portal").status
                    == .misdirectedRequest)
            let posted = try await guest.post("/captive-portal")
            #expect(posted.status == .methodNotAllowed && posted.headers[.allow] == "GET, HEAD")
            let accepted = try await guest.with(.accept, "application/captive+json").get("/captive-portal")
            #expect(accepted.status == .ok)
            #expect(try await guest.get("/captive-portal", method: .head).text.isEmpty)
        }
    }
}
