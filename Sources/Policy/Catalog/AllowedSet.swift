extension AppSelection {
    /// What a new person allows at night until it is unticked.
    package static let first = AppSelection(categories: [
        "phone", "maps", "backups", "health", "alarms", "sign-in",
    ])

    /// The categories of this selection that a catalog has.
    func known(to catalog: Catalog) -> AppSelection {
        AppSelection(categories: categories.filter { catalog.category(id: $0) != nil })
    }
}

/// Categories that are allowed with one tap.
package enum AllowedSet: String, Sendable, CaseIterable {
    case sleepSounds = "sleep-sounds"
    case onCall = "on-call"
    /// What every new person has; offered to people who allow nothing.
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
    /// Gives the first selection to a person who allows nothing yet.
    package mutating func allowFirstSelection(_ id: PersonID, catalog: Catalog) throws(Refusal) {
        let index = try index(of: id)
        guard people[index].allowed.isEmpty else { return }
        people[index].allowed = AppSelection.first.known(to: catalog)
    }

    /// Adds a set to what a person allows; removes nothing.
    package mutating func allow(
        _ set: AllowedSet, for id: PersonID, catalog: Catalog
    ) throws(Refusal) {
        let index = try index(of: id)
        people[index].allowed.categories.formUnion(set.selection.known(to: catalog).categories)
    }
}
