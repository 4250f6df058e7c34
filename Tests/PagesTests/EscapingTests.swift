import Assets
import Dashboard
import Foundation
import Pages
import Policy
import Testing

/// Names are untrusted: nothing in them may become markup, in any template, partial or parent.
struct EscapingTests {
    /// The traps: a combining mark after a quote makes another `Character` of it.
    static let traps = [
        "\"\u{301} onfocus=\"alert(1)", "'\u{308} onfocus='alert(1)", "<\u{301}script>alert(1)</script>",
        "<img src=x onerror=alert(1)>", "&\u{301}lt;", "\u{0}<\u{0}b>", "\"\u{200D}\u{20E3} x=\"", "]]><!--",
        String(repeating: "\"\u{301}<", count: 4_000),
    ]

    /// A page contains exactly the markup that it would contain with a harmless name.
    @Test(arguments: traps)
    func aNameStaysText(trap: String) throws {
        let renderer = PageState.renderer
        for (page, harmless) in zip(pages(naming: trap), pages(naming: "x")) {
            let html = try renderer.render(page, in: context(naming: trap))
            let expected = try renderer.render(harmless, in: context(naming: "x"))
            #expect(markup(html) == markup(expected), "\(type(of: page).template)")
        }
    }

    /// How often the bytes occur that begin, end or quote markup. Compared as bytes, because comparing by `Character`
    /// is the trap.
    private func markup(_ html: String) -> [UInt8: Int] {
        let special = "<>\"'\0".utf8
        return html.utf8.reduce(into: [:]) { counts, byte in
            if special.contains(byte) { counts[byte, default: 0] += 1 }
        }
    }

    private func context(naming name: String) -> PageContext {
        let people = people(naming: name)
        return PageContext(
            csrf: name, person: people[0], people: people, now: Sample.now, zone: Sample.zone, path: name,
            notices: [.init(.refused, name)], eventsPath: name)
    }

    private func people(naming name: String) -> [Person] {
        [Person(id: Sample.me, name: name), Person(id: Sample.other, name: name)]
    }

    /// A look in which every text is the name; nil: a name that is open.
    private func shield(_ name: String, _ layer: Layer?) -> ShieldPage {
        let app = App(id: name, name: name, category: name, suffixes: [name])
        let block = layer.map {
            Block(
                layer: $0, scope: .everythingBut(AppSelection()), since: Sample.now,
                until: Sample.at(hours: 1))
        }
        let limit = LimitShield(
            target: .app(name), targetName: name, app: app, used: 1, allowed: 1,
            resetsAt: Sample.at(hours: 1), unlock: .offered(left: 1))
        return ShieldPage(
            name: name,
            verdict: NameVerdict(
                block: block, app: app, limit: layer == .limits ? limit : nil, probationEndsAt: Sample.now),
            now: Sample.now, zone: Sample.zone, origin: name, suggestion: SuggestedTask(title: name),
            forms: ShieldForms(app: name, expires: 1, path: name, unlock: name, done: name, ask: name))
    }

    private func pages(naming name: String) -> [any Page] {
        let device = Device(
            id: DeviceID(rawValue: 1), name: name, isNamed: false, networkName: name, addresses: [name],
            hardwareAddress: "02" + name, firstSeen: Sample.now, lastSeen: Sample.now)
        // Offered as the former self of the new device.
        let known = Device(
            id: DeviceID(rawValue: 2), name: name, networkName: name, person: Sample.me, addresses: [],
            firstSeen: Sample.now - 60, lastSeen: Sample.now)
        let people = people(naming: name)
        let household = Sample.household(
            people: people, devices: [device, known])
        let app = App(id: "own-x", name: name, category: "own", suffixes: [name])
        var withApp = household
        withApp.ownApps = [app]
        let settings = SettingsPage(
            person: people[0], household: household, zones: [name],
            tokens: [.init(id: name, name: name, note: name)], newToken: name, version: name,
            errors: ["current": name])
        return [
            shield(name, .sleep), shield(name, .windows), shield(name, .limits), shield(name, nil),
            ShieldNotePage(name, name, way: .init(name, to: name)),
            SuggestionsPage(
                tasks: try! SuggestedTasks([SuggestedTask(title: name)]), isOwn: true, canTakeBack: false,
                typed: name, error: name),
            ErrorPage(status: 409, reason: name), WelcomePage(error: name),
            SetupPage(code: name, timeZone: name, zones: [name], address: name, errors: ["code": name]),
            LoginPage(error: name, next: name),
            DevicesPage(
                household: household, thisDevice: device.id, address: name, person: Sample.me,
                pointing: PointHere(server: name), isStrictRunning: false, now: Sample.now,
                errors: [device.id: name]),
            AllowedAppsPage(
                catalog: Sample.catalog, household: withApp, selection: AppSelection(domains: [name]),
                isSessionRunning: false, typed: ["domain": name, "name": name, "domains": name],
                errors: ["domain": name, "name": name]),
            settings,
            SettingPage("people", of: settings)!, SettingPage("tokens", of: settings)!,
            SchedulePage(
                values: .init(isEnabled: true, start: name, end: name, strictness: name, days: [name]),
                isSessionRunning: false, errors: ["start": name]),
        ]
    }

    @Test func textWithoutMarkupStaysAsItIs() throws {
        let html = try PageState.renderer.render(
            ErrorPage(status: 409, reason: "Schlafenszeit für Zoë 🧸"),
            in: PageContext(now: Sample.now, zone: Sample.zone))
        #expect(html.contains("Schlafenszeit für Zoë 🧸"))
    }

    /// With `--assets DIR` an edited template shows at once, and a broken one is an error, not a crash.
    @Test func templatesFromDiskAreReadAnew() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString)")
        let template = folder.appending(path: "Templates/error.mustache")
        try FileManager.default.createDirectory(
            at: template.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let renderer = PageRenderer(assets: AssetLibrary(directory: folder.path()))
        let context = PageContext(now: Sample.now, zone: Sample.zone)
        let page = ErrorPage(status: 409, reason: "\"\u{301}x")
        #expect(throws: PageRenderer.Failure.self) { try renderer.render(page, in: context) }
        try Data("one {{reason}}".utf8).write(to: template)
        #expect(try renderer.render(page, in: context) == "one &quot;\u{301}x")
        try Data("two {{status}}".utf8).write(to: template)
        #expect(try renderer.render(page, in: context) == "two 409")
        try Data("{{#status}}".utf8).write(to: template)
        #expect(throws: PageRenderer.Failure.self) { try renderer.render(page, in: context) }
    }
}
