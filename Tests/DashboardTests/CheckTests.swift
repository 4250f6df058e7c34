import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct CheckRoutesTests {
    private func id(_ page: TestResponse) throws -> String {
        String(try #require(page.text.firstMatch(of: /result\?id=([0-9a-f]{32})/)).1)
    }

    private func ask(_ house: TestHouse, _ id: String, from address: String) {
        house.site.checks.note(
            SetupCheck.Family.allCases.map { .init(id: id, family: $0, address: address) }, signs: [])
    }

    @Test(
        "A stranger may check, sees nothing of the household, and only the one-time hosts are let in by the policy"
    )
    func stranger() async throws {
        let house = try TestHouse(people: [Person(id: PersonID(rawValue: 1), name: "Grace")])
        try await house.visit { guest in
            let stranger = guest.at(TestHouse.stranger)
            let page = try await stranger.get("/check")
            let id = try id(page)
            let policy = try #require(page.headers[.contentSecurityPolicy])
            let hosts = ["", "4.", "6."].map { "http://\($0)\(id).check.sleep.home.arpa" }
            #expect(policy.contains("img-src 'self' data: \(hosts.joined(separator: " "));"))
            for host in hosts { #expect(page.text.contains("\(host)/check/seen")) }
            ask(house, id, from: TestHouse.stranger)
            for host in hosts {
                let image = try await stranger.with(.testHost, String(host.dropFirst(7))).get("/check/seen")
                #expect(image.status == .ok && image.headers[.contentType] == "image/svg+xml")
            }
            let result = try await stranger.get("/check/result?id=\(id)")
            #expect(result.text.contains("<h1>It works</h1>"))
            for page in [page, result] {
                #expect(!page.text.contains("Grace") && !page.text.contains(TestHouse.phone))
            }
            #expect(result.headers[.contentSecurityPolicy]?.contains("check") == false)
        }
    }

    @Test("What can get around: for a stranger too, from the same traces, with a proxy's word for itself")
    func around() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let page = try await guest.get("/check/around")
            let id = try id(page)
            #expect(page.text.contains("data-next=\"/check/around/result?id=\(id)\""))
            #expect(page.text.contains("url=/check/around/result?id=\(id)"))
            ask(house, id, from: TestHouse.phone)
            let host = "\(id).check.sleep.home.arpa"
            _ = try await guest.with(.testHost, host).get("/check/seen")
            for reader in [guest, guest.at(TestHouse.stranger)] {
                let result = try await reader.get("/check/around/result?id=\(id)")
                #expect(result.status == .ok && !result.text.contains("data-way="))
                #expect(result.text.contains("<h1>No way around was seen</h1>"))
                #expect(result.text.contains("What cannot be seen from here"))
            }
            for name in ["Via", "Forwarded", "X-Forwarded-For"] {
                let id = try self.id(try await guest.get("/check/around"))
                ask(house, id, from: TestHouse.phone)
                let proxied = guest.with(.testHost, "\(id).check.sleep.home.arpa")
                _ = try await proxied.with(HTTPField.Name(name)!, "1.1 x").get("/check/seen")
                let result = try await guest.get("/check/around/result?id=\(id)").text
                #expect(result.contains("data-way=\"proxy\"") && result.contains("One way around is open"))
            }
            #expect(try await guest.get("/check/around/result?id=x").location == "/check/around")
            #expect(try await guest.post("/check/around").status == .methodNotAllowed)
        }
    }

    @Test("The ways that signs show of a device are those of the device, and of nobody else")
    func signs() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            house.site.checks.note([], signs: [(TestHouse.stranger, .browserCanary)])
            house.site.checks.note([], signs: [(TestHouse.phone, .designatedResolver)])
            for (address, own, others) in [
                (TestHouse.phone, "designatedResolver", "browserDNS"),
                (TestHouse.stranger, "browserDNS", "designatedResolver"),
            ] {
                let id = try id(try await guest.at(address).get("/check/around"))
                ask(house, id, from: address)
                let text = try await guest.at(address).get("/check/around/result?id=\(id)").text
                #expect(text.contains("=\"\(own)\"") && !text.contains("=\"\(others)\""))
            }
        }
    }

    @Test("Ten minutes later nothing of it is left, and an unknown number begins anew")
    func forgets() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let id = try id(try await guest.get("/check"))
            ask(house, id, from: TestHouse.phone)
            house.clock.advance(by: 599)
            #expect(try await guest.get("/check/result?id=\(id)").status == .ok)
            house.clock.advance(by: 1)
            for unknown in [id, "", "x", String(repeating: "0", count: 32)] {
                #expect(try await guest.get("/check/result?id=\(unknown)").location == "/check")
            }
        }
    }

    @Test(
        "Under a one-time name there is the image and nothing else",
        arguments: ["/", "/check", "/healthz", "/login"])
    func hosts(_ path: String) async throws {
        let name = String(repeating: "a", count: 32) + ".check.sleep.home.arpa"
        try await TestHouse().visit { guest in
            #expect(try await guest.with(.testHost, name).get(path).status == .misdirectedRequest)
            #expect(try await guest.with(.testHost, name).post("/check/seen").status == .misdirectedRequest)
            #expect(try await guest.get("/check/seen").status == .notFound)
            for other in [
                "5.\(name)", "4.6.\(name)", "x\(name)", "\(name).evil.example", "check.sleep.home.arpa",
            ] {
                let status = try await guest.with(.testHost, other).get("/check/seen").status
                #expect(status == .misdirectedRequest)
            }
        }
    }

    @Test("Whoever begins many checks pushes out only their own")
    func isBounded() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let first = try id(try await guest.get("/check"))
            let flood = guest.at(TestHouse.stranger)
            for _ in 0..<300 { _ = try await flood.get("/check") }
            #expect(try await guest.get("/check/result?id=\(first)").status == .ok)
        }
    }

    @Test("Two minutes on the asking device, without a login, ended by anybody there; nothing is logged")
    func tries() async throws {
        let house = try TestHouse(devices: [])
        try await house.visit { guest in
            let begun = try await guest.post("/check/try")
            #expect(begun.location == "/check/try")
            let device = try #require(house.store.household.device(at: TestHouse.phone))
            #expect(device.tryUntil == TestHouse.evening + 120 && device.person == nil)
            #expect(try await guest.get("/check/try").text.contains("This device rests until 20:02"))
            #expect(
                try await !guest.get("/help").text.contains("Nothing is blocked"), "it blocks, as it says")
            #expect(
                try await guest.at(TestHouse.stranger).get("/check/try").text.contains(
                    "Try it for two minutes"))
            _ = try await guest.at(TestHouse.stranger).post("/check/try/end")
            #expect(house.store.household.device(at: TestHouse.phone)?.tryUntil != nil)
            _ = try await guest.post("/check/try/end")
            #expect(house.store.household.device(at: TestHouse.phone)?.tryUntil == nil)
            #expect(
                try await guest.get("/help").text.contains("Nothing is blocked on this device right now."))
            #expect(try house.store.log(of: house.me.id).isEmpty)
        }
    }
}

@Suite struct SetupEndTests {
    @Test("A try that began over IPv4 is seen and ended over IPv6, where the shield may have been shown")
    func endedOverTheOtherVersion() async throws {
        let mac = "02:00:00:00:00:01"
        let phone = Device(
            id: DeviceID(rawValue: 5), name: "Phone", addresses: ["10.0.0.2"], hardwareAddress: mac,
            firstSeen: TestHouse.evening, lastSeen: TestHouse.evening, tryUntil: TestHouse.evening + 120)
        let house = try TestHouse(
            devices: [phone], hardwareAddresses: ["10.0.0.2": mac, "fd00::2": mac])
        try await house.visit { guest in
            let guest = guest.at("fd00::2")
            #expect(try await guest.get("/check/try").text.contains("End it now"))
            _ = try await guest.post("/check/try/end")
            #expect(house.store.household.devices.map(\.tryUntil) == [nil])
        }
    }

    @Test("The old setting is kept for the way back, and shown where devices are")
    func formerDNS() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            #expect(try await guest.get("/setup/begin").location?.hasPrefix("/login") == true)
            let owner = try guest.signedIn()
            let page = try await owner.get("/setup/router")
            #expect(page.text.contains("no device has internet until you put the old setting back"))
            let saved = try await owner.post("/setup/router", [("formerDNS", "192.168.1.1 by DHCP")])
            #expect(saved.location == "/setup/router?done=saved")
            #expect(try await owner.get("/devices").text.contains("192.168.1.1 by DHCP"))
            let long = String(repeating: "x", count: 201)
            let refused = try await owner.post("/setup/router", [("formerDNS", long)])
            #expect(refused.status == .unprocessableContent && refused.text.contains(long))
            #expect(
                try await guest.post("/setup/router", [("formerDNS", "")]).location?.hasPrefix("/login")
                    == true)
            #expect(house.store.household.formerDNS == "192.168.1.1 by DHCP")
        }
    }

    @Test(
        "How a device is pointed here is everybody's to read, and the own system stands open, first",
        arguments: [
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5)", "iPhone and iPad"),
            ("Mozilla/5.0 (Linux; Android 15)", "Android"),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X)", "Mac"), ("Mozilla/5.0 (Windows NT 10.0)", "Windows"),
            ("Mozilla/5.0 (X11; Linux x86_64)", "Linux"),
        ])
    func steps(_ agent: String, _ name: String) async throws {
        try await TestHouse().visit { guest in
            let page = try await guest.at(TestHouse.stranger).with(.userAgent, agent).get("/setup/device")
                .text
            let open = page.matches(of: /<details[^>]* open><summary>([^<]*)<\/summary>/).map(\.1)
            #expect(open == [name[...]])
            #expect(page.firstMatch(of: /<summary>([^<]*)<\/summary>/)?.1 == name[...])
        }
    }

    @Test("One tap adds a set; a set that is none changes nothing")
    func sets() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.post("/allowed-apps/set", [("set", "on-call")]).status == .seeOther)
            #expect(house.me.allowed == AppSelection(categories: ["messengers"]))
            #expect(
                try await owner.post("/allowed-apps/set", [("set", "all")]).status == .unprocessableContent)
            #expect(house.me.allowed == AppSelection(categories: ["messengers"]))
        }
    }
}
