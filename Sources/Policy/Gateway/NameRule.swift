import Foundation

/// Everything that decides about names on a device: equal rules give equal answers.
struct NameRule: Hashable, Sendable {
    private var blocks: [Block]
    private var help: HelpNames?
    private var unreachable: Set<String>
    private var ownApps: [App]

    /// Nil for a device that nothing can block, because it has no owner and no try.
    init?(_ device: Device, in snapshot: Snapshot) {
        let household = snapshot.household
        let trial = household.tryBlock(on: device, at: snapshot.instant)
        guard device.person != nil || trial != nil else { return nil }
        blocks = [trial].compactMap { $0 } + (device.person.flatMap { snapshot.verdicts[$0] }?.blocks ?? [])
        help = snapshot.help(on: device)
        unreachable = household.unreachable
        ownApps = household.ownApps
    }

    var blocksNothing: Bool { blocks.isEmpty }

    /// The names of this rule, looked up once for many questions.
    func prepared(in catalog: Catalog) -> PreparedNames {
        var open = [catalog.reachableNames(without: unreachable)]
        if let help { open.append(catalog.names(of: help.names, without: help.shut)) }
        return PreparedNames(
            open: open,
            blocks: blocks.map { block in
                switch block.scope {
                case .everythingBut(let allowed): (catalog.names(of: allowed), isInside: false)
                case .only(let held): (catalog.names(of: held, without: block.exempt), isInside: true)
                }
            })
    }
}

/// A rule's names, and its past answers. It agrees with `Snapshot.verdict(of:device:)`.
struct PreparedNames: Sendable {
    let open: [CatalogNames]
    let blocks: [(CatalogNames, isInside: Bool)]
    private var known: [String: Bool] = [:]

    init(open: [CatalogNames], blocks: [(CatalogNames, isInside: Bool)]) {
        self.open = open
        self.blocks = blocks
    }

    /// How many answers are remembered before all are dropped.
    private static let mostKnown = 2 * AnsweredNames.mostAddresses

    /// Whether a folded name is blocked.
    mutating func blocks(_ name: String) -> Bool {
        if let known = known[name] { return known }
        let answer =
            !open.contains { $0.covers(name) } && blocks.contains { $0.0.covers(name) == $0.isInside }
        if known.count >= Self.mostKnown { known.removeAll() }
        known[name] = answer
        return answer
    }
}
