import Foundation
import Testing

@testable import Shield

/// T-06: a button works for ten minutes, and only for the device that it was made for.
@Suite struct ActionSealTests {
    private let seal = ActionSeal(key: Data("key".utf8))
    private let now = Date(timeIntervalSince1970: 1_780_000_000)
    private let claim = ActionSeal.Claim(
        device: "device 1", person: 1, host: "tiktok.com", app: "tiktok", action: .unlock,
        expires: 1_780_000_600)

    @Test func genuine() {
        let text = seal.seal(of: claim)
        #expect(text.count == 64)
        #expect(seal.isGenuine(text, of: claim, at: now))
        #expect(seal.isGenuine(text, of: claim, at: now + 599))
    }

    @Test("Expired after ten minutes, and none lasts longer")
    func time() {
        let text = seal.seal(of: claim)
        #expect(!seal.isGenuine(text, of: claim, at: now + 600))
        #expect(!seal.isGenuine(text, of: claim, at: now - 1))
        #expect(!seal.isGenuine(text, of: claim, at: now + 1e9))
    }

    @Test("Another device, person, Host, app, action, expiry or key")
    func others() {
        let text = seal.seal(of: claim)
        let changes: [(inout ActionSeal.Claim) -> Void] = [
            { $0.device = "device 2" }, { $0.device = "address device 1" }, { $0.person = 2 },
            { $0.person = nil }, { $0.host = "www.tiktok.com" }, { $0.app = "youtube" }, { $0.action = .ask },
            { $0.action = .done }, { $0.expires -= 1 },
            // The same bytes, divided in another way.
            { ($0.host, $0.app) = ("tiktok.co", "mtiktok") }, { ($0.device, $0.person) = ("device 11", nil) },
        ]
        for change in changes {
            var other = claim
            change(&other)
            #expect(other != claim)
            #expect(!seal.isGenuine(text, of: other, at: now))
        }
        #expect(!ActionSeal(key: Data("kez".utf8)).isGenuine(text, of: claim, at: now))
    }

    @Test(
        "Texts that are not a seal",
        arguments: [
            "", "00", String(repeating: "0", count: 64), String(repeating: "g", count: 64),
            String(repeating: "é", count: 32), String(repeating: "0", count: 100_000),
        ])
    func garbage(text: String) {
        #expect(!seal.isGenuine(text, of: claim, at: now))
        let upper = seal.seal(of: claim).uppercased()
        #expect(!seal.isGenuine(upper, of: claim, at: now))
    }
}
