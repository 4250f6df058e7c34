import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// T-18: the webhooks, on the page and over the API.
@Suite struct WebhooksTests {
    private static let url = "http://192.168.1.20:8123/api/webhook/x"

    @Test(
        "Nobody sees or changes them without a login, or with a login and without its token",
        arguments: ["/webhooks", "/webhooks/6F9619FF-8B86-D011-B42D-00C04FC964FF/delete"])
    func login(path: String) async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            #expect(try await guest.get("/webhooks").status == .seeOther)
            #expect(
                try await guest.post(path, [("url", Self.url), ("event", "sleep.ended")]).status == .seeOther)
            let owner = try guest.signedIn()
            #expect(try await owner.post(path, [("url", Self.url)], csrf: "wrong").status == .forbidden)
        }
        #expect(house.store.webhooks.isEmpty)
    }

    @Test("Added with its secret shown this once, tested, removed, and had back")
    func walk() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/settings").text.contains(#"href="/webhooks""#))
            #expect(try await owner.get("/webhooks").text.contains("There are no webhooks."))
            let added = try await owner.post(
                "/webhooks", [("url", " \(Self.url) "), ("event", "sleep.ended"), ("event", "limit.reached")])
            #expect(added.status == .ok && added.text.contains("whsec_"))
            let hook = try #require(house.store.webhooks.first)
            #expect(hook.events == [.sleepEnded, .limitReached] && hook.person == nil)
            #expect(hook.address.url == Self.url && hook.since == house.clock.now)
            let page = try await owner.get("/webhooks").text
            #expect(!page.contains("whsec_") && page.contains("Nothing was sent from here yet."))
            #expect(page.contains("The whole home: Sleep ends, A limit is reached"))

            let test = try await owner.post("/webhooks/\(hook.id)/test")
            #expect(test.location == "/webhooks?done=sent")
            #expect(try await owner.get("/webhooks").text.contains("1 message is waiting."))
            let letter = try #require(house.store.takeLetters(at: house.clock.now).first?.letter)
            #expect(letter.event == "webhook.test")
            house.store.settle(letter, .init(at: house.clock.now, outcome: .failed(.unreachable)))
            #expect(
                try await owner.get("/webhooks").text.contains(
                    "Last attempt today at 20:00: could not be reached"))
            let again = try #require(house.store.takeLetters(at: house.clock.now + 5).first?.letter)
            house.store.settle(again, .init(at: house.clock.now + 180, outcome: .answered(204)))
            #expect(try await owner.get("/webhooks").text.contains("Last sent today at 20:03: answered 204"))

            let removed = try await owner.post("/webhooks/\(hook.id)/delete")
            #expect(removed.location == "/webhooks?removed=\(hook.id)")
            let offer = try await owner.get("/webhooks?removed=\(hook.id)").text
            #expect(
                offer.contains("/webhooks/\(hook.id)/restore") && offer.contains("There are no webhooks."))
            #expect(try await owner.post("/webhooks/\(hook.id)/restore").location == "/webhooks")
            #expect(house.store.webhooks.map(\.id) == [hook.id])
            #expect(house.store.webhookSecret(of: hook.id) != nil)
            #expect(try await !owner.get("/webhooks?removed=\(hook.id)").text.contains("Undo"))
            for path in ["delete", "test", "restore"] {
                let answer = try await owner.post("/webhooks/\(UUID())/\(path)")
                #expect(answer.status == .conflict, "\(path)")
                #expect(try await owner.post("/webhooks/x/\(path)").status == .notFound)
            }
        }
    }

    @Test(
        "What cannot be used comes back as it was typed, with the reason beside it",
        arguments: [
            (["url": "http://192.168.1.2/<a>", "event": "sleep.ended"], "leads back to this machine"),
            (["url": "http://sleep.home.arpa/", "event": "sleep.ended"], "leads back to this machine"),
            (["url": "http://pi.local/", "event": "sleep.ended"], "leads back to this machine"),
            (["url": "http://203.0.113.7/<a>", "event": "sleep.ended"], "needs https"),
            (["url": "<a>", "event": "sleep.ended"], "This is not a web address."),
            (["event": "sleep.ended"], "This is not a web address."),
            (["url": url], "Choose at least one event."),
            (["url": url, "event": "<a>"], "Choose at least one event."),
            (["url": url, "event": "sleep.ended", "whose": "9"], "This person is no longer here."),
            (["url": url, "event": "sleep.ended", "whose": "<a>"], "This person is no longer here."),
            (["url": url, "event": "sleep.ended", "x": "y"], "no field called"),
        ])
    func refused(fields: [String: String], reason: String) async throws {
        let people = [
            Person(id: PersonID(rawValue: 1), name: "Me"), Person(id: PersonID(rawValue: 2), name: "Ada"),
        ]
        let house = try TestHouse(people: people, ownAddresses: ["192.168.1.2", "fe80::1%eth0"])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let answer = try await owner.post("/webhooks", fields.map { ($0, $1) })
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains(reason))
            let typed = (fields["url"] ?? "").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            #expect(answer.text.contains(#"name="url" value="\#(typed)""#))
            #expect(!answer.text.contains("<a>") && !answer.text.contains("whsec_"))
        }
        #expect(house.store.webhooks.isEmpty)
    }

    @Test("Of one person, chosen by whose it is")
    func whose() async throws {
        let people = [
            Person(id: PersonID(rawValue: 1), name: "Me"), Person(id: PersonID(rawValue: 2), name: "Ada"),
        ]
        let house = try TestHouse(people: people)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post(
                "/webhooks", [("url", Self.url), ("whose", "2"), ("event", "focus.started")])
            #expect(try await owner.get("/webhooks").text.contains("Ada: Focus starts"))
        }
        #expect(house.store.webhooks.map(\.person) == [PersonID(rawValue: 2)])
    }

    @Test("The API adds, lists and removes; the secret is in the first answer only")
    func api() async throws {
        let house = try TestHouse()
        let token = try house.store.createToken(name: "test", at: house.clock.now)
        try await house.visit { guest in
            #expect(try await guest.get("/api/v1/webhooks").status == .unauthorized)
            let program = guest.with(.authorization, "Bearer \(token)")
            let added = try await program.json(
                .post, "/api/v1/webhooks", #"{"url":"\#(Self.url)","events":["sleep.started"],"person":1}"#)
            #expect(added.status == .created)
            let id = try #require(added.object["id"] as? String)
            #expect((added.object["secret"] as? String)?.hasPrefix("whsec_") == true)
            let list = try await program.get("/api/v1/webhooks").text
            #expect(list.contains(id) && !list.contains("whsec_") && list.contains(#""latest":null"#))
            for (body, code, member) in [
                (#"{"url":"http://127.0.0.1/","events":["sleep.started"]}"#, "webhook-leads-here", "url"),
                (#"{"url":"\#(Self.url)","events":[]}"#, "invalid-input", "events"),
                (#"{"url":"\#(Self.url)","events":["x"]}"#, "invalid-input", "events"),
                (#"{"url":5,"events":["sleep.started"]}"#, "invalid-input", "url"),
                (#"{"url":"\#(Self.url)","events":["sleep.started"],"person":9}"#, "unknown-person", nil),
                (#"{"url":"\#(Self.url)","events":["sleep.started"],"x":1}"#, "invalid-input", "x"),
            ] {
                let answer = try await program.json(.post, "/api/v1/webhooks", body)
                #expect(answer.object["code"] as? String == code, "\(body)")
                if let member { #expect((answer.object["errors"] as? [String: String])?[member] != nil) }
            }
            #expect(try await program.json(.delete, "/api/v1/webhooks/\(id)").status == .noContent)
            let gone = try await program.json(.delete, "/api/v1/webhooks/\(id)")
            #expect(gone.status == .notFound && gone.object["code"] as? String == "unknown-webhook")
            #expect(try await program.json(.delete, "/api/v1/webhooks/x").status == .notFound)
        }
        #expect(house.store.webhooks.isEmpty)
    }
}
