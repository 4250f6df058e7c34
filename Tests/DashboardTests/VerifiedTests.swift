import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Synchronization
import Testing

/// The three tabs: Setup, Selection, Yesterday (DD-016 to DD-037).
@Suite struct VerifiedTests {
    /// Keeps the courier's letters, and chooses their answer.
    private final class Post: Sendable {
        let letters = Mutex<[Courier.Letter]>([])
        let answer: Mutex<Courier.Outcome>

        init(_ answer: Courier.Outcome = .failed("The server cannot be reached.")) {
            self.answer = Mutex(answer)
        }

        var courier: Courier {
            Courier { letter in
                self.letters.withLock { $0.append(letter) }
                return self.answer.withLock { $0 }
            }
        }
    }

    private static let me = PersonID(rawValue: 1)
    private static let secret = "eyJhbGciOi.secret.token"

    /// Computes as Enforcement does.
    private static func compute(_ house: TestHouse, minutes: Int) throws {
        var ledger = UsageLedger()
        let start = Int(house.clock.now.timeIntervalSince1970) / 60 - 26 * 60
        if minutes > 0 {
            let range = start...start + minutes - 1
            ledger.apply(
                UsageChange(
                    device: DeviceID(rawValue: 1), person: me, app: "tiktok", range: range, minutes: [range]))
        }
        try house.store.change {
            $0.beginComputation(at: house.clock.now)
            $0.compute(from: ledger, catalog: TestHouse.catalog, at: house.clock.now)
        }
    }

    private static func choose(_ guest: Guest) async throws {
        let saved = try await guest.post("/verified/selection", [("app", "tiktok")])
        #expect(saved.status == .seeOther)
    }

    @Test("DD-062: Setup keeps the address and the token, and never shows the token again")
    func credentials() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fresh = try await owner.get("/verified/setup")
            for label in [
                "Base URL", "Access token", ">Save<", "Request Screen Time access", "Time zone",
                "Snapshot: 0 minutes on nil", "Request: nil in nil", "Last invoked: never",
                #"Discipline Dungeon uses Screen Time to verify your selected apps/categories for "yesterday"."#,
            ] { #expect(fresh.text.contains(label), "\(label)") }
            let saved = try await owner.post(
                "/verified/credentials", [("baseURL", "https://example.org/"), ("accessToken", Self.secret)])
            #expect(saved.location == "/verified/setup?done=saved")
            for path in ["/verified/setup", "/verified/selection", "/verified/yesterday", "/settings"] {
                #expect(!(try await owner.get(path).text.contains("secret")), "\(path)")
            }
            let shown = try await owner.get("/verified/setup")
            #expect(shown.text.contains(#"value="https://example.org""#))
            #expect(shown.text.contains("A token is saved"))
            // The same address without a typed token keeps the token; another address does not get it.
            let again = try await owner.post(
                "/verified/credentials", [("baseURL", "https://example.org"), ("accessToken", "")])
            #expect(again.status == .seeOther)
            let elsewhere = try await owner.post(
                "/verified/credentials", [("baseURL", "https://evil.example"), ("accessToken", "")])
            #expect(elsewhere.status == .unprocessableContent)
            #expect(elsewhere.text.contains(Refusal.accessTokenMissing.message.htmlEscaped))
            #expect(house.me.verified.server?.base == "https://example.org")
            let forgotten = try await owner.post("/verified/forget")
            #expect(forgotten.location == "/verified/setup?done=removed")
            #expect(
                try house.store.outboundToken(of: Self.me, for: try #require(house.me.verified.server)) == nil
            )
            #expect(
                try await owner.post("/verified/credentials", [("baseURL", ""), ("accessToken", "")]).status
                    == .seeOther)
            #expect(house.me.verified.server == nil)
        }
    }

    @Test(
        "What is refused on Setup stands beside its field, with the address kept and the token not",
        arguments: [
            ("/verified/credentials", "baseURL", "ftp://example.org"),
            ("/verified/credentials", "baseURL", "\"><script>"),
            ("/verified/credentials", "accessToken", "a b"), ("/verified/time-zone", "timeZone", "Nope/Zone"),
        ])
    func refused(_ path: String, _ field: String, _ value: String) async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            var fields = [(field, value)]
            if field == "accessToken" { fields.append(("baseURL", "https://example.org")) }
            if field == "baseURL" { fields.append(("accessToken", Self.secret)) }
            let response = try await owner.post(path, fields)
            #expect(response.status == .unprocessableContent)
            #expect(response.text.contains("aria-invalid"))
            #expect(!response.text.contains("<script>") && !response.text.contains("secret"))
            #expect(try await owner.post(path, fields, csrf: "wrong").status == .forbidden)
        }
        #expect(house.me.verified == VerifiedMinutes())
    }

    @Test("DD-020, DD-024: the zone decides which day is yesterday")
    func zones() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/verified/yesterday").text.contains(#"datetime="2026-11-19""#))
            _ = try await owner.post("/verified/time-zone", [("timeZone", "Pacific/Kiritimati")])
            #expect(try await owner.get("/verified/yesterday").text.contains(#"datetime="2026-11-20""#))
            _ = try await owner.post("/verified/time-zone", [("timeZone", "")])
            #expect(house.me.verified.timeZone == nil)
        }
    }

    @Test(
        "DD-063: saved with the button; sync sends what is saved; a domain that is none is refused with the ticks kept"
    )
    func selection() async throws {
        let post = Post(.reply(status: 200, body: []))
        let house = try TestHouse(courier: post.courier)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let early = try await owner.post("/verified/sync")
            #expect(early.status == .conflict)
            #expect(early.text.contains(Refusal.nothingProductive.message))
            let saved = try await owner.post(
                "/verified/selection",
                [("app", "tiktok"), ("category", "social"), ("domain", "Example.org"), ("domain", "")])
            #expect(saved.location == "/verified/selection?done=saved")
            let page = try await owner.get("/verified/selection")
            for label in [
                "Save selection locally", "Sync selection + timezone to backend",
                "counts from when you save it",
            ] {
                #expect(page.text.contains(label), "\(label)")
            }
            let refused = try await owner.post(
                "/verified/selection", [("app", "whatsapp"), ("domain", "nodots")])
            #expect(refused.status == .unprocessableContent)
            #expect(refused.text.contains(#"value="nodots""#))
            #expect(refused.text.contains(#"value="whatsapp" checked"#))
            _ = try await owner.post(
                "/verified/credentials",
                [("baseURL", "https://example.org/x/"), ("accessToken", Self.secret)])
            #expect(try await owner.post("/verified/sync").location == "/verified/selection")
            #expect(try await owner.get("/verified/selection").text.contains("Synced today at 20:00."))
        }
        let letter = try #require(post.letters.withLock { $0.first })
        #expect(letter.method == .patch && letter.token == Self.secret)
        #expect(letter.url == "https://example.org/x/api/verification/ios/connection")
        let sent = try #require(JSONSerialization.jsonObject(with: Data(letter.body)) as? [String: Any])
        #expect(sent["enabled"] as? Bool == true && sent["timezone"] as? String == "Europe/Berlin")
        let selection = try #require(sent["selection"] as? [String: Any])
        #expect(
            selection["applicationTokenCount"] as? Int == 1 && selection["webDomainTokenCount"] as? Int == 1)
    }

    @Test(
        "DD-064: the morning: compute, the sheet, Done, upload to this server, success with status and delta")
    func morning() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let empty = try await owner.get("/verified/yesterday")
            #expect(empty.text.contains("There are no productive apps yet"))
            #expect(try await owner.post("/verified/compute").status == .conflict)
            #expect(try await owner.post("/verified/upload").status == .conflict)
            try await Self.choose(owner)
            let computing = try await owner.post("/verified/compute")
            #expect(computing.location == "/verified/yesterday?sheet=open")
            let progress = try await owner.get("/verified/yesterday?sheet=open")
            #expect(progress.text.contains("<progress"))
            #expect(progress.text.contains(#"http-equiv="refresh""#))
            #expect(house.me.verified.request?.date == CivilDate("2026-11-19"))
            try Self.compute(house, minutes: 95)
            let sheet = try await owner.get("/verified/yesterday?sheet=open")
            #expect(sheet.text.contains("<b>95</b>") && sheet.text.contains(">Done<"))
            // Done leads to the page itself; the result is there even if the sheet is closed early.
            let page = try await owner.get("/verified/yesterday")
            #expect(page.text.contains("<b>95</b>") && !page.text.contains("<dialog"))
            let upload = try await owner.post("/verified/upload", [("date", "2026-11-19")])
            #expect(upload.location == "/verified/yesterday")
            #expect(
                try await owner.get("/verified/yesterday").text.contains(
                    "Uploaded: created, +95 minutes. It went to this server."))
            _ = try await owner.post("/verified/upload", [("date", "2026-11-19")])
            #expect(
                try await owner.get("/verified/yesterday").text.contains("Uploaded: unchanged, 0 minutes."))
            let setup = try await owner.get("/verified/setup")
            #expect(setup.text.contains("Snapshot: 95 minutes on 2026-11-19"))
            #expect(setup.text.contains("Request: 2026-11-19 in Europe/Berlin"))
            #expect(setup.text.contains("Last completed: 2026-11-20 20:00:00"))
            #expect(setup.text.contains("2026-11-19: 95 minutes"))
        }
    }

    @Test("DD-037: a page left open over midnight uploads nothing of another day")
    func midnight() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            try await Self.choose(owner)
            _ = try await owner.post("/verified/compute")
            try Self.compute(house, minutes: 5)
            house.clock.advance(by: 5 * 3600)
            let late = try await owner.post("/verified/upload", [("date", "2026-11-19")])
            #expect(late.status == .conflict)
            #expect(late.text.contains("2026-11-19") && late.text.contains("Compute them again"))
            #expect(late.text.contains("not computed yet"))
            _ = try await owner.post("/verified/compute")
            try Self.compute(house, minutes: 5)
            #expect(try await owner.post("/verified/upload", [("date", "2026-11-19")]).status == .conflict)
            #expect(try await owner.post("/verified/upload", [("date", "2026-11-20")]).status == .seeOther)
        }
        #expect(try house.store.receivedUploads(of: Self.me).map(\.date) == [CivilDate("2026-11-20")])
    }

    @Test("DD-068: zero minutes come with a hint; DD-067: what does not finish says so")
    func hints() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            try await Self.choose(owner)
            _ = try await owner.post("/verified/compute")
            house.clock.advance(by: 11)
            #expect(try await owner.get("/verified/yesterday").text.contains("did not finish"))
            try Self.compute(house, minutes: 0)
            #expect(
                try await owner.get("/verified/yesterday").text.contains("Did you use these apps yesterday"))
        }
    }

    @Test(
        "Every failure of an upload is said in words, and the button tries again",
        arguments: [
            (Courier.Outcome.failed("There is no server of this name."), "There is no server of this name."),
            (.reply(status: 401, body: []), "does not accept this access token"),
            (.reply(status: 404, body: []), "No server at this address"),
            (.reply(status: 302, body: []), "redirects to another address"),
            (.reply(status: 429, body: []), "The server is busy"), (.reply(status: 503, body: []), "(503)"),
            (
                .reply(status: 422, body: Array(#"{"title":"No such <b>day</b>."}"#.utf8)),
                "No such &lt;b&gt;day&lt;/b&gt;"
            ),
        ])
    func failures(_ outcome: Courier.Outcome, _ words: String) async throws {
        let post = Post(outcome)
        let house = try TestHouse(courier: post.courier)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            try await Self.choose(owner)
            _ = try await owner.post(
                "/verified/credentials", [("baseURL", "https://example.org"), ("accessToken", Self.secret)])
            _ = try await owner.post("/verified/compute")
            try Self.compute(house, minutes: 5)
            #expect(try await owner.post("/verified/upload", [("date", "2026-11-19")]).status == .seeOther)
            let page = try await owner.get("/verified/yesterday")
            #expect(page.text.contains("Not uploaded."))
            #expect(page.text.contains(words), "\(page.text)")
            post.answer.withLock {
                $0 = .reply(
                    status: 200,
                    body: Array(#"{"date":"2026-11-19","status":"updated","deltaMinutes":-3}"#.utf8))
            }
            _ = try await owner.post("/verified/upload", [("date", "2026-11-19")])
            let done = try await owner.get("/verified/yesterday")
            #expect(
                done.text.contains("Uploaded: updated, −3 minutes.") && !done.text.contains("Not uploaded."))
        }
        #expect(
            post.letters.withLock { $0.map(\.url) }
                == Array(repeating: "https://example.org/api/verification/ios/upload", count: 2))
        #expect(try house.store.receivedUploads(of: Self.me).isEmpty, "nothing stays here")
    }

    @Test(
        "DD-058: taken without a receipt that can be read is taken; the page names the server that took it",
        arguments: [
            (200, "ok"), (201, ""), (202, "{}"), (204, ""),
            (200, #"{"date":"2026-11-19","status":"created","deltaMinutes":-9223372036854775808}"#),
            (200, #"{"date":"2026-11-18","status":"created","deltaMinutes":5}"#),
        ])
    func withoutReceipt(_ status: Int, _ body: String) async throws {
        let post = Post(.reply(status: status, body: Array(body.utf8)))
        let house = try TestHouse(courier: post.courier)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            try await Self.choose(owner)
            _ = try await owner.post(
                "/verified/credentials", [("baseURL", "https://example.org/x"), ("accessToken", Self.secret)])
            _ = try await owner.post("/verified/compute")
            try Self.compute(house, minutes: 5)
            _ = try await owner.post("/verified/upload", [("date", "2026-11-19")])
            _ = try await owner.post("/verified/sync")
            _ = try await owner.post("/verified/credentials", [("baseURL", ""), ("accessToken", "")])
            let page = try await owner.get("/verified/yesterday").text
            #expect(page.contains("Uploaded: accepted, without a receipt. It went to example.org/x."))
            #expect(page.contains("Uploads go to <bdi>this server</bdi>.") && !page.contains("Not uploaded"))
            let selection = try await owner.get("/verified/selection").text
            #expect(selection.contains("Synced today at 20:00. It went to example.org/x."))
        }
    }

    @Test("DD-071: a number never stands beside a zone that it was not computed in")
    func otherZone() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            try await Self.choose(owner)
            _ = try await owner.post("/verified/compute")
            try Self.compute(house, minutes: 95)
            // The 19th is yesterday there too, but it has other hours.
            _ = try await owner.post("/verified/time-zone", [("timeZone", "America/Los_Angeles")])
            let waiting = try await owner.get("/verified/yesterday").text
            #expect(waiting.contains("in America/Los Angeles.") && waiting.contains("Computing…"))
            #expect(!waiting.contains("<b>95</b>"))
            #expect(
                try await owner.post("/verified/upload", [("date", "2026-11-19")]).text
                    .contains(Refusal.nothingComputed.message.htmlEscaped))
            try Self.compute(house, minutes: 95)
            let anew = try await owner.get("/verified/yesterday").text
            #expect(!anew.contains("Computing…") && anew.contains("verified minutes"))
            #expect(house.me.verified.snapshot?.timezone == "America/Los_Angeles")
            #expect(house.me.verified.request?.timezone == "America/Los_Angeles")
        }
    }

    @Test("An adult's minutes are that adult's alone; without a login there is nothing")
    func privacy() async throws {
        let people = [Person(id: Self.me, name: "Me"), Person(id: PersonID(rawValue: 2), name: "Ada")]
        let house = try TestHouse(people: people)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/verified/yesterday").status == .ok)
            for path in ["/verified/yesterday?person=2"] {
                #expect(try await owner.get(path).status == .forbidden)
            }
            for path in ["/verified/compute", "/verified/upload"] {
                #expect(try await owner.post(path, [("person", "2")]).status == .forbidden)
            }
            #expect(!(try await owner.get("/verified/setup?person=2").text.contains("Diagnostics")))
            #expect(try await guest.get("/verified/yesterday").location == "/login?next=/verified/yesterday")
        }
    }
}

extension String {
    fileprivate var htmlEscaped: String {
        replacing("&", with: "&amp;").replacing("'", with: "&#39;")
    }
}
