import Foundation

/// The five places of the bar, and the one table that says to which place each page belongs.
package enum Place: String, CaseIterable, Sendable {
    case tonight, apps, usage, household, more

    /// The page that the bar opens.
    package var path: String { self == .tonight ? "/" : "/\(rawValue)" }
    package var name: String { rawValue.capitalized }

    /// A template in `Templates/`.
    var icon: String {
        switch self {
        case .tonight: "icons/moon"
        case .apps: "icons/grid"
        case .usage: "icons/chart"
        case .household: "icons/house"
        case .more: "icons/more"
        }
    }

    /// Where a page stands. The longest entry of `table` with which its path begins decides, so that a page below
    /// another needs no entry of its own.
    package struct Spot: Sendable {
        /// Nil for a page without the bar.
        package let place: Place?
        /// What a page below is led back to; nil if pages below go straight back to their place.
        package let name: String?
        /// The page one step up, if that is not the place itself.
        package let above: String?

        fileprivate init(_ place: Place?, _ name: String? = nil, above: String? = nil) {
            self.place = place
            self.name = name
            self.above = above
        }
    }

    /// Nil for an address that no page has. `path` may have a query.
    package static func spot(of path: String) -> Spot? { entry(of: components(path))?.spot }

    /// The page to which a page leads back, one step up; nil for a place's own page and for pages without the bar.
    static func above(_ path: String) -> (path: String, name: String)? {
        let parts = components(path)
        guard let (key, spot) = entry(of: parts), let place = spot.place, parts != components(place.path)
        else { return nil }
        let isBelow = parts.count > components(key).count
        if isBelow, let name = spot.name { return (key, name) }
        if let above = spot.above, let name = table[above]?.name { return (above, name) }
        return (place.path, place.name)
    }

    private static func components(_ path: String) -> [Substring] {
        path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    }

    private static func entry(of parts: [Substring]) -> (key: String, spot: Spot)? {
        for count in (0...parts.count).reversed() where count > 0 || parts.isEmpty {
            let key = "/" + parts.prefix(count).joined(separator: "/")
            if let spot = table[key] { return (key, spot) }
        }
        return nil
    }

    private static let table: [String: Spot] = [
        "/": Spot(.tonight), "/session": Spot(.tonight), "/schedule": Spot(.tonight),

        "/apps": Spot(.apps), "/allowed-apps": Spot(.apps), "/anti-rot": Spot(.apps),
        "/limits": Spot(.apps, "Limits"), "/suggestions": Spot(.apps, above: "/limits"),
        "/just-blocked": Spot(.apps),

        "/usage": Spot(.usage), "/focus": Spot(.usage, "Focus"), "/start": Spot(.usage, above: "/focus"),
        "/verified": Spot(.usage),

        "/household": Spot(.household), "/dates": Spot(.household), "/requests": Spot(.household),
        "/limits/requests": Spot(.household),
        "/devices": Spot(.household, "Devices"), "/check": Spot(.household, above: "/devices"),
        "/profiles": Spot(.household, above: "/devices"), "/trust": Spot(.household, above: "/devices"),

        "/more": Spot(.more), "/settings": Spot(.more, "Settings"), "/settings/people": Spot(.household),
        "/settings/backups": Spot(.more, "Backups", above: "/settings"),
        "/settings/import": Spot(.more, "Moving in", above: "/settings"),
        "/health": Spot(.more), "/machines": Spot(.more, "Machines"),
        "/help": Spot(.more), "/home-screen": Spot(.more), "/my-rules": Spot(.more, "My rules"),
        "/goodbye": Spot(.more, "Goodbye"), "/devices/router": Spot(.more),
        "/relay": Spot(.more, above: "/settings"), "/webhooks": Spot(.more, above: "/settings"),
        "/notices": Spot(.more),

        // Displays, the shield, and what comes before there is a way around.
        "/kiosk": Spot(nil), "/widget": Spot(nil), "/shield": Spot(nil), "/login": Spot(nil),
        "/setup": Spot(nil), "/offline": Spot(nil), "/answer": Spot(nil),
        "/kept": Spot(nil),
    ]
}
