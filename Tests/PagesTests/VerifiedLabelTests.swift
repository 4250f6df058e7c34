import Dashboard
import Pages
import Testing

/// What the pages of Verified Minutes say, in Discipline Dungeon's words.
struct VerifiedLabelTests {
    private func html(_ name: String) throws -> String {
        let state = try #require(PageState.all.first { $0.name == name })
        return try state.html()
    }

    /// DD-017 to DD-019, DD-065, DD-066; no result yet reads as 0 and "nil".
    @Test(arguments: [
        (
            "verified-setup",
            ["Base URL", "Access token", ">Save</button>", ">Request Screen Time access</button>"]
        ),
        ("verified-setup", ["<li>Snapshot: 0 minutes on nil</li>", "<li>Request: nil in nil</li>"]),
        ("verified-setup", ["<li>Last invoked: never</li>", "<li>Last completed: never</li>"]),
        ("verified-setup-full", ["<li>Snapshot: 125 minutes on 2026-03-12</li>"]),
        ("verified-setup-full", ["<li>Request: 2026-03-12 in Europe/London</li>"]),
        ("verified-setup-full", ["<li>Last invoked: 2026-03-13 22:19:00</li>"]),
        ("verified-selection", ["Save selection locally<", "Sync selection + timezone to backend"]),
        ("verified-yesterday-empty", ["Compute yesterday minutes", "Upload yesterday"]),
        ("verified-yesterday-sheet", [">Done<"]),
    ])
    func pageSays(name: String, texts: [String]) throws {
        let html = try html(name)
        for text in texts { #expect(html.contains(text), "\(name) lacks \(text)") }
    }

    /// DD-016: Setup, Selection and Yesterday in that order, with the current one marked.
    @Test(arguments: [("verified-setup", 0), ("verified-selection", 1), ("verified-yesterday-empty", 2)])
    func tabsStandInOrder(name: String, current: Int) throws {
        let link = /<a href="\/verified\/[^"]*"( aria-current="page")?><svg.*?<span>(.*?)</
            .dotMatchesNewlines()
        let tabs = try html(name).matches(of: link)
        #expect(tabs.map { String($0.2) } == ["Setup", "Selection", "Yesterday"])
        #expect(tabs.map { $0.1 != nil } == [0, 1, 2].map { $0 == current })
    }
}
