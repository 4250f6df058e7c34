import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Policy
import Synchronization
import Testing

@testable import Shield

/// The buttons of a limit's shield, over real sockets (TH-015, T-06, A-02).
@Suite(.timeLimit(.minutes(1))) struct PressTests {
    private let group = MultiThreadedEventLoopGroup.singleton
    private let house = TestHouse()

    /// Opens a door, runs the test, closes it.
    private func atTheDoor(
        limits: DoorLimits = DoorLimits(), _ test: (Guest) async throws -> Void
    ) async throws {
        house.state.withLock { $0.limit = usedUp }
        let door = FrontDoor(
            configuration: DoorConfiguration(httpPort: 0, httpsPort: nil, ownNames: ownNames, limits: limits),
            facts: house.facts, eventLoopGroup: group, logger: Logger(label: "test"),
            dashboard: { channel, _, _ in channel.eventLoop.makeFailedFuture(ChannelError.eof) })
        let address = try #require(await door.start(addresses: ["127.0.0.1"]).opened.first)
        try await test(Guest(group: group, address: address, house: house))
        await door.stop(within: .milliseconds(100))
    }

    struct Guest {
        let group: any EventLoopGroup
        let address: SocketAddress
        let house: TestHouse

        /// The seals of a newly loaded page.
        func seals(_ host: String = "tiktok.com", path: String = "/video?id=1") async throws -> ActionSeals {
            let caller = try await Caller(group, to: address)
            caller.say("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
            _ = try await caller.hearAll()
            return try #require(house.shown.withLock { $0?.seals })
        }

        /// The complete answer to one press.
        func press(
            _ action: String, _ body: String, host: String = "tiktok.com", method: String = "POST",
            type: String = "application/x-www-form-urlencoded", headers: String = ""
        ) async throws -> String {
            let caller = try await Caller(group, to: address)
            caller.say(
                "\(method) /.sleep-inducer/\(action) HTTP/1.1\r\nHost: \(host)\r\nContent-Type: \(type)\r\n"
                    + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\(headers)\r\n\(body)")
            return try await caller.hearAll()
        }

        func form(_ seals: ActionSeals, _ seal: String, path: String? = "/video?id=1") -> String {
            let back = path.map {
                "&path=\($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!)"
            }
            return "app=\(seals.app)&expires=\(seals.expires)&seal=\(seal)\(back ?? "")"
        }

        var pressed: [String] { house.pressed.withLock { $0 } }
    }

    @Test("Unlock: done once, then 303 back to the page's own path, on a connection that ends")
    func unlock() async throws {
        try await atTheDoor { guest in
            let seals = try await guest.seals()
            let answer = try await guest.press("unlock", guest.form(seals, seals.unlock))
            #expect(answer.hasPrefix("HTTP/1.1 303 See Other\r\n"))
            #expect(answer.contains("location: /video?id=1\r\n"))
            #expect(answer.contains("connection: close\r\n"))
            #expect(answer.contains("cache-control: no-store\r\n"))
            #expect(!answer.lowercased().contains("set-cookie"))
            #expect(guest.pressed == ["unlock 127.0.0.1 tiktok.com"])
        }
    }

    @Test("Done leads to the farewell, ask back; none leads to another Host")
    func others() async throws {
        try await atTheDoor { guest in
            let seals = try await guest.seals()
            let done = try await guest.press("done", guest.form(seals, seals.done, path: nil))
            #expect(done.contains("location: /.sleep-inducer/left?start=1780000000&shown=1780000000&seal="))
            let ask = try await guest.press("ask", guest.form(seals, seals.ask, path: "//evil.example"))
            #expect(ask.contains("location: /\r\n"))
            #expect(guest.pressed == ["done 127.0.0.1 tiktok.com", "ask 127.0.0.1 tiktok.com"])
        }
    }

    @Test(
        "The farewell leads to a timer of a quarter of an hour; \"Well done\" comes when it is over, or after a minute"
    )
    func timer() async throws {
        try await atTheDoor { guest in
            let seals = try await guest.seals()
            let pressed = try await guest.press("done", guest.form(seals, seals.done))
            let link = try #require(pressed.firstMatch(of: /location: \/\.sleep-inducer\/left(\S+)/)).1
            func page(_ name: String, _ query: String? = nil) async throws -> String {
                try await guest.press(name + (query ?? String(link)), "", method: "GET")
            }
            #expect(try await page("left").hasSuffix("<h1>left</h1>"))
            #expect(
                house.shown.withLock { $0?.doing?.start.hasPrefix("/.sleep-inducer/doing?start=1780000000&") }
                    == true)
            func doing() -> Doing? { house.shown.withLock { $0?.doing } }
            for (passed, early) in [(0.0, true), (59, true), (1, false), (839, false)] {
                house.pass(passed)
                let timer = try await page("doing")
                #expect(timer.hasPrefix("HTTP/1.1 200 OK\r\n") && !timer.contains("wellDone"))
                #expect(doing()?.timer.start == Date(timeIntervalSince1970: 1_780_000_000))
                #expect(doing()?.done.hasPrefix("/.sleep-inducer/done?start=1780000000&") == true)
                #expect(house.shown.withLock { $0?.path } == "/video?id=1")
                #expect(try await page("done").contains("wellDone") != early)
                #expect(doing()?.isTooSoon == true)
            }
            house.pass(1)
            #expect(try await page("doing").hasSuffix("<h1>wellDone</h1>"))
            // No link of ours: another start, another Host, a button's seal, none at all.
            for query in [link.replacing("start=1780000000", with: "start=1779999000"), "?", ""] {
                for name in ["left", "doing", "done"] {
                    #expect(try await page(name, String(query)).hasPrefix("HTTP/1.1 403"), "\(name) \(query)")
                }
            }
            let elsewhere = try await guest.press("done\(link)", "", host: "9gag.com", method: "GET")
            #expect(elsewhere.hasSuffix("<h1>staleForm</h1>"))
            let forged = "?start=\(seals.expires - 600)&shown=\(seals.expires - 600)&seal=\(seals.done)"
            #expect(try await page("doing", forged).hasPrefix("HTTP/1.1 403"))
            #expect(guest.pressed == ["done 127.0.0.1 tiktok.com"])
        }
    }

    @Test("A reason goes along with a question; one that is refused comes back with the page")
    func reasons() async throws {
        try await atTheDoor { guest in
            let seals = try await guest.seals()
            house.state.withLock { $0.outcome = .refusedReason("Too long.") }
            let answer = try await guest.press("ask", guest.form(seals, seals.ask) + "&reason=Home+work%21")
            #expect(answer.hasPrefix("HTTP/1.1 422"))
            let page = house.shown.withLock { $0 }
            #expect(page?.reason == "Home work!" && page?.reasonError == "Too long.")
            #expect(page?.seals != nil && page?.path == "/video?id=1")
        }
    }

    @Test(
        "A seal for another button, Host, device or person, and a forged one: 403, and nothing is done"
    )
    func foreignSeals() async throws {
        try await atTheDoor { guest in
            let seals = try await guest.seals()
            let form = guest.form(seals, seals.unlock)
            func refused(_ answer: String) {
                #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.hasSuffix("<h1>staleForm</h1>"))
            }
            refused(try await guest.press("ask", form))
            refused(try await guest.press("unlock", form, host: "www.tiktok.com"))
            refused(try await guest.press("unlock", form.replacing("app=tiktok", with: "app=youtube")))
            let made = String(repeating: "0", count: 64)
            refused(try await guest.press("unlock", guest.form(seals, made)))
            house.state.withLock { $0.device = DeviceID(rawValue: 2) }
            refused(try await guest.press("unlock", form))
            house.state.withLock { ($0.device, $0.person) = (nil, PersonID(rawValue: 2)) }
            refused(try await guest.press("unlock", form))
            house.state.withLock { $0.person = PersonID(rawValue: 1) }
            house.pass(600)
            refused(try await guest.press("unlock", form))
            #expect(guest.pressed == [])
        }
    }

    @Test("A device keeps its seal when it comes from its other address")
    func sameDevice() async throws {
        try await atTheDoor { guest in
            house.state.withLock { $0.device = DeviceID(rawValue: 7) }
            let seals = try await guest.seals()
            let here = ShieldContext(
                name: "tiktok.com", address: "fd00::7", verdict: house.facts.verdict("fd00::7", "tiktok.com"),
                now: house.facts.now(), origin: "")
            let claim = here.claim(app: "tiktok", action: .unlock, expires: seals.expires)
            #expect(ActionSeal(key: house.facts.key).isGenuine(seals.unlock, of: claim, at: here.now))
        }
    }

    @Test("Posts from other sites")
    func otherSites() async throws {
        try await atTheDoor { guest in
            let seals = try await guest.seals()
            let form = guest.form(seals, seals.unlock)
            for field in ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
                let answer = try await guest.press("unlock", form, headers: field + "\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.hasSuffix("<h1>otherSite</h1>"))
            }
            let own = try await guest.press("unlock", form, headers: "Origin: http://tiktok.com\r\n")
            #expect(own.hasPrefix("HTTP/1.1 303 "))
            #expect(guest.pressed.count == 1)
        }
    }

    @Test("Bodies that no page of ours sends: 400, 413, 415")
    func hostileBodies() async throws {
        try await atTheDoor { guest in
            for body in ["", "a", "app=%", "app=<script>&expires=1", String(repeating: "&", count: 4_000)] {
                #expect(try await guest.press("unlock", body).hasPrefix("HTTP/1.1 400 "))
            }
            let big = try await guest.press("unlock", "app=" + String(repeating: "a", count: 8_189))
            #expect(big.hasPrefix("HTTP/1.1 413 "))
            let chunked = try await guest.press(
                "unlock", "", headers: "Transfer-Encoding: chunked\r\n")
            #expect(chunked.hasPrefix("HTTP/1.1 4"))
            #expect(
                try await guest.press("unlock", "{}", type: "application/json").hasPrefix("HTTP/1.1 415 "))
            #expect(
                try await guest.press("unlock", "a=b", type: "text/plain").hasSuffix(
                    "<h1>unreadableForm</h1>"))
            let seals = try await guest.seals()
            let late = try await guest.press(
                "unlock", guest.form(seals, seals.unlock), headers: "Expect: 100-continue\r\n")
            #expect(late.hasPrefix("HTTP/1.1 413 "))
            #expect(guest.pressed == [])
        }
    }

    @Test("A second press on an open name: back to the page, and nothing is done twice")
    func pressedTwice() async throws {
        try await atTheDoor { guest in
            let seals = try await guest.seals()
            house.state.withLock { _ = $0.open.insert("tiktok.com") }
            let answer = try await guest.press("unlock", guest.form(seals, seals.unlock))
            #expect(answer.hasPrefix("HTTP/1.1 303 "))
            house.state.withLock { ($0.open, $0.limit) = ([], nil) }
            #expect(
                try await guest.press("unlock", guest.form(seals, seals.unlock)).hasPrefix("HTTP/1.1 303 "))
            #expect(guest.pressed == [])
        }
    }

    @Test("A refusal by the household or the disk is told in words")
    func outcomes() async throws {
        try await atTheDoor { guest in
            let seals = try await guest.seals()
            house.state.withLock { $0.outcome = .refused("Used up.") }
            let refused = try await guest.press("unlock", guest.form(seals, seals.unlock))
            #expect(refused.hasPrefix("HTTP/1.1 409 ") && refused.contains("Used up."))
            house.state.withLock { $0.outcome = .unsaved }
            let unsaved = try await guest.press("done", guest.form(seals, seals.done))
            #expect(unsaved.hasPrefix("HTTP/1.1 503 ") && unsaved.hasSuffix("<h1>unsaved</h1>"))
        }
    }

    @Test("A flood of presses from one address waits")
    func flood() async throws {
        var limits = DoorLimits()
        limits.actionsPerTenSeconds = 2
        try await atTheDoor(limits: limits) { guest in
            let seals = try await guest.seals()
            let caller = try await Caller(group, to: guest.address)
            let body = guest.form(seals, seals.done, path: nil)
            // A connection stays on one event loop. The answer to an accepted press ends it, so these presses are
            // refused.
            house.state.withLock { $0.outcome = .refused("No.") }
            for _ in 0..<8 {
                caller.say(
                    "POST /.sleep-inducer/done HTTP/1.1\r\nHost: tiktok.com\r\n"
                        + "Content-Type: application/x-www-form-urlencoded\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
            let answer = try await caller.hear("HTTP/1.1 429 ")
            #expect(answer.contains("HTTP/1.1 409 "))
            #expect(guest.pressed.count <= 4)
        }
    }

    @Test("A request that waits for a name learns where it leads")
    func here() async throws {
        try await atTheDoor { guest in
            #expect(try await guest.press("here", "", method: "GET").hasPrefix("HTTP/1.1 403 "))
            house.state.withLock { _ = $0.open.insert("tiktok.com") }
            let open = try await guest.press("here", "", method: "HEAD")
            #expect(open.hasPrefix("HTTP/1.1 204 ") && open.contains("connection: close"))
            let page = try await guest.press("../", "", method: "GET")
            #expect(page.hasPrefix("HTTP/1.1 404 "))
        }
    }
}
