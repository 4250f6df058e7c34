import Pages
package import Policy

/// Who sleeps here: names, and who is a child. GET `/setup/people`, in set-up and later; it posts to `/settings/people`
/// with `from=setup`.
package struct SetupPeoplePage: Page {
    package static let template = "setup-people"

    struct PersonRow {
        let id: Int64
        let name: String
        let roles: [Choice]
    }

    package let title = "Who sleeps here?"
    let progress: SetupProgress?
    let people: [PersonRow]
    /// Whether the field for a new person is ready for the next name, because one was just added.
    let isAdding: Bool
    let error: String?
    /// The refused name of a new person; its field keeps it.
    let refusedName: String?

    package init(
        _ household: Household, step: SetupStep? = nil, isAdding: Bool = false, error: String? = nil,
        refusedName: String? = nil
    ) {
        progress = step.map(SetupProgress.init)
        people = household.people.map { person in
            PersonRow(
                id: person.id.rawValue, name: person.name,
                roles: [(Person.Role.adult, "Adult"), (.child, "Child")].map {
                    Choice($0.rawValue, $1, isSelected: $0 == person.role)
                })
        }
        self.isAdding = isAdding
        self.error = error
        self.refusedName = refusedName
    }
}
