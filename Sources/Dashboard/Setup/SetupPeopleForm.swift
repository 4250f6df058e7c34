package import Policy

/// The posted names: `name-1` and `role-1` for the person 1 and so on, `new` for one more person, and `add` with that
/// person's role, and `newDevices` (`children`, `nobody`). Without `add`, the form leads to the next step.
package struct SetupPeopleForm {
    struct Row {
        let id: PersonID
        let name: String
        let role: Person.Role?
    }

    let rows: [Row]
    let newName: String
    /// The role on the pressed button that adds a person; nil: another button was pressed.
    let button: Person.Role?
    /// Whether new devices follow the children; nil: not asked.
    let newDevicesFollow: Bool?
    private let reading: FormReading

    package init(_ fields: FormFields, _ household: Household) {
        var reading = FormReading(fields)
        rows = household.people.map { person in
            let id = person.id.rawValue
            return Row(
                id: person.id, name: reading.optional("name-\(id)") ?? person.name,
                role: fields.contains("role-\(id)")
                    ? reading.choice("role-\(id)", "Choose adult or child.") : person.role)
        }
        let typed = reading.optional("new") ?? ""
        newName = typed
        button = fields.contains("add") ? reading.choice("add", "Choose adult or child.") : nil
        if button == .shared { reading.refuse("add", "Choose adult or child.") }
        if button == nil, typed.contains(where: { !$0.isWhitespace }) {
            reading.refuse("new", "Press Add child or Add adult first.")
        }
        let rule = reading.optional("newDevices")
        newDevicesFollow = rule.map { $0 == "children" }
        if let rule, !["children", "nobody"].contains(rule) { reading.refuse("newDevices", "Choose one.") }
        self.reading = reading
    }

    /// The role of the person to add; nil if no name is typed.
    var added: Person.Role? { newName.isEmpty ? nil : button }

    func check() throws(FormRejected) {
        var reading = reading
        try reading.finish()
    }

    /// - Parameter at: called with the name of each field before its rule is tried.
    func apply(
        to household: inout Household, newcomer: PersonID?, of asker: Asker, _ catalog: Catalog,
        at: (String) -> Void
    ) throws(Refusal) {
        for row in rows {
            at("name-\(row.id.rawValue)")
            guard let person = household[person: row.id] else { throw .unknownPerson }
            if person.name != row.name { try household.renamePerson(row.id, to: row.name) }
            let isTheirs = asker.device.map { $0.person == row.id && $0.isConfirmed } ?? false
            if let role = row.role, role != person.role {
                try household.setRole(row.id, to: role, isTheirs: isTheirs)
            }
        }
        if newDevicesFollow == true { household.letNewDevicesFollowChildren() }
        if newDevicesFollow == false { try household.setNewDevices(belongTo: nil) }
        at("new")
        if let newcomer, let added {
            try household.addPerson(newcomer, name: newName, role: added, catalog: catalog)
        } else if button != nil, household.people == asker.household.people {
            throw .nameMissing
        }
    }
}
