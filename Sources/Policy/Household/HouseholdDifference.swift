/// What would be different if another household took the place of this one.
package struct HouseholdDifference: Equatable, Sendable {
    package struct Rules: Equatable, Sendable {
        /// The present name; nil: the household's own rules.
        package let person: String?
        package let subjects: [RuleSubject]
    }

    package struct Handing: Equatable, Sendable {
        package let device: String
        /// A name, `the family` or `nobody`.
        package let from: String
        package let to: String
    }

    /// Names of people who are in the other household only.
    package let peopleBack: [String]
    /// Names of people who are in this one only.
    package let peopleGone: [String]
    /// Of the people who are in both, and of the household itself.
    package let rules: [Rules]
    package let devicesBack: [String]
    package let devicesGone: [String]
    package let handed: [Handing]
}

extension Household {
    /// The difference that another household in this one's place would make. People and devices are the same if they
    /// have the same number.
    package func difference(to other: Household) -> HouseholdDifference {
        let changes = other.ruleChanges(since: self)
        let owners = other.people.map(\.id).map(Optional.some) + [nil]
        return HouseholdDifference(
            peopleBack: other.people.filter { self[person: $0.id] == nil }.map(\.name),
            peopleGone: people.filter { other[person: $0.id] == nil }.map(\.name),
            rules: owners.compactMap { owner in
                let subjects = changes.filter { $0.person == owner }.map(\.subject)
                return subjects.isEmpty
                    ? nil : .init(person: owner.flatMap { self[person: $0]?.name }, subjects: subjects)
            },
            devicesBack: other.devices.filter { self[device: $0.id] == nil }.map(\.name),
            devicesGone: devices.filter { other[device: $0.id] == nil }.map(\.name),
            handed: devices.compactMap { device in
                guard let then = other[device: device.id] else { return nil }
                let (from, to) = (owner(of: device), other.owner(of: then))
                return from == to ? nil : .init(device: device.name, from: from, to: to)
            })
    }

    private func owner(of device: Device) -> String {
        if device.family != nil { return "the family" }
        return device.person.flatMap { self[person: $0]?.name } ?? "nobody"
    }
}
