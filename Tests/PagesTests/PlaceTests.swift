import Pages
import Testing

/// Where pages stand, and what the bar and the way back say there.
struct PlaceTests {
    private func html(_ path: String, signedIn: Bool = true) throws -> String {
        try PageState.renderer.render(
            ErrorPlace(), in: PageState.context(signedIn: signedIn, path: path, people: 2))
    }

    /// Any page that is drawn in the usual frame.
    private struct ErrorPlace: Page {
        static let template = "apps"
        let title = "Apps"
        let ways: [Way] = []
    }

    @Test(arguments: [
        ("/", "Tonight"), ("/session?person=1", "Tonight"), ("/anti-rot/apps", "Apps"),
        ("/limits/new/app/tiktok", "Apps"), ("/focus/history", "Usage"), ("/verified/setup", "Usage"),
        ("/limits/requests/1", "Household"), ("/settings/people/2", "Household"), ("/devices", "Household"),
        ("/settings/reset", "More"),
        ("/devices/router", "More"), ("/goodbye/erase", "More"),
    ])
    func barMarksThePlace(path: String, name: String) throws {
        let link = /<a href="([^"]*)" aria-current="page"><svg.*?<span>(\w+)</.dotMatchesNewlines()
        let bar = try html(path).matches(of: link)
        #expect(bar.map { String($0.2) } == [name])
    }

    @Test(arguments: [
        ("/session", "/", "Tonight"), ("/allowed-apps", "/apps", "Apps"), ("/anti-rot/apps", "/apps", "Apps"),
        ("/limits/new", "/limits", "Limits"), ("/limits/new/app/tiktok", "/limits", "Limits"),
        ("/suggestions", "/limits", "Limits"), ("/focus/history", "/focus", "Focus"),
        ("/check/around", "/devices", "Devices"), ("/settings/reset", "/settings", "Settings"),
        ("/relay", "/settings", "Settings"), ("/settings", "/more", "More"),
        ("/setup/device", "/", "Sleep Inducer"),
    ])
    func wayBackGoesOneStepUp(path: String, above: String, name: String) throws {
        let link = /<a class="back" href="([^"]*)">.*?<span>([^<]*)</.dotMatchesNewlines()
        let back = try #require(html(path).firstMatch(of: link))
        #expect(back.1 == "\(above)?person=1")
        #expect(back.2 == name)
    }

    @Test(arguments: Place.allCases)
    func ownPageOfAPlaceHasNoWayBack(_ place: Place) throws {
        #expect(try !html(place.path).contains("class=\"back\""))
    }

    @Test(arguments: ["/kiosk", "/widget/presets", "/shield", "/login", "/setup/begin"])
    func displaysAndSetUpHaveNoBar(path: String) throws {
        #expect(try !html(path).contains("class=\"places\""))
    }

    @Test func nobodyHasABarBeforeLoggingIn() throws {
        #expect(try !html("/limits", signedIn: false).contains("class=\"places\""))
    }
}
