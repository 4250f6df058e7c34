import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@testable import Dashboard

/// `/notices`: notices by ntfy, without a word about webhooks.
@Suite struct PhoneNoticesTests {
    @Test("One press makes a topic that nobody can guess, with requests and what needs attention")
    func makes() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let empty = try await owner.get("/notices").text
            for (about, isTicked) in [
                ("requests", true), ("attention", true), ("leaving", false), ("nights", false),
            ] {
                #expect(empty.contains("value=\"\(about)\"\(isTicked ? " checked" : "")>"), "\(about)")
            }
            let fields = [("server", ""), ("about", "requests"), ("about", "attention")]
            let made = try await owner.post("/notices", fields)
            let webhook = try #require(house.store.webhooks.first)
            let id = webhook.id.uuidString
            #expect(made.location == "/notices?made=\(id)#topic-\(id)")
            #expect(webhook.form == .ntfy && webhook.person == nil)
            #expect(webhook.events == [.extraTimeAsked, .wishAsked, .noticeRaised, .noticeCleared])
            let url = webhook.address.url
            #expect(url.wholeMatch(of: /https:\/\/ntfy\.sh\/sleep-[a-z0-9]{20}/) != nil)
            let page = try await owner.get("/notices?made=\(id)").text
            #expect(page.contains("<details open>") && page.contains("QR code for \(url)"))
            #expect(page.contains("href=\"\(url)\"") && page.contains("href=\"ntfy://\(url.dropFirst(8))\""))
            _ = try await owner.post("/notices", fields)
            #expect(Set(house.store.webhooks.map(\.address.url)).count == 2, "each phone has its own")
        }
    }

    @Test("Nothing on the page is for programs: no secret, no event's code")
    func isPlain() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/notices", PhoneNotice.allCases.map { ("about", $0.rawValue) })
            let page = try await owner.get("/notices").text
            for word in ["secret", "whsec", "Webhook"] + WebhookEvent.Kind.allCases.map(\.rawValue) {
                #expect(!page.contains(word), "\(word)")
            }
            let topic = [("url", "https://ntfy.sh/abc"), ("form", "ntfy"), ("event", "wish.asked")]
            let added = try await owner.post("/webhooks", topic)
            #expect(added.location == "/webhooks?done=added", "no secret is shown for a topic")
        }
    }

    @Test("A server at home, over HTTP too; what cannot be used is said beside its field")
    func atHome() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fields = [("about", "requests"), ("server", " http://192.168.1.20:2586/ ")]
            #expect(try await owner.post("/notices", fields).status == .seeOther)
            let url = try #require(house.store.webhooks.first).address.url
            #expect(url.wholeMatch(of: /http:\/\/192\.168\.1\.20:2586\/sleep-[a-z0-9]{20}/) != nil)
            let page = try await owner.get("/notices").text
            #expect(page.contains("href=\"ntfy://\(url.dropFirst(7))?secure=false\""))
            for server in [
                "http://9.9.9.9", "ntfy", "https://ntfy.sh/?a=b", "https://ntfy.sh/#a", "http://localhost",
            ] {
                let refused = try await owner.post("/notices", [("about", "requests"), ("server", server)])
                #expect(refused.status == .unprocessableContent, "\(server)")
                #expect(
                    refused.text.contains("id=\"server-error\"")
                        && refused.text.contains("value=\"\(server)\""))
            }
            for about in [[], [("about", "wish.asked")]] {
                let refused = try await owner.post("/notices", about + [("server", "")])
                #expect(
                    refused.status == .unprocessableContent && refused.text.contains("id=\"about-error\""))
            }
        }
    }

    @Test("A test, Remove and Undo lead back to the page, not to the webhooks")
    func leadsBack() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/notices", [("about", "requests")])
            let webhook = try #require(house.store.webhooks.first)
            let (id, from) = (webhook.id.uuidString, [("from", "notices")])
            #expect(try await owner.post("/webhooks/\(id)/test", from).location == "/notices?done=sent")
            #expect(house.store.waitingLetters(of: webhook.id) == 1)
            let removed = try await owner.post("/webhooks/\(id)/delete", from)
            #expect(removed.location == "/notices?removed=\(id)")
            #expect(try await owner.get("/notices?removed=\(id)").text.contains("/webhooks/\(id)/restore"))
            #expect(try await owner.post("/webhooks/\(id)/restore", from).location == "/notices")
            #expect(house.store.webhooks == [webhook])
            #expect(try await guest.get("/notices").location?.hasPrefix("/login") == true)
        }
    }
}
