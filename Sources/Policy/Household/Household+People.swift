package import Foundation

extension Household {
    package var hasChild: Bool { people.contains { $0.role == .child } }

    /// Adds a person, who allows at night what the first person allowed at first, as far as the catalog has it. A child
    /// begins with a few one-minute unlocks a day.
    package mutating func addPerson(
        _ id: PersonID, name: String, role: Person.Role = .adult, catalog: Catalog
    ) throws(Refusal) {
        var person = Person(id: id, name: try freeName(name), role: role)
        if role != .adult { person.limits.unlocksPerDay = Limits.unlocksOfAChild }
        people.append(person)
        try allowFirstSelection(id, catalog: catalog)
    }

    package mutating func renamePerson(_ id: PersonID, to name: String) throws(Refusal) {
        let index = try index(of: id)
        people[index].name = try freeName(name, besides: id)
    }

    /// Refuses a name that another person has, whatever its capitals and widths.
    private func freeName(_ typed: String, besides id: PersonID? = nil) throws(Refusal) -> String {
        let name = try CleanName.checked(typed)
        let same = people.first { $0.id != id && CleanName.looksLike($0.name, name) }
        if let same { throw .personNameTaken(same.name) }
        return name
    }

    /// `isTheirs`: asked on the person's own device. An adult with devices can become a child only there: everybody
    /// with the passcode sees a child's use, the past four weeks included (design.md, Trust).
    package mutating func setRole(
        _ id: PersonID, to role: Person.Role, isTheirs: Bool = false
    ) throws(Refusal) {
        let index = try index(of: id)
        guard (people[index].role == .shared) == (role == .shared) else { throw .roleOfDevices }
        let isLosingPrivacy = people[index].role == .adult && role == .child
        if isLosingPrivacy, !isTheirs, devices.contains(where: { $0.person == id }) {
            throw .adultsOwnRole(people[index].name)
        }
        people[index].role = role
        guard role == .child else { return }
        // As many as a child begins with; an adult's have no limit, unless one was chosen.
        if people[index].limits.unlocksPerDay == nil {
            people[index].limits.unlocksPerDay = Limits.unlocksOfAChild
        }
        // A child stays, even if they were about to leave as an adult.
        for device in devices.indices where devices[device].person == id { devices[device].departure = nil }
    }

    /// Removes a person, but never the last one; their devices then belong to nobody.
    package mutating func removePerson(_ id: PersonID, at now: Date) throws(Refusal) {
        let index = try index(of: id)
        guard people[index].role == .shared || members.count > 1 else { throw .lastPerson }
        guard !people[index].isStrict(at: now) else { throw .looseningStrict(of: people[index].name) }
        let wasChild = people.remove(at: index).role == .child
        for device in devices.indices {
            devices[device].leaves.removeAll { $0.person == id }
            devices[device].family = devices[device].family?.without { $0 == id }
            if devices[device].person == id || devices[device].left?.person == id {
                devices[device].belongs(to: nil)
            }
        }
        if newDevicesBelongTo == id {
            // What followed one child follows those who are left.
            newDevicesBelongTo = nil
            if wasChild { newDevicesFollowChildren = hasChild }
        }
    }

    /// Saves what stays reachable in sessions that start from now on. Normalises domains; refuses ids
    /// that neither the catalog nor the own apps have.
    package mutating func saveAllowed(
        _ id: PersonID, _ selection: AppSelection, catalog: Catalog
    ) throws(Refusal) {
        let index = try index(of: id)
        people[index].allowed = try catalog.adding(ownApps).checked(selection)
    }
}

extension Catalog {
    /// Checks that a selection can be stored: every id is known, and every domain is a name.
    package func checked(_ selection: AppSelection) throws(Refusal) -> AppSelection {
        let unknown =
            selection.apps.filter { app(id: $0) == nil }
            .union(selection.categories.filter { category(id: $0) == nil && $0 != Category.own.id })
        guard unknown.isEmpty else { throw .unknownIDs(unknown.sorted()) }
        guard selection.domains.count <= Household.maximumDomains else { throw .tooManyDomains }
        var checked = selection
        checked.domains = []
        for domain in selection.domains.sorted() {
            checked.domains.insert(try DomainName(typed: domain).text)
        }
        return checked
    }
}
