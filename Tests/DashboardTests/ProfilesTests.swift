import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct ProfilesTests {
    private static let query = "https://sleep.home.arpa/dns-query/0123456789abcdef0123456789abcdef"

    private static func house(isMade: Bool = true, neighbours: [String: String] = [:]) throws -> TestHouse {
        var network = NetworkFacts()
        network.queryAddress = { _ in query }
        return try TestHouse(
            hardwareAddresses: neighbours, network: network, trust: FakeAuthorities(isMade: isMade).facts())
    }

    private func profile(_ name: String, _ guest: Guest) async throws -> [String: Any] {
        let response = try await guest.get("/profiles/\(name).mobileconfig")
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "application/x-apple-aspen-config")
        #expect(response.text.hasPrefix("<?xml"))
        let list = try PropertyListSerialization.propertyList(
            from: Data(response.text.utf8), format: nil)
        return try #require(list as? [String: Any])
    }

    /// Checks a profile's envelope and returns its one payload.
    private func payload(of profile: [String: Any], type: String) throws -> [String: Any] {
        #expect(profile["PayloadType"] as? String == "Configuration")
        #expect(profile["PayloadVersion"] as? Int == 1)
        #expect(profile["PayloadRemovalDisallowed"] == nil)
        let payloads = try #require(profile["PayloadContent"] as? [[String: Any]])
        #expect(payloads.count == 1)
        let payload = payloads[0]
        #expect(payload["PayloadType"] as? String == type)
        #expect(payload["PayloadVersion"] as? Int == 1)
        for part in [profile, payload] {
            let uuid = try #require(part["PayloadUUID"] as? String)
            #expect(UUID(uuidString: uuid) != nil)
            #expect((part["PayloadIdentifier"] as? String)?.hasPrefix("arpa.home.sleep-inducer.") == true)
            #expect((part["PayloadDisplayName"] as? String)?.isEmpty == false)
        }
        #expect(profile["PayloadUUID"] as? String != payload["PayloadUUID"] as? String)
        #expect(profile["PayloadIdentifier"] as? String != payload["PayloadIdentifier"] as? String)
        return payload
    }

    @Test func theHomeScreenProfile() async throws {
        try await Self.house().visit { guest in
            let profile = try await profile("home-screen", guest)
            #expect(profile["PayloadScope"] as? String == "User")
            let payload = try payload(of: profile, type: "com.apple.webClip.managed")
            #expect(payload["URL"] as? String == "http://sleep.home.arpa/")
            #expect(payload["Label"] as? String == "Sleep")
            for key in ["FullScreen", "IsRemovable", "Precomposed"] { #expect(payload[key] as? Bool == true) }
            #expect((payload["Icon"] as? Data)?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
        }
    }

    @Test("On a device that trusts it the bookmark opens over HTTPS")
    func secureHomeScreen() async throws {
        let house = try Self.house()
        try house.store.change { try $0.noteTrust($0.devices[0].id, in: String(repeating: "01", count: 32)) }
        try await house.visit { guest in
            let payload = try payload(
                of: try await profile("home-screen", guest), type: "com.apple.webClip.managed")
            #expect(payload["URL"] as? String == "https://sleep.home.arpa/")
        }
    }

    @Test func theCertificateProfile() async throws {
        try await Self.house().visit { guest in
            let profile = try await profile("certificate", guest.at(TestHouse.stranger))
            #expect(profile["PayloadScope"] as? String == "System")
            let payload = try payload(of: profile, type: "com.apple.security.root")
            #expect(payload["PayloadContent"] as? Data == Data([0x30, 1]))
            #expect(payload["PayloadCertificateFileName"] as? String == "sleep-inducer.crt")
        }
    }

    @Test("DNS lets go away from home, and nothing keeps its owner from switching it off")
    func theDNSProfile() async throws {
        try await Self.house().visit { guest in
            let profile = try await profile("dns", guest)
            #expect(profile["PayloadScope"] as? String == "System")
            let payload = try payload(of: profile, type: "com.apple.dnsSettings.managed")
            let settings = try #require(payload["DNSSettings"] as? [String: Any])
            #expect(settings["DNSProtocol"] as? String == "HTTPS")
            #expect(settings["ServerURL"] as? String == Self.query)
            #expect(settings["ServerAddresses"] as? [String] == ["192.168.1.5", "fd00::5"])
            #expect(settings.count == 3)
            let rules = try #require(payload["OnDemandRules"] as? [[String: String]])
            #expect(
                rules == [
                    ["Action": "Disconnect", "InterfaceTypeMatch": "Cellular"],
                    ["Action": "Connect", "URLStringProbe": "https://192.168.1.5/healthz"],
                    ["Action": "Disconnect"],
                ])
            #expect(payload["ProhibitDisablement"] == nil)
        }
    }

    @Test("The same profile replaces itself, and another household's never does")
    func identity() async throws {
        func seen(_ house: TestHouse) async throws -> [[String?]] {
            let found = Seen()
            try await house.visit { guest in
                for name in ["home-screen", "certificate", "dns"] {
                    let profile = try await profile(name, guest)
                    found.add(["PayloadUUID", "PayloadIdentifier"].map { profile[$0] as? String })
                }
            }
            return found.all
        }
        let house = try Self.house()
        let first = try await seen(house)
        let again = try await seen(house)
        #expect(again == first)
        #expect(Set(first.flatMap { $0 }).count == 6)
        let other = try await seen(try Self.house())
        #expect(Set(other.flatMap { $0 }).isDisjoint(with: first.flatMap { $0 }))
    }

    @Test(
        "Without a certificate, or for a device that nobody knows, there is no such profile, and the page says so"
    )
    func missing() async throws {
        try await Self.house(isMade: false).visit { guest in
            for name in ["certificate", "dns"] {
                let status = try await guest.get("/profiles/\(name).mobileconfig").status
                #expect(status == .notFound)
            }
            let page = try await guest.get("/profiles").text
            #expect(page.contains("It needs the certificate."))
        }
        let repeater = [TestHouse.phone: "02:00:00:00:00:01", TestHouse.stranger: "02:00:00:00:00:01"]
        let house = try Self.house(neighbours: repeater)
        try house.store.change { household in
            household.devices[0].hardwareAddress = "02:00:00:00:00:01"
            var other = household.devices[0]
            other = Device(
                id: DeviceID(rawValue: 9), name: "Tablet", addresses: ["192.168.1.200"],
                hardwareAddress: "02:00:00:00:00:01", firstSeen: other.firstSeen, lastSeen: other.lastSeen)
            household.devices.append(other)
        }
        try await house.visit { guest in
            #expect(try await guest.get("/profiles/dns.mobileconfig").status == .ok)
            let stranger = guest.at(TestHouse.stranger)
            #expect(try await stranger.get("/profiles/dns.mobileconfig").status == .notFound)
            let page = try await stranger.get("/profiles").text
            #expect(page.contains("This device is not known here yet"))
            #expect(page.contains("Not Signed"))
            #expect(!page.contains("dns.mobileconfig"))
        }
    }
}

/// Collects what several visits saw.
private final class Seen: @unchecked Sendable {
    private(set) var all: [[String?]] = []
    func add(_ some: [String?]) { all.append(some) }
}
