extension AppSelection {
    /// What everybody new allows at night until somebody unticks it.
    package static let first = AppSelection(categories: [
        "phone", "maps", "backups", "health", "alarms", "sign-in",
    ])

    /// Whether all of the first selection is in it, as far as a catalog has it.
    package func holdsFirst(in catalog: Catalog) -> Bool {
        let first = Self.first.known(to: catalog).categories
        return !first.isEmpty && first.isSubset(of: categories)
    }

    /// Of this selection, the categories that a catalog has.
    func known(to catalog: Catalog) -> AppSelection {
        AppSelection(categories: categories.filter { catalog.category(id: $0) != nil })
    }
}

/// Categories that are allowed with one tap.
package enum AllowedSet: String, Sendable, CaseIterable {
    case sleepSounds = "sleep-sounds"
    case onCall = "on-call"
    /// What everybody new has; offered to somebody who allows nothing.
    case starting

    package var selection: AppSelection {
        switch self {
        case .sleepSounds: AppSelection(categories: ["sleep", "music"])
        case .onCall: AppSelection(categories: ["phone", "messengers", "mail", "work"])
        case .starting: .first
        }
    }
}

extension Household {
    /// Gives somebody who allowed nothing yet the first selection.
    package mutating func allowFirstSelection(_ id: PersonID, catalog: Catalog) throws(Refusal) {
        let index = try index(of: id)
        guard people[index].allowed.isEmpty else { return }
        people[index].allowed = AppSelection.first.known(to: catalog)
    }

    /// Adds a set to what a person allows; nothing that was allowed goes.
    package mutating func allow(
        _ set: AllowedSet, for id: PersonID, catalog: Catalog
    ) throws(Refusal) {
        let index = try index(of: id)
        people[index].allowed.categories.formUnion(set.selection.known(to: catalog).categories)
    }
}
