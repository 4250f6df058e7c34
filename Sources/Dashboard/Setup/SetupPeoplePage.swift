import Pages
package import Policy

/// Who sleeps here: names, and who is a child. GET and POST `/setup/people`, in set-up and later.
package struct SetupPeoplePage: Page {
    package static let template = "setup-people"

    struct PersonRow {
        let id: Int64
        let name: String
        let typed: String
        let roles: [Choice]
        let rowError: String?
        /// Whether the reader begins in its name field.
        let isFocused: Bool
    }

    package let title = "Who sleeps here?"
    let progress: SetupProgress?
    let people: [PersonRow]
    /// Whether the field for a new person is ready for the next name, because one was just added.
    let isAdding: Bool
    let newName: String
    /// What happens to new devices, once there is a child and nobody chose a person for them; empty outside set-up.
    let newDevices: [Choice]
    let asksNewDevices: Bool
    let error: String?

    /// - Parameters:
    ///   - typed: what was sent and not saved; its fields keep it.
    ///   - errors: by field name.
    package init(
        _ household: Household, step: SetupStep? = nil, isAdding: Bool = false, typed: SetupPeopleForm? = nil,
        errors: [String: String] = [:]
    ) {
        progress = step.map(SetupProgress.init)
        let isAdding = isAdding || errors["new"] != nil
        people = household.people.map { person in
            let id = person.id.rawValue
            let row = typed?.rows.first { $0.id == person.id }
            let rowError = errors["name-\(id)"] ?? errors["role-\(id)"]
            let isFirst =
                step != nil && !isAdding && errors.isEmpty && id == household.people.first?.id.rawValue
            return PersonRow(
                id: id, name: person.name, typed: row?.name ?? person.name,
                roles: Person.Role.choices(selected: row?.role ?? person.role), rowError: rowError,
                isFocused: rowError != nil || isFirst)
        }
        self.isAdding = isAdding
        newName = typed?.newName ?? ""
        let asks =
            step != nil && household.newDevicesBelongTo == nil
            && household.hasChild
        // It is proposed until it was asked: by the form that had a child before the one who was just added, or on the
        // way to a later step.
        let wasAsked =
            isAdding
            ? household.people.dropLast().contains { $0.role == .child } : household.setupStep != .people
        let follows = typed?.newDevicesFollow ?? (household.familyOfNew != nil || !wasAsked)
        newDevices =
            asks
            ? [
                Choice(
                    "children", "The children’s nights and windows hold until you say whose it is",
                    isSelected: follows),
                Choice("nobody", "Not blocked", isSelected: !follows),
            ] : []
        asksNewDevices = asks
        error = errors["new"] ?? errors["add"]
    }
}
