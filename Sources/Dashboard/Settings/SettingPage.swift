import Pages

/// The settings that have a page of their own, by the last part of its address.
enum SettingsPart: String, CaseIterable, Sendable {
    case people, help, clock, passcode, tokens
    case newDevices = "new-devices"
    case timeZone = "time-zone"
    case privateAnswers = "private-answers"

    var path: String { "/settings/\(rawValue)" }

    /// An address below the page's own, as `/settings/people/2/delete`.
    init?(path: String) {
        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        guard parts.count > 1, parts[0] == "settings" else { return nil }
        self.init(rawValue: String(parts[1]))
    }

    var title: String {
        switch self {
        case .people: "People"
        case .help: "Help at night"
        case .clock: "Clock"
        case .passcode: "Passcode"
        case .tokens: "Access for programs"
        case .newDevices: "New devices"
        case .timeZone: "Time zone"
        case .privateAnswers: "Names of this home"
        }
    }
}

/// One setting with its form; `SettingsPage` says what each form sends.
package struct SettingPage: Page {
    package static let template = "setting"

    package let title: String
    /// A template in `Templates/`.
    let panel: String
    let settings: SettingsPage

    init(_ part: SettingsPart, of settings: SettingsPage) {
        title = part.title
        panel = "settings-\(part.rawValue)"
        self.settings = settings
    }

    /// `part` is the last part of the page's address; nil if there is no such page.
    package init?(_ part: String, of settings: SettingsPage) {
        guard let part = SettingsPart(rawValue: part) else { return nil }
        self.init(part, of: settings)
    }
}
