import Assets
import Dashboard
import Foundation
import Pages
import Policy
import Testing

/// Every label, text and colour in the requirements' SI list, on the page that must show it.
struct LabelTests {
    private func html(_ name: String) throws -> String {
        let state = try #require(PageState.all.first { $0.name == name })
        return try state.html()
    }

    @Test(arguments: [
        ("welcome", ["Sleep Inducer", "Grant Access", "action=\"/setup\""]),
        (
            "verified-setup",
            [
                "Discipline Dungeon uses Screen Time to verify your selected apps/categories for \"yesterday\"."
            ]
        ),
        ("schedule-question", ["Start now", "From tomorrow", "Nothing is saved yet."]),
        ("setup-device-waiting", ["just arrived", "role=\"status\"", "class=\"qr-code\""]),
        ("setup-device-invited", ["Whose phone is this?"]),
        ("setup-bedtime", ["Open all night", "Change what stays open"]),
        ("welcome-error", ["gate-error", "Port 53 is taken"]),
        ("home", ["Sleep Inducer", "Time to wind down", "Tonight at 22:45</b>, strict"]),
        ("home", ["Start Now</b><small>Block apps for a set duration"]),
        ("home", ["Nightly Schedule</b><small>Set a recurring bedtime block"]),
        ("home", ["Allowed Apps</b><small>Choose apps that stay accessible"]),
        ("home", ["Settings</b><small>Defaults and emergency reset"]),
        ("health", ["<a href=\"/devices\">Devices</a>"]),
        ("home-nobody", ["No device is using this yet. Nothing will be blocked."]),
        ("session", ["Start Sleep Session", "value=\"60\" checked", "value=\"flexible\" checked"]),
        ("session", ["Strict</b><small>Cannot cancel until time is up"]),
        ("session", ["Flexible</b><small>Cancel with a 30-second delay"]),
        ("schedule", ["Bedtime", "Wake Up", "Save Schedule", "value=\"22:45\"", "value=\"07:00\""]),
        ("allowed-apps", ["These apps will remain accessible during sleep sessions."]),
        ("allowed-apps", ["Phone and Messages are recommended."]),
        ("active-strict", ["Sleep Mode Active", "Strict mode - session cannot be cancelled", "2h</li>"]),
        ("active-flexible", ["Cancel Session", "30-second delay", "1:24:36", "remaining", "Flexible"]),
        ("active-cancelling", ["Cancelling in 21s...", "Keep Sleeping", "width=\"9\""]),
        ("settings", ["Default Mode", "Emergency Reset", "About", "Cancel with a 30-second delay"]),
        ("settings-strict", ["Only for <bdi>Me</bdi>", "The same for everybody", "This server"]),
        ("shield", ["Sleep Mode Active", "Back at <b>07:00</b>.", "You can put it down."]),
        ("shield", ["Need help tonight?"]),
        ("shield-family", ["Back at <b>07:00</b>.</p>", "Need help tonight?", "Whose times hold here?"]),
        ("shield-windows-family", ["opens <b>", "/my-rules\">Whose times hold here?"]),
        ("shield-open", ["This is open again.", "Try once more"]),
        (
            "shield-windows",
            [
                "<h1>Anti-Rot</h1>", "This app is blocked right now.", "It opens <b>today at 23:19</b>.",
                "Open Anti-Rot",
            ]
        ),
        ("shield-windows-days", ["It opens <b>on Monday at"]),
        (
            "shield-limits",
            ["Stop Scrolling", "30 of 30 minutes today. Back at 00:00.", "Drink a glass of water"]
        ),
        ("shield-limits", ["I'll do it", "Unlock for 1 min", "Ask for 15 more minutes"]),
        ("shield-limits-week", ["305 of 300 minutes this week."]),
        ("shield-limits-capped", ["2 left today."]),
        ("shield-limits-used-up", ["3 unlocks are used up.", "ll do it"]),
        ("shield-limits-asked", ["Asked at 22:09. Waiting for an answer."]),
        ("shield-limits-declined", ["Asked at 22:09. Not tonight."]),
        ("shield-opening", ["Opening…", "http-equiv=\"refresh\" content=\"5\""]),
        ("shield-well-done", ["Well done", "You can close this."]),
        (
            "devices-returned",
            [
                "It is", "It is another", "This is your router. Everything behind it asks as one device",
                "4 names blocked in the last 10 minutes",
                "1 name blocked in the last 10 minutes", "Private Wi-Fi addresses",
                "Guessed from its name", "Your network calls it that.", "was last seen 8 minutes ago",
                "has all of their rules until you say whose it is",
            ]
        ),
        ("devices-merged", ["It is one device again", "Undo makes them two again, as they were."]),
        ("devices", ["Seen just now", "Seen 20 minutes ago", "Seen 3 days ago", "Has not asked here yet"]),
        ("leave-flexible", ["Leaving takes 30 seconds", "The device stays for 30 seconds."]),
        ("leave-anti-rot", ["Anti-Rot is blocking now", "you can take it back"]),
        (
            "help-third",
            [
                "Calls, maps and health are open", "Messengers open in <b", ">36</b> s.",
                "pressed 3 times tonight",
            ]
        ),
        (
            "help-strict",
            [
                "Your session is strict: messengers open one minute later than the rest.",
                "Signal and WhatsApp stay shut: they are on your Anti-Rot list.",
            ]
        ),
        ("shield-limits-week", ["Unlock for 1 min"]),
        ("shield-left", ["Good. You can close this.", ">15-minute timer</a>"]),
        ("session-refused", ["has no app that stays open at night"]),
        (
            "help",
            [
                "In danger? Call <a href=\"tel:112\"><b>112</b></a>, <a href=\"tel:911\"><b>911</b></a> or your local number.",
                "Calls are not blocked.",
            ]
        ),
        ("anti-rot-blocked", ["BLOCKED", "until tomorrow at 12:00", "<span>I'm Eating 🍕</span>"]),
        ("anti-rot-allowed", ["ALLOWED", "until 23:30"]),
        ("anti-rot-eating", ["ALLOWED", "44:01", "Override active — 45m remaining", "disabled"]),
        ("anti-rot-used", ["Used today — resets at midnight", "disabled"]),
        ("anti-rot-used-again", ["Already used today"]),
        ("anti-rot-waiting", ["Takes effect tomorrow at 21:40", "Cancel change"]),
        ("anti-rot-welcome", ["Get Started"]),
        ("anti-rot-apps", ["3 apps selected", "Choose Apps to Block"]),
        ("anti-rot-apps-one", ["1 app selected"]), ("anti-rot-apps-none", ["0 apps selected"]),
        ("anti-rot-schedule", ["Add Window", "blocked-period-2</th><td>19:00–23:59</td>"]),
        ("anti-rot-schedule-empty", ["Apps will be blocked all day"]),
        ("anti-rot-confirm", ["Your apps will be blocked all day"]),
        ("anti-rot-schedule-removed", [">Undo</button>"]),
        (
            "apps-busy",
            ["Anti-Rot</b><small>ALLOWED until 23:30", "Limits</b><small>TikTok 12 of 30 min · 1 more"]
        ),
        ("apps-busy", ["<b class=\"count\">2<span class=\"visually-hidden\"> requests</span>"]),
        ("more", ["action=\"/logout\"", "Status</b><small>1 thing needs attention"]),
    ])
    func pageSays(name: String, texts: [String]) throws {
        let html = try html(name)
        for text in texts {
            #expect(html.contains(text), "\(name) lacks \(text)")
        }
    }

    /// SI-146: strict has no way out on the page; SI-147 and SI-148: the two buttons never appear together.
    @Test(arguments: [
        ("active-strict", ["Cancel Session", "Keep Sleeping", "/session/cancel"]),
        ("active-flexible", ["Keep Sleeping", "Cancelling", "Strict mode"]),
        ("active-cancelling", ["Cancel Session", "30-second delay"]),
        ("shield", ["csrf", "<form", "manifest"]), ("shield-open", ["<form", "http-equiv"]),
        // AR-082, C-25: the windows' look offers no way around; an unlock appears only if a limit is the sole reason.
        ("shield-windows", ["<form", "<button", "<input", "data-open", "until ."]),
        ("shield-windows-endless", ["until", "<form"]),
        ("shield-limits-not-sole", ["Unlock for 1 min"]), ("shield-limits-used-up", ["Unlock for 1 min"]),
        ("shield-limits-asked", ["Ask for 15"]), ("shield-limits-declined", ["Ask for 15"]),
        ("shield-preview-limits", ["<form", "5ea1"]),
        // C-33: no link from a shield leads to leaving.
        ("shield", ["my-rules"]), ("shield-windows", ["my-rules"]), ("anti-rot-blocked", ["my-rules"]),
        ("leave", ["class=\"notice\""]), ("help-third", ["Calls, messages"]),
        ("anti-rot-first", ["BLOCKED"]), ("anti-rot-eating", ["BLOCKED", "I'm Eating 🍕"]),
        ("anti-rot-apps", ["name=\"category\"", "name=\"domain\""]),
        // DD-045: the first screen is calm; the notice stands where measuring is switched on.
        ("welcome", ["Discipline Dungeon"]), ("setup", ["Discipline Dungeon"]),
        ("kiosk-asleep", ["Me", "TikTok"]), ("home", ["aria-label=\"Whose rules\""]),
    ])
    func pageDoesNotSay(name: String, texts: [String]) throws {
        let html = try html(name)
        for text in texts {
            #expect(!html.contains(text), "\(name) holds \(text)")
        }
    }

    /// AR-049: Home, Apps and Schedule in that order, with the current one marked.
    @Test(arguments: [("anti-rot-blocked", 0), ("anti-rot-apps-one", 1), ("anti-rot-schedule", 2)])
    func tabsStandInOrder(name: String, current: Int) throws {
        let link = /<a href="\/anti-rot[^"]*"( aria-current="page")?><svg.*?<span>(.*?)</.dotMatchesNewlines()
        let tabs = try html(name).matches(of: link)
        #expect(tabs.map { String($0.2) } == ["Home", "Apps", "Schedule"])
        #expect(tabs.map { $0.1 != nil } == [0, 1, 2].map { $0 == current })
    }

    /// AR-081, AR-082, C-19: one control, and it is a plain link to the server's own page.
    @Test func windowsHaveOneControl() throws {
        for name in ["shield-windows", "shield-windows-endless", "shield-windows-hostile"] {
            let html = try html(name)
            #expect(
                html.matches(of: /<a\s[^>]*href="([^"]*)"/).map { String($0.1) } == [
                    "http://sleep.home.arpa/anti-rot"
                ])
        }
    }

    /// TH-015: the way out comes first, the unlock second, the request last.
    @Test func wayOutComesFirst() throws {
        let labels = try html("shield-limits").matches(
            of: /<button class="([a-z ]+)"[^>]*>(?:<span>)?([^<]+)</)
        #expect(
            labels.map { "\($0.1): \($0.2)" } == [
                "btn primary: I'll do it", "btn secondary lesser: Unlock for 1 min",
                "btn secondary lesser: Ask for 15 more minutes",
            ])
    }

    /// SI-125: exactly these six, in this order.
    @Test func durationsStandInOrder() throws {
        let labels = try html("session").matches(of: /for="duration-(\d+)">([^<]+)</).map {
            "\($0.1)=\($0.2)"
        }
        #expect(labels == ["30=30m", "60=1h", "120=2h", "240=4h", "360=6h", "480=8h"])
    }

    /// SI-171 to SI-177, and the lengths of SI-142, SI-159, SI-163, SI-168, SI-181 in points.
    @Test func tokensAreTheSeeds() throws {
        let css = try #require(AssetLibrary().asset(at: "Public/tokens.css")).text
        let wanted = [
            "deep-navy: #0D0D26", "midnight-blue: #141440", "indigo: #594DD9", "lavender: #A68CF2",
            "soft-white: #EBE6FA", "warm-gold: #FFD966", "danger-red: #E64D4D", "radius-card: 1rem",
            "radius-button: 0.875rem", "ring-size: 12.5rem", "ring-stroke: 0.5rem", "moon-large: 3.75rem",
            "moon-small: 2.75rem",
        ]
        for token in wanted { #expect(css.contains("--\(token);")) }
    }

    /// The strict Content-Security-Policy would drop inline scripts and styles.
    @Test(arguments: PageState.all)
    func nothingIsInline(_ state: PageState) throws {
        let html = try html(state.name)
        #expect(!html.contains(/<[a-z][^>]*\sstyle=/))
        #expect(!html.contains("<style"))
        #expect(!html.contains(/<script(?![^>]*\ssrc=)/))
        #expect(!html.contains(/<[a-z][^>]*\son[a-z]+="/))
        // The check's one-time names are below our own; a try links to a blocked page, and notices to their topic, which
        // open by a tap.
        let foreign = html.matches(
            of: /(src|href)="(?:https?:)?\/\/(?!(?:0123\.check\.)?sleep\.home\.arpa)([^"]*)/
        )
        .filter { !(state.page is TryPage && $0.1 == "href" && $0.2.hasPrefix("example.com")) }
        .filter { !(state.page is PhoneNoticesPage && $0.1 == "href" && $0.2.hasPrefix("ntfy.sh/sleep-")) }
        #expect(foreign.isEmpty)
    }

    /// Every form of a signed-in page carries the token.
    @Test(
        arguments: PageState.all.filter {
            // Displays and the shield have none of our forms.
            $0.context.csrf != nil
                && !($0.page is KioskPage || $0.page is WidgetPage || $0.page is ShieldPage
                    || $0.page is PresetsWidgetPage)
        })
    func formsCarryTheToken(_ state: PageState) throws {
        let html = try html(state.name)
        for form in html.matches(of: /<form method="post".*?<\/form>/.dotMatchesNewlines()) {
            #expect(form.0.contains("name=\"csrf\" value=\"c5rf-token\""), "\(form.0.prefix(80))")
        }
    }
}
