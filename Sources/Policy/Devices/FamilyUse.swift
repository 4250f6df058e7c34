package import Foundation

/// How a device is used that belongs to the family and to nobody in it, such as a television: whose times hold, and whose
/// minutes count.
package struct FamilyUse: Hashable, Sendable {
    package enum Times: Hashable, Sendable {
        /// Nothing blocks it.
        case never
        /// Blocked while any child is.
        case anyChild
        /// Blocked while all children sleep.
        case allChildren
        /// One person's; its own are those of a person who stands for devices (`Person.Role.shared`).
        case person(PersonID)
    }

    package var times: Times
    /// Whose minutes its use adds to, and whose limits hold on it; nil: nobody's.
    package var minutesOf: PersonID?
    /// Whether nobody chose these times: whom it followed is gone.
    package var isFallback: Bool

    package init(_ times: Times = .anyChild, minutesOf: PersonID? = nil, isFallback: Bool = false) {
        self.times = times
        self.minutesOf = times == .never ? nil : minutesOf
        self.isFallback = isFallback
    }

    /// Without people who are gone. A device that followed one of them follows every child.
    func without(_ isGone: (PersonID) -> Bool) -> FamilyUse {
        var use = self
        if case .person(let person) = times, isGone(person) {
            (use.times, use.isFallback) = (.anyChild, true)
        }
        if minutesOf.map(isGone) ?? false { use.minutesOf = nil }
        return use
    }
}

extension FamilyUse: Codable {
    private enum CodingKeys: String, CodingKey { case times, person, minutesOf, isFallback }

    private enum Word: String, Codable { case never, anyChild, allChildren, person }

    /// What cannot be read follows every child: damage opens nothing.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let word = try? container.decode(Word.self, forKey: .times)
        let person = try? container.decode(PersonID.self, forKey: .person)
        let times: Times? =
            switch word {
            case .never: .never
            case .anyChild: .anyChild
            case .allChildren: .allChildren
            case .person: person.map(Times.person)
            case nil: nil
            }
        let isFallback = (try? container.decodeIfPresent(Bool.self, forKey: .isFallback)) ?? false
        self.init(
            times ?? .anyChild,
            minutesOf: (try? container.decodeIfPresent(PersonID.self, forKey: .minutesOf)) ?? nil,
            isFallback: isFallback || times == nil)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch times {
        case .never: try container.encode(Word.never, forKey: .times)
        case .anyChild: try container.encode(Word.anyChild, forKey: .times)
        case .allChildren: try container.encode(Word.allChildren, forKey: .times)
        case .person(let person):
            try container.encode(Word.person, forKey: .times)
            try container.encode(person, forKey: .person)
        }
        try container.encodeIfPresent(minutesOf, forKey: .minutesOf)
        if isFallback { try container.encode(isFallback, forKey: .isFallback) }
    }
}

extension Device {
    /// Whether it belongs to a person or to the family.
    package var isSomebodys: Bool { person != nil || family != nil }

    /// To whose minutes its use adds.
    package var countsFor: PersonID? { person ?? family?.minutesOf }
}

extension Household {
    /// Gives a device to the family; needs the passcode. Refused where that may take it from a strict session or past a wait
    /// (`StrictGuard`, `LooseningGuard`); what holds there already and more is never refused.
    package mutating func share(_ id: DeviceID, as use: FamilyUse, at now: Date) throws(Refusal) {
        let device = try index(of: id)
        if case .person(let person) = use.times { _ = try index(of: person) }
        if let person = use.minutesOf { _ = try index(of: person) }
        let isKept = holders(of: use).keeps(holders(of: devices[device])) && !devices[device].isUnplaced
        if !isKept { try guardLeaving(devices[device], for: nil, at: now) }
        devices[device].belongs(to: nil)
        devices[device].family = use
    }

    /// Gives a device of the family times of its own. A person who bears its name stands for it and has them, and its
    /// limits too where its minutes count for nobody else.
    ///
    /// - Parameter person: an id that nobody ever had.
    package mutating func shareWithOwnTimes(
        _ id: DeviceID, of person: PersonID, minutesOf: PersonID? = nil, catalog: Catalog, at now: Date
    ) throws(Refusal) {
        let device = devices[try index(of: id)]
        // Who stood for it before stands for it again, with the same times.
        let former = people.first {
            $0.role == .shared && devices(of: $0).isEmpty && CleanName.looksLike($0.name, device.name)
        }
        if let former {
            return try share(
                id, as: FamilyUse(.person(former.id), minutesOf: minutesOf ?? former.id), at: now)
        }
        // One name for both; a second device of that name gets a number.
        let names = [device.name] + (2...99).map { "\(device.name.prefix(CleanName.maximum - 3)) \($0)" }
        let name = names.first { name in !people.contains { CleanName.looksLike($0.name, name) } }
        try addPerson(person, name: name ?? device.name, role: .shared, catalog: catalog)
        try share(id, as: FamilyUse(.person(person), minutesOf: minutesOf ?? person), at: now)
    }
}

extension Household {
    /// The devices of a person, or of the family's devices those with these times of their own.
    package func devices(of person: Person) -> [Device] {
        devices.filter {
            $0.person == person.id || person.role == .shared && $0.family?.times == .person(person.id)
        }
    }
}
