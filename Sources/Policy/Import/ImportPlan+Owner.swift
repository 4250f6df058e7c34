extension Household {
    /// The owner of a client by what the file says: a group's, a person's in its name, else its own; nobody's if nothing is
    /// blocked for it and nothing calls it a child's, because an owner's nights would hold on it.
    func proposedOwner(of client: ForeignClient) -> ImportPlan.Owner {
        guard !client.rules.isEmpty || client.isChild else { return .nobody }
        if let group = client.group { return owner(named: group) }
        let words = Set(client.name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
        if let person = people.first(where: { words.contains($0.name.lowercased()) }) {
            return .person(person.id)
        }
        if let name = client.name.firstMatch(of: /^(.+?)['’]s?\s/)?.1 { return owner(named: String(name)) }
        if client.rules.areOfTheHouse, !client.isChild { return owner(named: "Shared devices") }
        return owner(named: client.name)
    }

    /// The person of that name, else a new one.
    package func owner(named typed: String) -> ImportPlan.Owner {
        guard let name = try? CleanName.checked(String(CleanName.cleaned(typed).prefix(CleanName.maximum)))
        else { return .nobody }
        return people.first { CleanName.looksLike($0.name, name) }.map { .person($0.id) } ?? .new(name)
    }
}
