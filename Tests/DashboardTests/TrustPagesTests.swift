import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Synchronization
import Testing

/// A fake of the household's authority, which can be made again and again.
final class FakeAuthorities: Sendable {
    private let held = Mutex<TrustFacts.Authority?>(nil)
    private let count = Mutex(0)
    let isBroken: Bool

    init(isMade: Bool = false, isBroken: Bool = false) {
        self.isBroken = isBroken
        if isMade { make(at: TestHouse.evening) }
    }

    func make(at now: Date) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        held.withLock {
            $0 = TrustFacts.Authority(
                name: "Sleep Inducer \(number)", fingerprint: String(repeating: "0\(number)", count: 32),
                certificate: [0x30, UInt8(number)], made: now, ends: now + 86_400 * 3652, names: 914)
        }
    }

    var fingerprint: String? { held.withLock { $0?.fingerprint } }

    struct DiskFull: Error {}

    func facts(port: Int? = 443) -> TrustFacts {
        var facts = TrustFacts()
        facts.authority = { _ in self.held.withLock { $0 } }
        facts.make = { _, now in
            if self.isBroken { throw DiskFull() }
            self.make(at: now)
        }
        facts.missing = { $0.flatMap(\.pages) }
        facts.httpsPort = port
        facts.addresses = { ["192.168.1.5", "fd00::5"] }
        return facts
    }
}

@Suite struct TrustPagesTests {
    private func id(_ page: TestResponse) throws -> String {
        String(try #require(page.text.firstMatch(of: /result\?id=([0-9a-f]{32})/)).1)
    }

    /// Loads a check's image, over TLS unless the test says otherwise.
    private func load(_ id: String, by guest: Guest, isSecure: Bool = true) async throws -> TestResponse {
        var guest = guest.with(.testHost, "\(id).check.sleep.home.arpa")
        if isSecure { guest = guest.with(.testSecure, "yes") }
        return try await guest.get("/check/seen")
    }

    private func trusted(_ house: TestHouse) -> String? {
        house.store.household.device(at: TestHouse.phone)?.trustedAuthority
    }

    @Test("Everybody may read it; making the certificate needs a login, and another one a confirmation")
    func makes() async throws {
        let authorities = FakeAuthorities()
        let house = try TestHouse(trust: authorities.facts())
        try await house.visit { guest in
            let stranger = guest.at(TestHouse.stranger)
            #expect(try await stranger.get("/trust").text.contains("There is none yet"))
            #expect(try await stranger.get("/trust/certificate.crt").status == .notFound)
            #expect(try await stranger.get("/trust/check").location == "/trust")
            #expect(try await stranger.post("/trust/authority").location?.hasPrefix("/login") == true)
            let owner = try guest.signedIn()
            #expect(try await owner.post("/trust/authority", csrf: .some(nil)).status == .forbidden)
            #expect(authorities.fingerprint == nil)
            let made = try await owner.post("/trust/authority")
            #expect(made.location == "/trust?done=certified")
            let first = authorities.fingerprint
            #expect(first != nil)
            let file = try await stranger.get("/trust/certificate.crt")
            #expect(file.headers[.contentType] == "application/x-x509-ca-cert")
            #expect(Array(file.text.utf8) == [0x30, 1])
            #expect(try await owner.post("/trust/authority").location == "/trust")
            #expect(authorities.fingerprint == first)
            _ = try await owner.post("/trust/authority", [("confirm", "again")])
            #expect(authorities.fingerprint != first)
        }
    }

    @Test("Names that came later are for the owner to read, and for nobody who only looks in")
    func missing() async throws {
        let house = try TestHouse(trust: FakeAuthorities(isMade: true).facts())
        try house.store.change {
            _ = try $0.addOwnApp(name: "Mine", domains: ["secret.example"], at: house.clock.now)
        }
        try await house.visit { guest in
            let owner = try await guest.signedIn().get("/trust").text
            #expect(
                owner.contains("It does not cover these names yet: <bdi>secret.example, www.secret.example"))
            let stranger = try await guest.at(TestHouse.stranger).get("/trust").text
            #expect(!stranger.contains("secret.example"))
        }
    }

    @Test("What cannot be kept is said, and nothing changes")
    func fullDisk() async throws {
        let house = try TestHouse(trust: FakeAuthorities(isBroken: true).facts())
        try await house.visit { guest in
            let refused = try await guest.signedIn().post("/trust/authority")
            #expect(refused.status == .serviceUnavailable)
            #expect(refused.text.contains("could not be kept"))
        }
    }

    @Test("The picture over TLS, from the device that asked for it, is the proof; only that page lets it in")
    func proves() async throws {
        let authorities = FakeAuthorities(isMade: true)
        let house = try TestHouse(trust: authorities.facts(port: 8443))
        try await house.visit { guest in
            let page = try await guest.get("/trust/check")
            let id = try id(page)
            let host = "https://\(id).check.sleep.home.arpa:8443"
            #expect(page.text.contains("\(host)/check/seen"))
            #expect(page.headers[.contentSecurityPolicy]?.contains("img-src 'self' data: \(host);") == true)
            #expect(
                try await guest.get("/trust").headers[.contentSecurityPolicy]?.contains("https:") == false)
            let before = try await guest.get("/trust/result?id=\(id)")
            #expect(before.text.contains("<h1>Not yet</h1>"))
            #expect(trusted(house) == nil)
            #expect(try await load(id, by: guest).status == .ok)
            #expect(trusted(house) == authorities.fingerprint)
            let after = try await guest.get("/trust/result?id=\(id)")
            #expect(after.text.contains("<h1>This device trusts the shield</h1>"))
            #expect(after.text.contains("https://sleep.home.arpa:8443/"))
            #expect(try await guest.get("/trust").text.contains("This device trusts the shield."))
            // It was not seen to trust the new certificate.
            authorities.make(at: house.clock.now)
            let changed = try await guest.get("/trust").text
            #expect(!changed.contains("This device trusts the shield."))
        }
    }

    @Test("Neither plain HTTP, nor another device, nor an unknown or old number proves anything")
    func provesNothing() async throws {
        let house = try TestHouse(trust: FakeAuthorities(isMade: true).facts())
        try await house.visit { guest in
            let id = try id(try await guest.get("/trust/check"))
            _ = try await load(id, by: guest, isSecure: false)
            #expect(trusted(house) == nil)
            _ = try await load(id, by: guest.at(TestHouse.stranger))
            #expect(trusted(house) == nil)
            #expect(house.store.household.devices.allSatisfy { $0.trustedAuthority == nil })
            _ = try await load(String(repeating: "0", count: 32), by: guest)
            #expect(trusted(house) == nil)
            house.clock.advance(by: 600)
            _ = try await load(id, by: guest)
            #expect(trusted(house) == nil)
            #expect(try await guest.get("/trust/result?id=\(id)").location == "/trust/check")
        }
    }

    @Test("Behind a router nothing is remembered: it stands for everybody")
    func router() async throws {
        let network = NetworkFacts(routers: { [TestHouse.phone] })
        let house = try TestHouse(network: network, trust: FakeAuthorities(isMade: true).facts())
        try await house.visit { guest in
            let id = try id(try await guest.get("/trust/check"))
            _ = try await load(id, by: guest)
            #expect(trusted(house) == nil)
            #expect(
                try await guest.get("/trust/result?id=\(id)").text.contains(
                    "your router asks for all devices"))
        }
    }

    @Test("The same device by its other address is itself; an address that nobody knows is not")
    func otherAddresses() async throws {
        let authorities = FakeAuthorities(isMade: true)
        let house = try TestHouse(
            hardwareAddresses: [TestHouse.phone: "02:00:00:00:00:01", "fd00::20": "02:00:00:00:00:01"],
            trust: authorities.facts())
        try house.store.change { $0.devices[0].hardwareAddress = "02:00:00:00:00:01" }
        try await house.visit { guest in
            let first = try id(try await guest.get("/trust/check"))
            _ = try await load(first, by: guest.at("fd00::99"))
            let almost = try await guest.get("/trust/result?id=\(first)")
            #expect(almost.text.contains("<h1>Almost</h1>"))
            #expect(trusted(house) == nil)
            let second = try id(try await guest.get("/trust/check"))
            _ = try await load(second, by: guest.at("fd00::20"))
            #expect(trusted(house) == authorities.fingerprint)
            #expect(
                try await guest.at("fd00::20").get("/trust").text.contains("This device trusts the shield."))
        }
    }

    @Test("Another IPv4 address with its hardware address is another device, behind a repeater that lends it")
    func repeater() async throws {
        let house = try TestHouse(
            hardwareAddresses: [TestHouse.phone: "02:00:00:00:00:01", "192.168.1.21": "02:00:00:00:00:01"],
            trust: FakeAuthorities(isMade: true).facts())
        try house.store.change { household in
            household.devices[0].hardwareAddress = "02:00:00:00:00:01"
            household.devices.append(
                Device(
                    id: DeviceID(rawValue: 9), name: "Tablet", addresses: ["192.168.1.200"],
                    hardwareAddress: "02:00:00:00:00:01", firstSeen: TestHouse.evening,
                    lastSeen: TestHouse.evening))
        }
        try await house.visit { guest in
            let first = try id(try await guest.get("/trust/check"))
            _ = try await load(first, by: guest.at("192.168.1.21"))
            #expect(trusted(house) == nil)
            let second = try id(try await guest.at("192.168.1.21").get("/trust/check"))
            _ = try await load(second, by: guest.at("192.168.1.21"))
            #expect(trusted(house) == nil)
        }
    }

    @Test("The owner takes it back on the devices page")
    func forgets() async throws {
        let authorities = FakeAuthorities(isMade: true)
        let house = try TestHouse(trust: authorities.facts())
        try await house.visit { guest in
            _ = try await load(try id(try await guest.get("/trust/check")), by: guest)
            #expect(trusted(house) != nil)
            let owner = try guest.signedIn()
            #expect(try await owner.get("/devices").text.contains("Trusts the shield"))
            #expect(try await guest.post("/devices/1/distrust").location?.hasPrefix("/login") == true)
            #expect(trusted(house) != nil)
            let gone = try await owner.post(
                "/devices/1/distrust",
                [("name", "Phone"), ("kind", "tablet"), ("owner", "1"), ("noMobileData", "on")])
            #expect(gone.location == "/devices?done=saved#device-1")
            #expect(trusted(house) == nil)
            #expect(try await owner.post("/devices/9/distrust").status == .conflict)
        }
    }

    @Test("Where HTTPS is off there is nothing to make")
    func off() async throws {
        let authorities = FakeAuthorities()
        let house = try TestHouse(trust: authorities.facts(port: nil))
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/trust").text.contains("HTTPS is switched off"))
            #expect(try await owner.post("/trust/authority").location == "/trust")
            #expect(authorities.fingerprint == nil)
        }
    }
}
