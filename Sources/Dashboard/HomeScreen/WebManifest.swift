import Foundation
import Pages

/// A web app manifest (W3C Web Application Manifest): GET `/manifest.webmanifest?app=anti-rot&person=2`. Nothing in it
/// is anybody's, because browsers fetch it without a login.
struct WebManifest: Encodable {
    struct Icon: Encodable {
        var src: String
        var sizes: String
        var type = "image/png"
        var purpose: String?
    }

    struct Shortcut: Encodable {
        var name: String
        var shortName: String?
        var url: String
        var icons: [Icon]
    }

    struct Handler: Encodable {
        var `protocol`: String
        var url: String
    }

    let id: String
    let name: String
    let shortName: String
    let description: String
    let lang = "en"
    let startUrl: String
    let scope = "/"
    let display: String
    let themeColor: String
    let backgroundColor: String
    let icons: [Icon]
    let shortcuts: [Shortcut]
    let protocolHandlers: [Handler]?

    /// - Parameter query: the address's own, of which the app keeps what it needs.
    init(_ app: HomeApp, query: String) {
        let kept = app.query(from: "?" + query)
        let person = HomeApp.rules.query(from: "?" + query)
        startUrl = app.path + (kept.isEmpty ? "" : "?" + kept)
        id = app == .house || person.isEmpty ? app.path : "\(app.path)?\(person)"
        name = app.name
        shortName = app.shortName
        description = Self.description(of: app)
        display = app == .kiosk ? "fullscreen" : "standalone"
        themeColor = [.kiosk, .focus].contains(app) ? "#000000" : "#0D0D26"
        backgroundColor = themeColor
        icons = Self.icons(of: app)
        let face = [Icon(src: "/assets/\(app.icon)-192.png", sizes: "192x192")]
        shortcuts = Self.shortcuts(of: app).map { shortcut in
            Shortcut(
                name: shortcut.name, shortName: shortcut.short,
                url: Self.address(shortcut.path, person: app == .house ? "" : person), icons: face)
        }
        protocolHandlers =
            [.house, .focus].contains(app) ? [Handler(protocol: "web+monofocus", url: "/start?link=%s")] : nil
    }

    /// `/start?minutes=25&person=2#here`
    private static func address(_ path: String, person: String) -> String {
        guard !person.isEmpty else { return path }
        let place = path.prefix { $0 != "#" }
        return place + (place.contains("?") ? "&" : "?") + person + path.dropFirst(place.count)
    }

    private static func icons(of app: HomeApp) -> [Icon] {
        let sizes = ["192x192", "512x512"]
        let plain = sizes.map { Icon(src: "/assets/\(app.icon)-\($0.prefix(3)).png", sizes: $0) }
        guard app == .house else {
            // Their ground reaches every edge, and their sign stays within the middle.
            return plain + [Icon(src: plain[1].src, sizes: sizes[1], purpose: "maskable")]
        }
        return plain + [
            Icon(src: "/assets/icon-maskable.png", sizes: sizes[1], purpose: "maskable"),
            Icon(src: "/assets/favicon.svg", sizes: "any", type: "image/svg+xml"),
        ]
    }

    private static func description(of app: HomeApp) -> String {
        switch app {
        case .house: "Bedtime for a home network."
        case .antiRot: "Chosen apps open in their windows only."
        case .focus: "A timer of 25, 45 or 90 minutes."
        case .limits: "Minutes a day for apps and categories."
        case .kiosk: "A clock that counts down to morning."
        case .rules: "What holds, who changed it, and how to ask."
        }
    }

    /// A shortcut only opens a page, except for Focus's: "I'm Eating" is there once a day, and waits for its button.
    private static func shortcuts(of app: HomeApp) -> [(name: String, short: String?, path: String)] {
        let timers = [25, 45, 90].map {
            ("\($0) minutes of focus", Optional("\($0)"), "/start?minutes=\($0)")
        }
        let eating = ("I'm Eating", String?.none, "/anti-rot#eating")
        let help = ("Help", String?.none, "/help")
        return switch app {
        case .house:
            [("Start Now", nil, "/session"), ("Nightly Schedule", nil, "/schedule")] + timers + [
                eating, help,
            ]
        case .antiRot: [eating, ("Apps", nil, "/anti-rot/apps"), ("Schedule", nil, "/anti-rot/schedule")]
        case .focus: timers + [("Focus history", "History", "/focus/history")]
        case .limits: [("Add a limit", nil, "/limits/new"), ("Usage", nil, "/usage")]
        case .kiosk: [("Today", nil, "/kiosk?limits=on"), help]
        case .rules: [("Ask", nil, "/my-rules#ask"), ("Limits", nil, "/limits"), eating, help]
        }
    }
}
