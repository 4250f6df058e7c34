package import Policy

/// The seeds' `SharedSessionStore` by its own names, for one person.
extension HouseholdStore {
    /// The session; nil for none, and for one that cannot be read.
    package func loadSession(of person: PersonID) -> SleepSession? { household[person: person]?.session }

    /// Never nil: an empty selection if none was saved.
    package func loadAllowedApps(of person: PersonID) -> AppSelection {
        household[person: person]?.allowed ?? AppSelection()
    }

    /// Flexible if none was chosen.
    package func loadDefaultStrictness(of person: PersonID) -> StrictnessMode {
        household[person: person]?.defaultStrictness ?? .flexible
    }

    /// Forgets the schedule and the decision for tonight; a running session goes on.
    package func clearSchedule(of person: PersonID) throws {
        try change { household in
            household[person: person]?.schedule = nil
            household[person: person]?.tonight = nil
        }
    }
}
