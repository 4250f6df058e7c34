import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct LoginTests {
    @Test("The passcode signs in, over HTTP and TLS, and leads on")
    func signsIn() async throws {
        try await TestHouse().visit { guest in
            let response = try await guest.post(
                "/login", [("passcode", TestHouse.passcode), ("next", "/schedule")])
            #expect(response.status == .seeOther)
            #expect(response.location == "/schedule")
            let cookie = response.setCookie ?? ""
            #expect(cookie.hasPrefix("si="))
            #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax"))
            var owner = guest
            owner.cookie = cookie.split(separator: ";").first.map(String.init)
            let page = try await owner.get("/more")
            #expect(page.status == .ok)
            #expect(page.text.contains("action=\"/logout\""))
            let secure = try await guest.with(.testSecure, "1").post(
                "/login", [("passcode", TestHouse.passcode)])
            #expect(secure.setCookie?.hasPrefix("__Host-si=") == true)
            #expect(secure.setCookie?.hasSuffix("; Secure") == true)
        }
    }

    @Test(
        "A login leads to this server only",
        arguments: [
            "//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)",
            "evil.example",
            "/a\tb", "", "\\\\evil.example", "/%0d%0aSet-Cookie:x".removingPercentEncoding ?? "",
        ])
    func openRedirects(_ next: String) async throws {
        try await TestHouse().visit { guest in
            let response = try await guest.post("/login", [("passcode", TestHouse.passcode), ("next", next)])
            #expect(response.location == "/")
            let page = try await guest.get("/login?next=\(next.formEscaped)")
            #expect(!page.text.contains("evil"))
        }
    }

    @Test("A wrong passcode: 422 beside the field, no cookie; then the address waits, alone")
    func wrong() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            for _ in 0..<3 {
                let response = try await guest.post("/login", [("passcode", "wrong")])
                #expect(response.status == .unprocessableContent)
                #expect(response.setCookie == nil)
                #expect(response.text.contains("This is not the passcode."))
                #expect(!response.text.contains("value=\"wrong\""))
            }
            let waiting = try await guest.post("/login", [("passcode", TestHouse.passcode)])
            #expect(waiting.status == .tooManyRequests)
            #expect(waiting.headers[.retryAfter] == "2")
            #expect(waiting.setCookie == nil)
            let other = try await guest.at(TestHouse.stranger).post(
                "/login", [("passcode", TestHouse.passcode)])
            #expect(other.status == .seeOther)
            house.clock.advance(by: 2)
            #expect(try await guest.post("/login", [("passcode", TestHouse.passcode)]).status == .seeOther)
        }
    }

    /// Many clients guess from one network. A browser that logged in before does not wait with them, even after logging
    /// out.
    @Test("Who guesses holds up browsers that nobody knows, and no other")
    func aCrowdGuesses() async throws {
        let house = try TestHouse()
        let right = ("passcode", TestHouse.passcode)
        try await house.visit { guest in
            let welcome = try await guest.post("/login", [right])
            let mark = try #require(
                welcome.headers[values: .setCookie].first { $0.hasPrefix("si-known=") }?.split(separator: ";")
                    .first)
            var known = guest
            known.cookie = String(mark)
            for number in 100..<130 {
                _ = try await guest.at("192.168.1.\(number)").post("/login", [("passcode", "wrong-one")])
            }
            let unknown = try await guest.at("192.168.1.200").post("/login", [right])
            #expect(unknown.status == .tooManyRequests)
            #expect(unknown.text.contains("Too many wrong passcodes"))
            #expect(try await known.post("/login", [right]).status == .seeOther)
            for forged in ["si-known=abc.def", "si-known=\(mark.dropFirst(9))0", "si-known="] {
                var forger = guest.at("192.168.1.201")
                forger.cookie = forged
                #expect(try await forger.post("/login", [right]).status == .tooManyRequests, "\(forged)")
            }
            let wait = try #require(unknown.headers[.retryAfter].flatMap { Double($0) })
            house.clock.advance(by: wait)
            #expect(try await guest.at("192.168.1.200").post("/login", [right]).status == .seeOther)
        }
    }

    @Test("Missing, empty, doubled and unknown fields: 422")
    func missing() async throws {
        let right = ("passcode", TestHouse.passcode)
        try await TestHouse().visit { guest in
            for fields in [[], [("passcode", "")], [right, right], [right, ("admin", "1")]] {
                let response = try await guest.post("/login", fields)
                #expect(response.status == .unprocessableContent)
                #expect(response.setCookie == nil)
            }
        }
    }

    @Test("Logging out ends this login, or with everywhere all of them")
    func logsOut() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let (one, two) = (try guest.signedIn(), try guest.signedIn())
            let out = try await one.post("/logout")
            #expect(out.location == "/login")
            #expect(out.setCookie?.hasPrefix("si=; Max-Age=0") == true)
            #expect(try await one.get("/settings").status == .seeOther)
            #expect(try await two.get("/settings").status == .ok)
            let three = try guest.signedIn()
            _ = try await two.post("/logout", [("everywhere", "on")])
            #expect(try await three.get("/settings").status == .seeOther)
            #expect(try await two.get("/settings").status == .seeOther)
            #expect(try await guest.post("/logout").location == "/login")
        }
    }
}

@Suite struct SetupTests {
    private func fields(_ house: TestHouse, _ changes: [String: String?] = [:]) throws -> [(String, String)] {
        var fields: [String: String?] = [
            "code": try house.store.makeSetupCode(), "passcode": TestHouse.passcode,
            "timeZone": "Europe/Paris",
            "enroll": "on",
        ]
        fields.merge(changes) { $1 }
        return fields.compactMap { field in field.value.map { (field.key, $0) } }
    }

    @Test("SI-073: code, passcode and zone pass the gate, and the device that asks is enrolled")
    func passes() async throws {
        let house = try TestHouse(isSetUp: false, devices: [])
        let fields = try fields(house)
        try await house.visit { guest in
            #expect(try await guest.get("/setup").text.contains("Europe/Berlin"))
            let response = try await guest.post("/setup", fields)
            #expect(response.status == .seeOther)
            #expect(response.location == "/setup/people")
            #expect(response.setCookie?.hasPrefix("si=") == true)
            #expect(try await guest.post("/setup", fields).status == .conflict)
            #expect(try await guest.get("/setup").location == "/")
        }
        #expect(house.store.isSetUp)
        #expect(house.store.household.timeZone == "Europe/Paris")
        #expect(house.store.household.devices.map(\.addresses) == [[TestHouse.phone]])
        #expect(house.store.household.devices.first?.person == house.me.id)
        // The browser that chose the passcode counts as signed in.
        let hands = try house.store.log(of: house.me.id).map(\.hand)
        #expect(!hands.isEmpty && hands.allSatisfy { $0?.kind == .signedIn })
    }

    @Test("A device that never asked is not said to be in use")
    func neverAsked() async throws {
        let house = try TestHouse(isSetUp: false, devices: [])
        let fields = try fields(house)
        try await house.visit { guest in
            _ = try await guest.post("/setup", fields)
            let page = try await guest.signedIn().get("/")
            #expect(page.text.contains("No device is using this yet. Nothing will be blocked."))
        }
    }

    @Test("Without the tick nothing is enrolled", arguments: [nil, "off", "false", "0"])
    func withoutDevice(_ value: String?) async throws {
        let house = try TestHouse(isSetUp: false, devices: [])
        let fields = try fields(house, ["enroll": value])
        try await house.visit { guest in _ = try await guest.post("/setup", fields) }
        #expect(house.store.isSetUp)
        #expect(house.store.household.devices.isEmpty)
    }

    @Test(
        "What cannot be used is said beside its field, and the rest is kept",
        arguments: [
            ("code", nil), ("code", "WRONG-CODE"), ("passcode", nil), ("passcode", "123"),
            ("passcode", String(repeating: "x", count: 129)), ("passcode", "      "),
            ("timeZone", "Nope/Zone"),
            ("timeZone", "PST"), ("timeZone", "GMT+5"), ("timeZone", nil), ("enroll", "maybe"),
        ] as [(String, String?)])
    func refuses(_ name: String, _ value: String?) async throws {
        let house = try TestHouse(isSetUp: false, devices: [])
        let fields = try fields(house, [name: value])
        try await house.visit { guest in
            let response = try await guest.post("/setup", fields)
            #expect(response.status == .unprocessableContent)
            #expect(response.setCookie == nil)
            #expect(response.text.contains("class=\"error\""))
            if name != "timeZone" { #expect(response.text.contains("value=\"Europe/Paris\" selected")) }
        }
        #expect(!house.store.isSetUp)
        #expect(house.store.household.devices.isEmpty)
    }

    @Test("Guessing codes is slowed down as guessing passcodes is")
    func guessing() async throws {
        let house = try TestHouse(isSetUp: false)
        let fields = try fields(house, ["code": "AAAA-AAAA"])
        try await house.visit { guest in
            for _ in 0..<3 {
                let refused = try await guest.post("/setup", fields)
                #expect(refused.status == .unprocessableContent)
            }
            let response = try await guest.post("/setup", fields)
            #expect(response.status == .tooManyRequests)
            #expect(response.headers[.retryAfter] == "2")
        }
    }

    @Test("SI-075: the gate says what could not be had, SI-077")
    func gateError() async throws {
        try await TestHouse(isSetUp: false, refused: ["DNS on port 53: permission denied"]).visit { guest in
            let gate = try await guest.get("/")
            #expect(gate.text.contains("permission denied"))
        }
    }
}
