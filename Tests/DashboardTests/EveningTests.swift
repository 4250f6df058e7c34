import Foundation
import Policy
import Store
import Testing

/// What pages say and look like in the evening only, and what home says of the day.
@Suite struct EveningTests {
    /// From the evening to 12:00 on the next day, in seconds.
    private static let toNoon: TimeInterval = 16 * 3_600

    @Test("The tagline is there in the evening, and not by day, on home and where people log in")
    func tagline() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/").text.contains("Time to wind down"))
            #expect(try await guest.get("/login").text.contains("Time to wind down"))
            house.clock.advance(by: Self.toNoon)
            #expect(try await !owner.get("/").text.contains("Time to wind down"))
            #expect(try await !guest.get("/login").text.contains("Time to wind down"))
        }
    }

    @Test(
        "Focus pages are dark in the evening, and the open timer knows from when",
        arguments: [
            "/focus", "/focus/history", "/start?minutes=25", "/widget/presets",
        ])
    func focus(path: String) async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let isDark = /<html lang="en"[^>]* data-dark>/
            #expect(try await owner.get(path).text.contains(isDark))
            #expect(try await !owner.get("/usage").text.contains(isDark), "the rest is dark by itself")
            house.clock.advance(by: Self.toNoon)
            let page = try await owner.get(path).text
            #expect(!page.contains(isDark))
            #expect(page.contains("data-dark-from=\"2026-11-21T16:00:00") == (path == "/focus"))
        }
    }

    @Test("Home has Anti-Rot and limits in one line, for those who use them")
    func today() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await !owner.get("/").text.contains("class=\"today\""))
            try house.store.change { household in
                household.people[0].limits.list = [
                    UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)
                ]
            }
            let page = try await owner.get("/").text
            #expect(page.contains("<a href=\"/limits\">Limits</a> <bdi>TikTok 0 of 30 min</bdi>"), "\(page)")
            #expect(!page.contains("<a href=\"/anti-rot\">"))
        }
    }
}
