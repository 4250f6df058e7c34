package import Foundation
package import Policy

/// What a picker chooses apps for. It decides which categories come first: those for which people come.
package enum PickerPurpose: Hashable, Sendable {
    /// Allowed Apps.
    case allowing
    /// Anti-Rot.
    case blocking
    /// One of Anti-Rot's sets besides the first.
    case blockingSet(UUID)
    /// A limit's app or category.
    case limiting
    /// Verified minutes.
    case counting
    /// Apps that are cut at once.
    case cutting

    /// The categories in the order in which they are shown: what people come for, the catalog's order, and what nobody
    /// needs to pass by.
    package func inOrder(_ categories: [Category]) -> [Category] {
        let first = first.compactMap { id in categories.first { $0.id == id } }
        let others = categories.filter { !self.first.contains($0.id) }
        return first + others.filter { !Self.last.contains($0.id) }
            + others.filter { Self.last.contains($0.id) }
    }

    /// The categories for which people come.
    var first: [String] {
        switch self {
        case .allowing: ["phone", "messengers", "maps", "health", "sleep", "alarms"]
        case .blocking, .blockingSet, .limiting, .cutting: ["short-video", "social", "video", "games"]
        case .counting: ["learning", "books", "reading", "work"]
        }
    }

    private static let last: Set = ["adult", "gambling", "dating"]

    /// Apps only: no whole categories and no domains.
    package var isAppsOnly: Bool { self == .blocking || self == .cutting }

    /// `All allowed`, beside a category.
    var all: String {
        switch self {
        case .allowing: "All allowed"
        case .blocking, .blockingSet: "All blocked"
        case .counting: "All counted"
        case .limiting, .cutting: "All"
        }
    }

    /// Where it is; Undo is at `/undo` below.
    package var path: String {
        switch self {
        case .allowing: "/allowed-apps"
        case .blocking: "/anti-rot/apps"
        case .blockingSet(let set): "/anti-rot/sets/\(set.uuidString)/apps"
        case .limiting: "/limits/new"
        case .counting: "/verified/selection"
        case .cutting: "/relay"
        }
    }
}
