import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Policy
import Store
import Synchronization
import Testing

/// Every address, from every kind of visitor.
@Suite struct GateTests {
    static let pages = [
        "/session", "/schedule", "/allowed-apps", "/devices", "/settings", "/settings/backup",
        "/settings/backups",
        "/settings/reset",
    ]
    static let forms = [
        "/session", "/session/cancel", "/session/keep", "/schedule", "/schedule/tonight", "/allowed-apps",
        "/allowed-apps/own", "/allowed-apps/own/x/delete", "/allowed-apps/reachable", "/devices/1",
        "/devices/1/remove", "/settings", "/settings/passcode", "/settings/time-zone", "/settings/help",
        "/settings/new-devices", "/settings/backups/restore", "/settings/clock", "/settings/tokens",
        "/settings/tokens/1/delete",
        "/settings/people",
        "/settings/people/1", "/settings/people/1/delete", "/settings/reset",
    ]
    static let ownDevices = ["/kiosk", "/shield?name=tiktok.com"]
    static let programs: [(HTTPRequest.Method, String)] = [
        (.get, "/api/v1/state"), (.post, "/api/v1/session"), (.post, "/api/v1/session/cancel"),
        (.delete, "/api/v1/session/cancel"), (.post, "/api/v1/reset"), (.get, "/api/v1/schedule"),
        (.put, "/api/v1/schedule"), (.get, "/api/v1/selections/allowed"),
        (.put, "/api/v1/selections/allowed"),
        (.get, "/api/v1/catalog"), (.get, "/api/v1/devices"), (.patch, "/api/v1/devices"),
        (.get, "/api/v1/people"),
        (.post, "/api/v1/people"), (.patch, "/api/v1/people/1"), (.delete, "/api/v1/people/1"),
        (.get, "/api/v1/export"), (.get, "/api/v1/selections/restricted"), (.get, "/api/v1/windows"),
        (.put, "/api/v1/windows"), (.post, "/api/v1/override"), (.get, "/api/v1/limits"),
        (.put, "/api/v1/limits"), (.post, "/api/v1/probations"), (.get, "/api/v1/usage"),
        (.get, "/api/v1/selections/productive"), (.put, "/api/v1/selections/productive"),
        (.post, "/api/verification/ios/upload"), (.patch, "/api/verification/ios/connection"),
        (.get, "/api/v1/focus"), (.post, "/api/v1/focus"), (.post, "/api/v1/focus/pause"),
        (.post, "/api/v1/focus/resume"), (.post, "/api/v1/focus/stop"), (.get, "/api/v1/focus/sessions"),
        (.get, "/api/v1/log"),
    ]

    @Test("SI-071: before set-up everything but the gate leads to it")
    func beforeSetup() async throws {
        try await TestHouse(isSetUp: false).visit { guest in
            for path in Self.pages + Self.ownDevices + [
                "/help", "/events", "/home-screen", "/login", "/nowhere",
            ] {
                let response = try await guest.get(path)
                #expect(response.status == .seeOther, "\(path)")
                #expect(response.location == "/", "\(path)")
            }
            for path in Self.forms + ["/help", "/devices/enroll", "/login"] {
                #expect(try await guest.post(path).location == "/", "\(path)")
            }
            for (method, path) in Self.programs {
                let response = try await guest.json(method, path)
                #expect(response.status == .unauthorized, "\(path)")
                #expect(response.object["code"] as? String == "unauthorized", "\(path)")
            }
            for path in [
                "/", "/setup", "/healthz", "/manifest.webmanifest", "/assets/base.css", "/robots.txt",
            ] {
                #expect(try await guest.get(path).status == .ok, "\(path)")
            }
            let gate = try await guest.get("/")
            #expect(gate.text.contains("Grant Access"))
        }
    }

    @Test("Without a login pages lead to it and back, forms change nothing, programs get 401")
    func signedOut() async throws {
        let house = try TestHouse()
        try house.start()
        let before = house.store.household
        try await house.visit { guest in
            for path in Self.pages {
                #expect(try await guest.get(path).location == "/login?next=\(path)", "\(path)")
                let script = try await guest.with(.accept, "application/json").get(path)
                #expect(script.status == .unauthorized, "\(path)")
            }
            #expect(try await guest.get("/").location == "/login")
            for path in Self.forms {
                let response = try await guest.post(path, [("confirm", "reset"), ("durationMinutes", "30")])
                #expect(response.location == "/login", "\(path)")
            }
            for (method, path) in Self.programs {
                let response = try await guest.json(method, path, "{}")
                #expect(response.status == .unauthorized, "\(path)")
                #expect(response.headers[.contentType] == "application/problem+json", "\(path)")
                #expect(response.object["code"] as? String == "unauthorized", "\(path)")
            }
        }
        #expect(house.store.household == before)
    }

    @Test("Without a login an enrolled device sees its own countdown; a stranger and others' persons do not")
    func ownDevice() async throws {
        let people = [
            Person(id: PersonID(rawValue: 1), name: "Me"), Person(id: PersonID(rawValue: 2), name: "Ana"),
        ]
        let house = try TestHouse(people: people)
        try house.start()
        try await house.visit { guest in
            for path in Self.ownDevices {
                #expect(try await guest.get(path).status == .ok, "\(path)")
                #expect(try await guest.at(TestHouse.stranger).get(path).status == .seeOther, "\(path)")
            }
            #expect(try await guest.get("/kiosk?person=1").status == .ok)
            #expect(try await guest.get("/kiosk?person=2").status == .seeOther)
            #expect(try await guest.at(TestHouse.stranger).get("/help").status == .ok)
            let kiosk = try await guest.get("/kiosk")
            #expect(!kiosk.text.contains("Ana"))
            #expect(!kiosk.text.contains("csrf"))
        }
    }

    @Test("Signed in, every page is there")
    func signedIn() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for path in Self.pages + ["/", "/kiosk", "/help", "/home-screen"] where path != "/settings/backup"
            {
                let response = try await owner.get(path)
                #expect(response.status == .ok, "\(path)")
                #expect(response.headers[.contentType] == "text/html; charset=utf-8", "\(path)")
                #expect(response.headers[.cacheControl] == "no-store", "\(path)")
                #expect(try await owner.get(path, method: .head).body.readableBytes == 0, "\(path)")
                #expect(try await owner.get(path, method: .head).status == .ok, "\(path)")
            }
            #expect(try await owner.get("/nowhere").status == .notFound)
            #expect(try await owner.get("/session?person=99").status == .notFound)
            #expect(try await owner.get("/session?person=x").status == .notFound)
        }
    }

    @Test("A missing, wrong, doubled or foreign token: 403, and nothing changes")
    func formTokens() async throws {
        let house = try TestHouse()
        try house.start()
        let before = house.store.household
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let other = try guest.signedIn().csrf ?? ""
            for path in Self.forms + ["/devices/enroll", "/logout"] {
                let fields = [("confirm", "reset"), ("durationMinutes", "30"), ("strictness", "strict")]
                #expect(try await owner.post(path, fields, csrf: .some(nil)).status == .forbidden, "\(path)")
                #expect(try await owner.post(path, fields, csrf: "x").status == .forbidden, "\(path)")
                #expect(try await owner.post(path, fields, csrf: other).status == .forbidden, "\(path)")
                let doubled = try await owner.post(path, fields + [("csrf", owner.csrf ?? "")])
                #expect(doubled.status == .forbidden, "\(path)")
            }
        }
        #expect(house.store.household == before)
    }

    @Test("What another site makes a browser send: 403")
    func origins() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for origin in [
                "http://evil.example", "null", "http://localhost.evil.example", "http://localhost:81",
            ] {
                #expect(try await owner.with(.origin, origin).post("/session/keep").status == .forbidden)
            }
            for site in ["cross-site", "same-site"] {
                let response = try await owner.with(.init("Sec-Fetch-Site")!, site).post("/help")
                #expect(response.status == .forbidden)
            }
            for origin in ["http://localhost", "http://localhost:80", "https://localhost"] {
                let response = try await owner.with(.origin, origin).post("/session/keep")
                #expect(response.status == .conflict)
            }
        }
    }

    @Test("Other people's Hosts: 421, whatever they ask for")
    func hosts() async throws {
        try await TestHouse().visit { guest in
            let owner = try guest.signedIn()
            for host in ["tiktok.com", "sleep.home.arpa.evil.example", ""] {
                for path in ["/", "/settings", "/api/v1/state", "/assets/base.css", "/nowhere"] {
                    let response = try await owner.with(.testHost, host).get(path)
                    #expect(response.status == .misdirectedRequest, "\(host)\(path)")
                    #expect(!response.text.contains("csrf"))
                }
            }
            let absolute = try await owner.get("http://tiktok.com/settings")
            #expect(absolute.status == .misdirectedRequest)
            #expect(try await owner.get("http://localhost:8600/settings").status == .ok)
            let doubled = try await owner.with(.init("Host")!, "tiktok.com").get("/settings")
            #expect(doubled.status == .badRequest)
        }
    }

    @Test("An address that is there takes its own methods: 405 with what it takes")
    func methods() async throws {
        try await TestHouse().visit { guest in
            let owner = try guest.signedIn()
            for (method, path, allow) in [
                (HTTPRequest.Method.delete, "/session", "GET, HEAD, POST"), (.get, "/session/cancel", "POST"),
                (.post, "/kiosk", "GET, HEAD"), (.get, "/devices/1", "POST"),
                (.put, "/assets/base.css", "GET, HEAD"),
                (.delete, "/api/v1/schedule", "GET, HEAD, PUT"), (.get, "/api/v1/reset", "POST"),
                (.head, "/logout", "POST"), (HTTPRequest.Method("PURGE")!, "/", "GET, HEAD"),
            ] {
                let response = try await owner.json(method, path)
                #expect(response.status == .methodNotAllowed, "\(method) \(path)")
                #expect(response.headers[.allow] == allow, "\(method) \(path)")
            }
        }
    }

    @Test("Every answer carries the security headers, errors too")
    func headers() async throws {
        try await TestHouse().visit { guest in
            for path in ["/login", "/nowhere", "/api/v1/state", "/healthz", "/assets/base.css", "/session"] {
                let headers = try await guest.get(path).headers
                let policy = headers[.contentSecurityPolicy] ?? ""
                #expect(
                    policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"), "\(path)")
                #expect(!policy.contains("unsafe"), "\(path)")
                #expect(headers[.xContentTypeOptions] == "nosniff", "\(path)")
                #expect(headers[.init("Referrer-Policy")!] == "same-origin", "\(path)")
                #expect(headers[.strictTransportSecurity] == nil, "\(path)")
            }
        }
    }

    @Test(
        "A body that is no HTTP: 400; one that ends too early: 408, once", .timeLimit(.minutes(1)),
        arguments: [true, false])
    func brokenBodies(_ isChunked: Bool) async throws {
        let live = try await LiveHouse(TestHouse())
        let head =
            "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        let rest =
            isChunked ? "Transfer-Encoding: chunked\r\n\r\nzz\r\n" : "Content-Length: 50\r\n\r\npasscode=a"
        let wire = try await live.request(head + rest)
        if !isChunked { try await wire.channel.withLock { $0 }?.close(mode: .output) }
        await wire.untilClosed()
        #expect(wire.text.hasPrefix(isChunked ? "HTTP/1.1 400" : "HTTP/1.1 408"))
        #expect(wire.text.split(separator: "HTTP/1.1 ").count == 1)
        try await live.stop()
    }

    @Test("10 MB are refused with 413, an odd type with 415, broken escapes with 400")
    func bodies() async throws {
        try await TestHouse().visit { guest in
            let owner = try guest.signedIn()
            let large = String(repeating: "a=1&", count: 2_500_000)
            #expect(try await owner.postRaw("/session", large).status == .contentTooLarge)
            #expect(try await guest.postRaw("/login", large).status == .contentTooLarge)
            #expect(
                try await owner.postRaw("/session", "{}", type: "application/json").status
                    == .unsupportedMediaType)
            #expect(
                try await owner.postRaw("/session", "a=1", type: "multipart/form-data").status
                    == .unsupportedMediaType)
            for junk in ["!!", "1.2.3.4", "a..b"] {
                let response = try await owner.get("/shield?name=\(junk)")
                #expect(response.status == .unprocessableContent, "\(junk)")
                #expect(response.text.contains("Not quite"), "\(junk)")
            }
            for body in ["a=%zz", "a=%ff", "a=%00"] {
                #expect(try await owner.postRaw("/session", body).status == .badRequest, "\(body)")
            }
        }
    }
}
