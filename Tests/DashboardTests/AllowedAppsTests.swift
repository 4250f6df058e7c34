import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct AllowedAppsRoutesTests {
    @Test("SI-136 to SI-140: the texts, the shelves, and what is always reachable with its reason")
    func page() async throws {
        try await TestHouse().visit { guest in
            let page = try await guest.signedIn().get("/allowed-apps?open=social")
            for text in [
                "These apps will remain accessible during sleep sessions.",
                "Phone and Messages are recommended.",
                "TikTok", "Messengers", "Stays on the Wi-Fi.",
            ] { #expect(page.text.contains(text), "\(text)") }
        }
    }

    @Test(
        "SI-026, SI-112: the whole selection is saved; domains are cleaned, the page's empty ones passed over"
    )
    func saves() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fields = [
                ("app", "tiktok"), ("category", "messengers"), ("domain", "https://Example.org/a"),
                ("domain", ""),
            ]
            #expect(try await owner.post("/allowed-apps", fields).location == "/allowed-apps?done=saved")
            let expected = AppSelection(
                apps: ["tiktok"], categories: ["messengers"], domains: ["example.org"])
            #expect(house.me.allowed == expected)
            let page = try await owner.get("/allowed-apps")
            #expect(page.text.contains("value=\"tiktok\" checked"))
            _ = try await owner.post("/allowed-apps")
            #expect(house.me.allowed.isEmpty)
        }
    }

    @Test(
        "Two pages that are open at the same time undo nothing of each other",
        arguments: ["/allowed-apps", "/anti-rot/apps", "/verified/selection"])
    func twoPages(_ path: String) async throws {
        let house = try TestHouse()
        @Sendable func stored() -> Set<String>? { Self.stored(house.me, path) }
        try await house.visit { guest in
            let owner = try guest.signedIn()
            func shown() async throws -> String { try Self.shown(in: try await owner.get(path).text, path) }
            func apps() async throws -> Set<String> {
                let fields = try await shown().split(separator: " ").dropFirst().joined().split(
                    separator: "&")
                return Set(fields.filter { $0.hasPrefix("app=") }.map { String($0.dropFirst(4)) })
            }
            let empty = try await shown()
            #expect(try await apps() == [])
            _ = try await owner.post(path, [("app", "tiktok"), ("shown", empty)])
            _ = try await owner.post(path, [("app", "whatsapp"), ("shown", empty)])
            #expect(stored() == ["tiktok", "whatsapp"], "the second page never showed TikTok")
            #expect(try await apps() == ["whatsapp", "tiktok"])
            _ = try await owner.post(path, [("app", ""), ("shown", "\(path) app=whatsapp")])
            #expect(stored() == ["tiktok"], "what was unticked goes, and only that")
            for odd in ["tiktok", "=", "\(path) app=%zz"] {
                let refused = try await owner.post(path, [("app", ""), ("shown", odd)])
                #expect(refused.status == .unprocessableContent, "\(odd)")
            }
            #expect(stored() == ["tiktok"])
            _ = try await owner.post(path, [("app", "whatsapp")])
            #expect(stored() == ["whatsapp"], "a program replaces all")
        }
    }

    /// The apps that the page at a path has saved.
    private static func stored(_ person: Person, _ path: String) -> Set<String>? {
        switch path {
        case "/allowed-apps": person.allowed.apps
        case "/anti-rot/apps": person.antiRot.restricted?.apps
        default: person.verified.productive?.apps
        }
    }

    /// What the form of a page says that it showed.
    private static func shown(in page: String, _ action: String) throws -> String {
        let forms = FormsOnPagesTests.forms(in: page).filter { $0.action == action }
        return try #require(forms.lazy.flatMap(\.fields).first { $0.0 == "shown" }).1
    }

    @Test(
        "Undo restores exactly what was before, keeps what another page changed, and is offered to pages only",
        arguments: ["/allowed-apps", "/anti-rot/apps", "/verified/selection"])
    func undo(_ path: String) async throws {
        let house = try TestHouse()
        @Sendable func stored() -> Set<String>? { Self.stored(house.me, path) }
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post(path, [("app", "whatsapp")])
            let saved = try await owner.post(
                path,
                [("app", "tiktok"), ("shown", "\(path) app=whatsapp"), ("open", "social"), ("find", "")])
            let address = try #require(saved.location)
            let id = try #require(address.firstMatch(of: /undo=([0-9A-F-]{36})/)).1
            #expect(address == "\(path)?open=social&undo=\(id)&done=saved")
            #expect(try await owner.get(address).text.contains("name=\"undo\" value=\"\(id)\""))
            _ = try await owner.post(path, [("app", "whatsapp"), ("shown", "\(path) ")])
            #expect(stored() == ["tiktok", "whatsapp"])
            let late = try await owner.post("\(path)/undo", [("undo", String(id))])
            #expect(late.status == .conflict, "only the last change")
            _ = try await owner.post(path, [("app", ""), ("shown", "\(path) app=whatsapp")])
            let last = try await owner.post(path, [("app", "whatsapp"), ("shown", "\(path) app=tiktok")])
                .location
            let newest = try #require(last?.firstMatch(of: /undo=([0-9A-F-]{36})/)).1
            let undone = try await owner.post("\(path)/undo", [("undo", String(newest)), ("open", "")])
            #expect(undone.location == "\(path)?open=&done=undone")
            #expect(stored() == ["tiktok"])
            for odd in ["", "x", UUID().uuidString] {
                #expect(try await owner.post("\(path)/undo", [("undo", odd)]).status == .conflict)
            }
            let same = try await owner.post(path, [("app", "tiktok"), ("shown", "\(path) app=tiktok")])
            #expect(same.location == "\(path)?done=saved", "nothing was changed")
        }
    }

    @Test("A category that is ticked as a whole: one app of it unticked leaves the others")
    func wholeCategory() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/allowed-apps", [("category", "messengers")])
            let page = try await owner.get("/allowed-apps?open=messengers").text
            #expect(page.contains("All allowed") && page.contains("value=\"whatsapp\" checked"))
            let shown = try Self.shown(in: page, "/allowed-apps")
            let ticked = shown.split(separator: " ")[1].split(separator: "&")
            let rest = ticked.filter { $0.hasPrefix("app=") && $0 != "app=whatsapp" }
                .map { ("app", String($0.dropFirst(4))) }
            _ = try await owner.post("/allowed-apps", rest + [("category", "messengers"), ("shown", shown)])
            #expect(house.me.allowed.categories.isEmpty)
            #expect(house.me.allowed.apps == Set(rest.map(\.1)))
        }
    }

    @Test("The address of a page opens one name; the whole site is proposed, and one tap adds it")
    func proposesTheSite() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let pasted = [("domain", "https://www.schule.example/"), ("shown", "/allowed-apps ")]
            #expect(try await owner.post("/allowed-apps", pasted).status == .seeOther)
            let page = try await owner.get("/allowed-apps").text
            let button = "name=\"domain\" value=\"schule.example\">Open all of <bdi>schule.example</bdi>"
            #expect(page.contains(button))
            let shown = try Self.shown(in: page, "/allowed-apps")
            let tapped = [
                ("domain", "www.schule.example"), ("domain", ""), ("domain", "schule.example"),
                ("shown", shown),
            ]
            #expect(try await owner.post("/allowed-apps", tapped).status == .seeOther)
            #expect(house.me.allowed.domains == ["schule.example", "www.schule.example"])
            #expect(try await !owner.get("/allowed-apps").text.contains("Open all of"))
        }
    }

    @Test("A refused domain loses no ticks")
    func keepsTicks() async throws {
        try await TestHouse().visit { guest in
            let refused = try await guest.signedIn().post(
                "/allowed-apps", [("app", "tiktok"), ("domain", "nonsense"), ("shown", "/allowed-apps ")])
            #expect(refused.text.contains("value=\"tiktok\" checked"))
            #expect(
                refused.text.contains("value=\"nonsense\"")
                    && refused.text.contains("name=\"shown\" value=\"/allowed-apps domain=\""))
        }
    }

    @Test(
        "What is not in the catalog, and names that are none: 422, nothing saved",
        arguments: [
            ("app", "nosuchapp"), ("category", "nosuch"), ("domain", "com"), ("domain", "192.168.1.1"),
            ("domain", "a..b"), ("domain", "co.uk"), ("domain", "exa mple.org"), ("domain", "\"><b>.org"),
            ("domain", "-x.org"), ("site", "example.org"),
            ("domain", String(repeating: "a", count: 64) + ".org"),
        ])
    func refuses(_ name: String, _ value: String) async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let fields = [("app", "tiktok"), (name, value)]
            let response = try await guest.signedIn().post("/allowed-apps", fields)
            #expect(response.status == .unprocessableContent)
            #expect(!response.text.contains("<b>.org"))
        }
        #expect(house.me.allowed.isEmpty)
    }

    @Test("SI-092, C-13: a running session keeps the list that it started with")
    func running() async throws {
        let house = try TestHouse()
        try house.start(.strict)
        try await house.visit { guest in
            let saved = try await guest.signedIn().post("/allowed-apps", [("app", "tiktok")])
            #expect(saved.status == .seeOther)
        }
        #expect(house.session?.allowed.isEmpty == true)
        #expect(house.me.allowed.apps == ["tiktok"])
    }

    @Test("An app of one's own: markup, emoji and combining marks in its name stay text")
    func ownApps() async throws {
        let house = try TestHouse()
        let name = "\"\u{301}><script>alert(1)</script>🌙"
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let added = try await owner.post(
                "/allowed-apps/own", [("name", name), ("domains", "a.example, b.example")])
            #expect(added.status == .seeOther)
            let app = try #require(house.store.household.ownApps.first)
            #expect(app.suffixes == ["a.example", "b.example"])
            let page = try await owner.get("/allowed-apps")
            #expect(!page.text.contains("<script>alert"))
            #expect(!page.text.unicodeScalars.elementsEqual("\"\u{301}>".unicodeScalars))
            #expect(page.text.contains("&quot;\u{301}&gt;&lt;script&gt;"))
            let gone = try await owner.post("/allowed-apps/own/\(app.id)/delete")
            #expect(gone.status == .seeOther)
            #expect(house.store.household.ownApps.isEmpty)
            #expect(try await owner.post("/allowed-apps/own/\(app.id)/delete").status == .conflict)
            for fields in [
                [("name", ""), ("domains", "a.example")], [("name", "A"), ("domains", "")], [("name", "A")],
                [("name", "A"), ("domains", "no domain!")],
                [("name", String(repeating: "x", count: 61)), ("domains", "a.example")],
            ] {
                let response = try await owner.post("/allowed-apps/own", fields)
                #expect(response.status == .unprocessableContent)
            }
        }
    }

    @Test("T-07: optional entries can be unticked, the others not")
    func reachable() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/allowed-apps/reachable", [("reachable", "")])
            #expect(house.store.household.unreachable == ["google"])
            _ = try await owner.post("/allowed-apps/reachable", [("reachable", ""), ("reachable", "google")])
            #expect(house.store.household.unreachable.isEmpty)
            let odd = try await owner.post("/allowed-apps/reachable", [("reachable", "nosuch")])
            #expect(odd.status == .unprocessableContent)
            _ = try await owner.post("/allowed-apps/reachable", [("reachable", "")])
            try house.start(.strict)
            let loosening = try await owner.post("/allowed-apps/reachable", [("reachable", "google")])
            #expect(loosening.status == .conflict)
        }
    }
}
