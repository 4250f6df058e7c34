/// The people whose rules hold on a device.
package struct RuleHolders: Hashable, Sendable {
    /// All rules of this one hold: the device is theirs.
    package private(set) var owner: PersonID?
    /// The nights and windows of these hold.
    private var times: [PersonID] = []
    /// Whether only nights hold, and only while all of them sleep.
    private var isTogether = false
    /// Whose limits hold, because the device's minutes count for them.
    private var minutes: PersonID?

    package static let nobody = RuleHolders(owner: nil)

    package init(owner: PersonID?) { self.owner = owner }

    init(times: [PersonID], isTogether: Bool = false, minutes: PersonID? = nil) {
        (self.times, self.isTogether, self.minutes) = (times, isTogether, minutes)
    }

    package var isNobody: Bool { people.isEmpty }

    package var people: Set<PersonID> { Set(([owner, minutes].compactMap { $0 }) + times) }

    /// Whether all that others block is blocked by these too.
    func keeps(_ others: RuleHolders) -> Bool {
        guard owner == others.owner, others.minutes == nil || minutes == others.minutes else { return false }
        // One more person who must sleep too opens more.
        if isTogether { return others.times.isEmpty || others.isTogether && times == others.times }
        return Set(times).isSuperset(of: others.times)
    }

    /// Who is meant where one person is.
    var first: PersonID? { owner ?? minutes ?? times.first }

    /// What they block, in the order of layers, each with the person whose rule it is.
    package func blocks(in verdicts: [PersonID: Verdict]) -> [(block: Block, person: PersonID?)] {
        func blocks(of person: PersonID) -> [Block] { verdicts[person]?.blocks ?? [] }
        if let owner { return blocks(of: owner).map { ($0, owner) } }
        if isTogether {
            let asleep = times.compactMap { person in blocks(of: person).first { $0.layer == .sleep } }
            let night = asleep.count == times.count ? Block.together(asleep).map { ($0, times.first) } : nil
            return [night].compactMap { $0 } + limits(in: verdicts)
        }
        let ordered: [Layer] = [.sleep, .windows]
        return ordered.flatMap { layer in
            let held = times.flatMap { person in
                blocks(of: person).filter { $0.layer == layer }.map { (block: $0, person: person) }
            }
            // Who blocks a name for longest comes first: the first one says until when it is closed.
            return held.sorted { $0.block.isAfter($1.block) }.map { ($0.block, $0.person) }
        } + limits(in: verdicts)
    }

    private func limits(in verdicts: [PersonID: Verdict]) -> [(block: Block, person: PersonID?)] {
        guard let minutes, let blocks = verdicts[minutes]?.blocks else { return [] }
        return blocks.filter { $0.layer == .limits }.map { ($0, minutes) }
    }
}

extension Block {
    /// Whether it ends later; one without an end ends last.
    fileprivate func isAfter(_ other: Block) -> Bool {
        guard let end = other.until else { return false }
        return until.map { $0 > end } ?? true
    }

    /// A night of several people: what any of them may use stays open, and the first to wake ends it.
    fileprivate static func together(_ nights: [Block]) -> Block? {
        guard var night = nights.first else { return nil }
        var allowed = AppSelection()
        for case .everythingBut(let selection) in nights.map(\.scope) { allowed.formUnion(selection) }
        night.scope = .everythingBut(allowed)
        night.since = nights.map(\.since).max() ?? night.since
        night.until = nights.compactMap(\.until).min()
        return night
    }
}

extension AppSelection {
    package mutating func formUnion(_ other: AppSelection) {
        apps.formUnion(other.apps)
        categories.formUnion(other.categories)
        domains.formUnion(other.domains)
    }
}

extension Household {
    package func holders(of device: Device) -> RuleHolders {
        if let person = device.person { return RuleHolders(owner: person) }
        return device.family.map { holders(of: $0) } ?? .nobody
    }

    /// Without a child, the times of every child are everybody's: a rule that lost its people opens nothing.
    package func holders(of use: FamilyUse) -> RuleHolders {
        let children = people.filter { $0.role == .child }.map(\.id)
        let everyChild = children.isEmpty ? members.map(\.id) : children
        return switch use.times {
        case .never: .nobody
        case .anyChild: RuleHolders(times: everyChild, minutes: use.minutesOf)
        case .allChildren: RuleHolders(times: everyChild, isTogether: true, minutes: use.minutesOf)
        case .person(let person): RuleHolders(times: [person], minutes: use.minutesOf)
        }
    }

    /// Whose rules hold on a device that was never seen.
    package var holdersOfNew: RuleHolders {
        familyOfNew.map { holders(of: $0) } ?? RuleHolders(owner: newDevicesBelongTo)
    }

    /// Everybody whose rules hold on a device of the family, once each.
    package var familyHolders: Set<RuleHolders> {
        let uses = Set(devices.indices.compactMap { devices[$0].family } + [familyOfNew].compactMap { $0 })
        return Set(uses.map { holders(of: $0) })
    }

    /// The people who live here, without those who stand for devices.
    package var members: [Person] { people.filter { $0.role != .shared } }
}
