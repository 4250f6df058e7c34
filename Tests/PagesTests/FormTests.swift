import Dashboard
import Pages
import Testing

/// What each form sends, by the field names of the contract (design.md, "Contract") and of the page models.
struct FormTests {
    @Test(arguments: [
        ("setup", "/setup", ["code", "passcode", "timeZone", "enroll", "kind"]),
        ("login", "/login", ["passcode", "next"]),
        ("session", "/session", ["csrf", "durationMinutes", "strictness"]),
        ("active-flexible", "/session/cancel", ["csrf"]), ("active-cancelling", "/session/keep", ["csrf"]),
        ("home", "/schedule/tonight", ["csrf", "change"]), ("home-nobody", "/devices/enroll", ["csrf"]),
        ("home-later", "/schedule/tonight", ["csrf", "change", "person"]),
        (
            "schedule", "/schedule",
            [
                "csrf", "shown", "isEnabled", "start", "end", "strictness", "days", "exceptionDays0",
                "exceptionStart0", "exceptionEnd0", "exceptionDays1", "exceptionStart1", "exceptionEnd1",
            ]
        ),
        ("schedule-question", "/schedule", ["csrf", "start", "begin"]),
        ("setup-people", "/setup/people", ["csrf", "shown", "person", "name-1", "role-1", "new", "add"]),
        ("setup-people", "/setup/next", ["csrf", "person", "step"]),
        ("setup-device-waiting", "/devices/enroll", ["csrf", "device", "from", "person"]),
        ("setup-device-alone", "/devices/enroll", ["csrf", "from", "person", "kind"]),
        ("setup-device-invited", "/devices/enroll", ["from", "key", "person", "kind"]),
        ("setup-try", "/check/try", ["csrf", "device"]),
        ("allowed-apps", "/allowed-apps", ["csrf", "shown", "open", "find", "app", "category", "domain"]),
        ("allowed-apps", "/allowed-apps/own", ["csrf", "shown", "name", "domains"]),
        ("allowed-apps", "/allowed-apps/own/own-library/delete", ["csrf"]),
        ("allowed-apps", "/allowed-apps/reachable", ["csrf", "shown", "reachable"]),
        ("devices", "/devices/2", ["csrf", "shown", "name", "kind", "owner"]),
        ("devices-returned", "/devices/3", ["csrf", "shown", "name", "kind", "owner", "confirm"]),
        ("devices-returned", "/devices/6/merge", ["csrf", "known"]),
        ("devices-merged", "/devices/5/unmerge", ["csrf"]),
        ("settings", "/settings", ["csrf", "shown", "defaultStrictness"]),
        ("settings-time-zone", "/settings/time-zone", ["csrf", "shown", "timeZone"]),
        ("settings-people", "/settings/people", ["csrf", "shown", "name", "role"]),
        ("settings-new-devices", "/settings/new-devices", ["csrf", "shown", "newDevices"]),
        ("settings-private-answers", "/settings/private-answers", ["csrf", "shown", "names"]),
        ("settings-help", "/settings/help", ["csrf", "shown", "offersHelp"]),
        ("settings-clock", "/settings/clock", ["csrf", "shown", "clock"]),
        ("settings-passcode", "/settings/passcode", ["csrf", "current", "passcode"]),
        ("settings-tokens", "/settings/tokens", ["csrf", "shown", "name"]),
        ("settings-tokens", "/settings/tokens/t1/delete", ["csrf"]),
        ("setup-router", "/setup/router", ["csrf", "shown", "formerDNS"]), ("check-works", "/check/try", []),
        ("check-works", "/devices/enroll", []), ("try-running", "/check/try/end", ["csrf"]),
        ("reset", "/settings/reset", ["csrf", "confirm"]), ("help-open", "/help", ["csrf"]),
        ("focus", "/focus/length", ["csrf", "minutes"]), ("focus", "/focus/start", ["csrf"]),
        ("focus-running", "/focus/pause", ["csrf", "person"]),
        ("focus-running", "/focus/stop", ["csrf", "person", "save"]),
        ("focus-paused", "/focus/resume", ["csrf"]), ("focus", "/focus/shield", ["csrf", "shown", "isOn"]),
        ("focus", "/focus/shortcuts", ["csrf", "shown", "dnd", "grayscale"]),
        ("focus-start", "/focus/start", ["csrf", "minutes"]),
        ("focus-history", "/focus/import", ["csrf", "file"]),
    ])
    func formSends(name: String, action: String, fields: [String]) throws {
        let state = try #require(PageState.all.first { $0.name == name })
        let html = try state.html()
        let forms = html.matches(of: /<form ([^>]*)>(.*?)<\/form>/.dotMatchesNewlines()).filter {
            $0.1.contains("action=\"\(action)\"") && $0.1.contains("method=\"post\"")
        }
        let form = try #require(forms.first, "\(name) has no form for \(action)")
        let names = form.2.matches(of: /<(?:input|select|button|textarea)[^>]*?\sname="([^"]+)"/).map {
            String($0.1)
        }
        #expect(Set(names) == Set(fields))
    }
}

/// After a reload or a way back, fields show what is stored, and not what the browser remembers of them.
struct RestoredFieldTests {
    @Test(arguments: PageState.all)
    func noBrowserRestoresWhatWasNeverSaved(_ state: PageState) throws {
        let fields = /<(?:select|textarea|input(?![^>]*type="(?:hidden|submit)"))[^>]*>/
        let html = try state.html()
        for form in html.matches(of: /(<form method="post"[^>]*>)(.*?)<\/form>/.dotMatchesNewlines()) {
            let isOff = form.1.contains(" autocomplete=\"off\"")
            for field in form.2.matches(of: fields) where !isOff {
                #expect(field.0.contains("autocomplete=\"off\""), "\(field.0)")
            }
        }
    }
}

/// With several people, every link stays with the person whose page it is on.
struct PersonLinkTests {
    @Test(arguments: PageState.all.filter { $0.context.people.count > 1 && !($0.page is KioskPage) })
    func linksKeepThePerson(_ state: PageState) throws {
        let html = try state.html()
        for link in html.matches(of: /<a [^>]*href="(\/[^"]*)"/) where link.1 != "/settings/backup" {
            // These links lead to the other people, or to everybody's exceptions, on purpose.
            if state.page is HouseholdPage, link.1.hasPrefix("/?person=") || link.1 == "/dates" { continue }
            if state.page is DatesPage, link.1 == "/dates?week=next" { continue }
            let address = link.1.prefix { $0 != "#" }
            let stays = ["?person=1", "&amp;person=1"].contains { address.hasSuffix($0) }
            #expect(stays, "\(link.1)")
        }
    }
}
