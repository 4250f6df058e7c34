package import Foundation

/// Apps and whole categories, and the windows in which they are open. Most people have one set, which has no name. What
/// is in several sets is open while each of them is.
package struct WindowSet: Hashable, Codable, Sendable, Identifiable {
    /// How many sets a person can have besides the first.
    package static let maximumCount = 8

    /// Nil for the first set.
    package let id: UUID?
    /// Empty for the first set.
    @Defaulted package var name: String
    /// What to block. Nil: never chosen, which is not the same as nothing.
    @Defaulted package var restricted: AppSelection?
    /// The windows in order of start. Nothing is blocked before they are configured (nil); an empty list blocks all day.
    @Defaulted package var windows: [TimeWindow]?

    /// Those of the first set are the seeds' own.
    private enum CodingKeys: String, CodingKey {
        case id, name
        case restricted = "selectedApps"
        case windows = "allowedWindows"
    }

    package init(
        id: UUID?, name: String = "", restricted: AppSelection? = nil, windows: [TimeWindow]? = nil
    ) {
        self.id = id
        self.name = name
        self.restricted = restricted
        self.windows = windows
    }

    /// What was chosen, if anything was.
    package var chosen: AppSelection { restricted ?? AppSelection() }

    /// Whether there is something to block and a schedule for it.
    package var isConfigured: Bool { windows != nil && !chosen.isEmpty }
}

extension AntiRot {
    /// All sets, the first one first.
    package var sets: [WindowSet] { [first] + otherSets }

    package var first: WindowSet { WindowSet(id: nil, restricted: restricted, windows: windows) }

    /// A set by its id; nil if there is none. Setting nil removes it.
    package subscript(set id: UUID?) -> WindowSet? {
        get {
            guard let id else { return first }
            return otherSets.first { $0.id == id }
        }
        set {
            guard let id else {
                (restricted, windows) = (newValue?.restricted, newValue?.windows)
                return
            }
            if let index = otherSets.firstIndex(where: { $0.id == id }) {
                if let newValue { otherSets[index] = newValue } else { otherSets.remove(at: index) }
            } else if let newValue {
                otherSets.append(newValue)
            }
        }
    }

    /// Whether a set blocks something at some time.
    package var isConfigured: Bool { sets.contains(where: \.isConfigured) }

    /// What all sets name together.
    package var allRestricted: AppSelection {
        otherSets.reduce(into: first.chosen) { all, set in
            all.apps.formUnion(set.chosen.apps)
            all.categories.formUnion(set.chosen.categories)
            all.domains.formUnion(set.chosen.domains)
        }
    }

    /// Forgets an app that no longer exists.
    mutating func forget(app id: String) {
        restricted?.apps.remove(id)
        for index in otherSets.indices { otherSets[index].restricted?.apps.remove(id) }
    }
}
