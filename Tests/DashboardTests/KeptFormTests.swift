import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// A form that came after its login had ended.
@Suite struct KeptFormTests {
    private let typed = [
        ("isEnabled", "on"), ("start", "21:15"), ("end", "06:30"), ("strictness", "flexible"),
    ]

    /// The cookie's `name=value`.
    private func cookie(_ response: TestResponse, _ name: String) throws -> String {
        let set = response.headers[values: .setCookie].first { $0.hasPrefix("\(name)=") }
        return try #require(set?.split(separator: ";").first.map(String.init))
    }

    @Test("It changes nothing, says so, and the log-in leads back to it once")
    func leadsBack() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let guest = guest.with(.testHost, "sleep.home.arpa")
            let page = guest.with(.referer, "http://sleep.home.arpa/schedule?person=1")
            let lost = try await page.post("/schedule", typed, csrf: "of-an-older-login")
            #expect(lost.status == .seeOther && lost.location == "/login")
            #expect(house.me.schedule == nil)
            var browser = guest
            browser.cookie = try cookie(lost, "si-form")
            #expect(try await browser.get("/login").text.contains("Nothing was saved or changed"))
            let login = try await browser.post("/login", [("passcode", TestHouse.passcode)])
            #expect(login.location == "/kept")
            let entered = try cookie(login, "si")
            let kept = try cookie(lost, "si-form")
            browser.cookie = "\(entered); \(kept)"
            for _ in 1...2 {
                let asked = try await browser.get("/kept").text
                #expect(asked.contains("action=\"/schedule\" data-kept=\"/schedule?person=1\""))
                #expect(
                    asked.contains("name=\"start\" value=\"21:15\"") && !asked.contains("of-an-older-login"))
            }
            #expect(house.me.schedule == nil)
            #expect(
                try await browser.get("/login").location == "/",
                "it was shown, so no log-in leads to it again")
        }
    }

    @Test("Nothing is kept of other sites, programs and passcodes")
    func keepsOnlyOwnForms() async throws {
        try await TestHouse().visit { guest in
            let guest = guest.with(.testHost, "sleep.home.arpa")
            #expect(try await guest.post("/schedule", typed).setCookie == nil)
            let other = guest.with(.referer, "http://example.org/schedule")
            #expect(try await other.post("/schedule", typed).setCookie == nil)
            var browser = guest.with(.origin, "http://sleep.home.arpa")
            let lost = try await browser.post(
                "/settings/passcode", [("current", "a"), ("passcode", "secret-1")])
            browser.cookie = try cookie(lost, "si-form")
            #expect(try await browser.get("/login").text.contains("Log in, then do it again."))
            let entered = try #require(try guest.signedIn().cookie)
            let kept = try #require(browser.cookie)
            browser.cookie = "\(entered); \(kept)"
            #expect(try await browser.get("/kept").location == "/")
        }
    }

    @Test("An older login's token is refused, and the form asked again on our own page only")
    func asksAgainWithAFreshToken() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let guest = guest.with(.testHost, "sleep.home.arpa")
            let signedIn = try guest.signedIn()
            let own = signedIn.with(.referer, "http://sleep.home.arpa/schedule")
            let stale = try await own.post("/schedule", typed, csrf: "A")
            #expect(stale.status == .forbidden && stale.text.contains("data-kept=\"/schedule\""))
            let bare = try await signedIn.post("/schedule", typed, csrf: "A")
            #expect(bare.status == .forbidden && !bare.text.contains("21:15"))
            #expect(house.me.schedule == nil)
        }
    }

    @Test("A log-in form that is sent while signed in leads home")
    func logsInTwice() async throws {
        try await TestHouse().visit { guest in
            let guest = guest.with(.testHost, "sleep.home.arpa")
            var signedIn = try guest.signedIn()
            signedIn.csrf = nil
            let again = try await signedIn.post("/login", [("passcode", TestHouse.passcode)])
            #expect(again.status == .seeOther && again.location == "/")
            let next = try await signedIn.post("/login", [("passcode", "wrong"), ("next", "/usage")])
            #expect(next.status == .seeOther && next.location == "/usage")
        }
    }
}
