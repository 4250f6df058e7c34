import Assets
import Dashboard
import Foundation
import Pages
import Testing

/// What the pages of the focus timer say and send, in MonoFocus's words.
struct FocusLabelTests {
    private func html(_ name: String) throws -> String {
        let state = try #require(PageState.all.first { $0.name == name })
        return try state.html()
    }

    @Test(arguments: [
        ("focus", [">Start</button>", "25:00", "<small>25m</small>", ">25m<", ">45m<", ">90m<"]),
        ("focus", ["title=\"Set preset to 45 minutes\"", "Shield distractions while focusing"]),
        ("focus", ["<h2 id=\"automation-title\">Automation</h2>", "Save Shortcut Names", "MonoFocus DND"]),
        ("focus", ["While the timer runs, the 2 apps of Anti-Rot stay shut.", "Nothing yet"]),
        ("focus-running", [">Pause</button>", "value=\"true\"", ">Stop</button>", "Ends at 22:32", "13:00"]),
        ("focus-running", ["value=\"false\"", "Stop and discard", "1h 15m in 2 sessions"]),
        ("focus-running", ["href=\"shortcuts://run-shortcut?name=MonoFocus%20DND\""]),
        ("focus-running", ["http-equiv=\"refresh\"", " disabled>25m</button>", "data-haptic=\"soft\""]),
        ("focus-paused", [">Resume</button>", ">Stop</button>", "45:00", "Paused", "Choose apps"]),
        ("focus-imported", ["20:00", "of 25m", ">Start</button>"]),
        ("focus-own-length", ["24:00:00", "value=\"1440\"", "<details class=\"own\" open"]),
        ("focus-ended", ["<b>25m focused.</b> <span>Ended at 22:14.</span>", "role=\"status\""]),
        ("focus-refused", ["The timer runs 1 to 1440 whole minutes.", "aria-invalid=\"true\""]),
        ("focus-not-signed-in", [">Pause</button>", "log in"]),
        ("focus-start", ["45m", "name=\"minutes\" value=\"45\"", "action=\"/focus/start\""]),
        ("focus-presets", ["MonoFocus Presets", ">25</a>", ">45</a>", ">90</a>"]),
        ("focus-presets", ["href=\"/start?minutes=25\"", "href=\"/start?minutes=90\""]),
        ("focus-presets-of", ["href=\"/start?minutes=25&amp;person=2\""]),
        ("focus-history", ["Completed", "Stopped early", "rel=\"next\"", "/focus/history.csv"]),
        ("focus-history", ["/sessions.json", "/timer-state.json", "Focus by day: 3h 47m in 14 days"]),
        ("focus-history-last", ["Newest"]),
        ("focus-history-empty", ["Nothing yet. What you focus on stands here when it ends."]),
        ("focus-history-removed", ["deleted.", "Undo"]),
        ("shield-focus", ["The timer runs until <b>07:00</b>.", "Open Focus", "role=\"timer\""]),
    ])
    func pageSays(name: String, texts: [String]) throws {
        let html = try html(name)
        for text in texts { #expect(html.contains(text), "\(name) lacks \(text)") }
    }

    /// MF-031, MF-057: the presets and the widget's links are in the given order, each with its own words (C-31).
    @Test func presetsStandInOrder() throws {
        let presets = try html("focus").matches(of: /id="preset-(\d+)"[^>]*>([^<]+)</).map {
            "\($0.1)=\($0.2)"
        }
        #expect(presets == ["25=25m", "45=45m", "90=90m"])
        let links = try html("focus-presets").matches(of: /minutes=(\d+)"[^>]*>([^<]+)</).map {
            "\($0.1)=\($0.2)"
        }
        #expect(links == ["25=25", "45=45", "90=90"])
    }

    /// MF-067: only possible moves are offered.
    @Test(arguments: [
        ("focus", ["Start"]), ("focus-running", ["Pause", "Stop", "Stop and discard"]),
        ("focus-paused", ["Resume", "Stop", "Stop and discard"]),
    ])
    func offersWhatIsPossible(name: String, moves: [String]) throws {
        let html = try html(name)
        let part = html.components(separatedBy: "class=\"moves\"")[1].components(separatedBy: "</section>")[0]
        #expect(part.matches(of: />([^<>]+)<\/button>/).map { String($0.1) } == moves)
    }

    /// MF-078: no link for an empty name; MF-077: every character of a name is encoded in the link.
    @Test func runLinks() throws {
        #expect(try !html("focus").contains("shortcuts://"))
        let links = try html("focus-running").matches(of: /href="(shortcuts:[^"]*)"/).map { String($0.1) }
        #expect(links.count == 2)
        for link in links {
            #expect(!link.dropFirst("shortcuts://run-shortcut?name=".count).contains(/[^A-Za-z0-9%._~-]/))
        }
    }

    /// MF-059: the presets' widget has no live part and no form.
    @Test func widgetIsStatic() throws {
        let html = try html("focus-presets")
        #expect(!html.contains("<script") && !html.contains("<form") && !html.contains("refresh"))
    }

    /// C-23, MF-072 to MF-074: these pages follow light and dark mode, with lengths and colours from the tokens.
    @Test(arguments: ["focus", "focus-history", "focus-start", "focus-presets"])
    func followsLightAndDark(name: String) throws {
        let html = try html(name)
        #expect(html.contains("name=\"color-scheme\" content=\"dark light\""))
        // One colour for the browser's own frame would be wrong in one of the two modes.
        #expect(!html.contains("theme-color"))
        let css = try #require(AssetLibrary().asset(at: "Public/tokens.css")).text
        for token in [
            "spacing-xl: 2rem", "spacing-l: 1.25rem", "spacing-m: 0.75rem", "radius-mono: 1.25rem",
            "mono-primary: #000000", "mono-primary: #FFFFFF",
        ] { #expect(css.contains("--\(token);")) }
        let own = try #require(AssetLibrary().asset(at: "Public/focus.css")).text
        #expect(!own.contains(/#[0-9A-Fa-f]{3,8}\b/), "a colour beside the tokens")
    }
}
