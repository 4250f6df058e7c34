import Dashboard
import Pages
import Testing

/// What the limits' pages say and send.
struct LimitLabelTests {
    private func html(_ name: String) throws -> String {
        let state = try #require(PageState.all.first { $0.name == name })
        return try state.html()
    }

    @Test(arguments: [
        ("limits", ["<b data-used-text>12</b> of 45 min today", "Resets at 00:00", "33 min left"]),
        ("limits", ["15 min more were given for today.", "396 of 500 min this week", "Reached</span>"]),
        ("limits", ["Estimate, from DNS", "Not counted:"]),
        ("limits", ["A stricter rule always acts at once.", "2 of 5 unlocks used today.", "Add a limit"]),
        ("limits-empty", ["Nothing is limited.", "Add a limit", "placeholder=\"Any number\""]),
        ("limits-unlocked", ["Open for 0:42", "Resets at 04:00", "it stays closed until 04:00"]),
        ("limits-week-over", ["Resets on Monday at 00:00", "500 of 500 min this week", "Reached</span>"]),
        ("limits-waiting", ["<bdi>TikTok</bdi>: 90 min a day, 300 a week", "Cancel change"]),
        ("limits-waiting", ["Acts tomorrow at 21:40", "no limit", "Day resets at 04:00"]),
        ("limits-removed", ["The limit for <bdi>Instagram</bdi> is gone.", "Undo"]),
        ("limits-not-signed-in", ["<b data-used-text>12</b> of 45 min today", "log in"]),
        ("new-limit", ["Everything in Video", "2 apps", "action=\"/limits/new\""]),
        ("new-limit-chosen", ["Minutes a day", "Minutes a week", "name=\"category\" value=\"video\""]),
        ("new-limit-nothing", ["No app of that name."]),
        (
            "time-request-open",
            ["15 more minutes of Instagram", "20 of 20 min today", "until 00:00", "For &lt;homework&gt;"]
        ),
        ("time-request-granted", ["Granted", "The minutes are valid until 00:00."]),
        ("time-request-before-bedtime", ["The minutes are valid until bedtime, at 22:45."]),
        ("time-request-asleep", ["They are asleep until 23:43. Then the minutes are valid until 00:00."]),
        ("time-request-declined", ["Nothing was changed."]),
    ])
    func pageSays(name: String, texts: [String]) throws {
        let html = try html(name)
        for text in texts { #expect(html.contains(text), "\(name) lacks \(text)") }
    }

    @Test(arguments: [
        ("limits-empty", ["<progress", "data-limit=", "Waiting"]),
        ("limits-not-signed-in", ["<form", "Add a limit"]),
        ("limits-unlocked", ["Reached</span>"]), ("new-limit", ["href=\"/limits/new/app/"]),
        ("new-limit-found", ["/limits/new/app/tiktok"]),
        ("time-request-granted", ["value=\"grant\"", "value=\"decline\""]),
    ])
    func pageDoesNotSay(name: String, texts: [String]) throws {
        let html = try html(name)
        for text in texts { #expect(!html.contains(text), "\(name) holds \(text)") }
    }

    @Test("A bar can be read without colour: how far it is filled, and stripes when it is full")
    func bars() throws {
        let html = try html("limits")
        let widths = html.matches(of: /class="fill" width="(\d+)%"/).map { String($0.1) }
        #expect(widths == ["26", "68", "79", "100"])
        #expect(html.matches(of: /class="use-bar full"/).count == 1)
        #expect(html.contains("<pattern id=\"hatch\""))
    }

    @Test(arguments: [
        (
            "limits-refused", "/limits",
            [
                "csrf", "shown", "app", "minutes", "weekly", "mon", "tue", "wed", "thu", "fri", "sat", "sun",
            ]
        ),
        (
            "limits-empty", "/limits/settings",
            ["csrf", "shown", "resetHour", "unlocksPerDay", "looseningDelay"]
        ),
        (
            "limits-waiting", "/limits/changes/00000000-0000-4000-A000-000000000005/drop",
            [
                "csrf"
            ]
        ),
        ("limits-removed", "/limits/00000000-0000-4000-A000-000000000003/restore", ["csrf"]),
        (
            "household-asking", "/requests/0D9F61B5-6E4C-4E0B-8F0A-5B7B6E1C2D35",
            ["csrf", "person", "from", "answer"]
        ),
        ("time-request-open", "/requests/00000000-0000-4000-A000-000000000007", ["csrf", "answer"]),
        ("answer-link-yes", "/answer/t0ken/yes", []),
        (
            "shield-limits", "/.sleep-inducer/ask",
            [
                "app", "expires", "path", "seal", "reason",
            ]
        ),
    ])
    func formSends(name: String, action: String, fields: [String]) throws {
        let forms = try html(name).matches(of: /<form ([^>]*)>(.*?)<\/form>/.dotMatchesNewlines())
        let form = try #require(
            forms.first { $0.1.contains("action=\"\(action)\"") && $0.1.contains("method=\"post\"") })
        let names = form.2.matches(of: /<(?:input|select|button|textarea)[^>]*?\sname="([^"]+)"/).map {
            String($0.1)
        }
        #expect(Set(names) == Set(fields))
    }
}
