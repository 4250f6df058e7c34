/// What an icon on a home screen opens: a page with a name, a face and shortcuts of its own.
package enum HomeApp: String, CaseIterable, Sendable {
    case house
    case antiRot = "anti-rot"
    case focus, limits, kiosk
    /// A child's page, and everybody's: what holds, and what can be asked for.
    case rules = "my-rules"

    /// The app to which a page belongs; `path` may have a query.
    package init(pageAt path: String) {
        let first = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").first ?? ""
        self = first == "start" ? .focus : HomeApp(rawValue: String(first)) ?? .house
    }

    /// The page that the icon opens.
    package var path: String { self == .house ? "/" : "/\(rawValue)" }

    package var name: String {
        switch self {
        case .house: "Sleep Inducer"
        case .antiRot: "Anti-Rot"
        case .focus: "Focus"
        case .limits: "Limits"
        case .kiosk: "Bedside display"
        case .rules: "My rules"
        }
    }

    /// What stands under the icon.
    package var shortName: String {
        switch self {
        case .house: "Sleep"
        case .kiosk: "Bedside"
        default: name
        }
    }

    /// The first part of its pictures' names in `Public/`.
    package var icon: String { self == .house ? "icon" : "icon-\(rawValue)" }

    /// What of a page's query its icon keeps.
    private var kept: [Substring] {
        switch self {
        case .house: []
        case .kiosk: ["person", "brightness", "limits"]
        default: ["person"]
        }
    }

    /// The fields of a query that the icon keeps, in one order: `person=2&brightness=30`; empty for none. Only plain
    /// values are kept, because a manifest is written for everybody who asks.
    package func query(from path: String) -> String {
        let query = path.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        let fields = query.split(separator: "&").compactMap { field -> (Substring, Substring)? in
            let halves = field.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, halves[1].count <= 20,
                halves[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
            else { return nil }
            return (halves[0], halves[1])
        }
        return kept.compactMap { name in fields.first { $0.0 == name }.map { "\(name)=\($0.1)" } }
            .joined(separator: "&")
    }
}
