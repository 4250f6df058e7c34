import Directory
import Foundation

/// What decides about names for one device, in order: the first rule whose names cover a name decides, and what none covers
/// is open (design.md, "Verdict"). DNS compiles it; the shield, `explain`, the gateway and "Just blocked" read it.
package struct NameRules: Hashable, Sendable {
    package enum Rule: Hashable, Sendable {
        /// What stays reachable whatever happens.
        case reachable
        case help(HelpNames)
        /// With the person whose rule it is.
        case block(Block, of: PersonID?)
    }

    /// Whose verdicts hold; nobody's for a device without an owner, and for an unknown one.
    package let holders: RuleHolders
    package let ordered: [Rule]

    /// - Parameters:
    ///   - help: the names that Help opens on the device.
    ///   - trial: its "Try it for two minutes".
    package init(
        _ holders: RuleHolders, help: HelpNames? = nil, trial: Block? = nil, in snapshot: Snapshot
    ) {
        self.holders = holders
        ordered =
            [.reachable] + [help.map(Rule.help)].compactMap { $0 }
            + [trial].compactMap { $0 }.map { Rule.block($0, of: holders.first) }
            + (holders.blocks(in: snapshot.verdicts)
            + [snapshot.household.waysOut(for: holders)].compactMap { $0 })
            .map { Rule.block($0.block, of: $0.person) }
    }

    /// One person's, without Help.
    package init(person: PersonID?, in snapshot: Snapshot) {
        self.init(RuleHolders(owner: person), in: snapshot)
    }

    /// A known device's.
    init(_ device: Device, in snapshot: Snapshot) {
        self.init(
            snapshot.household.holders(of: device), help: snapshot.help(on: device),
            trial: snapshot.household.tryBlock(on: device, at: snapshot.instant), in: snapshot)
    }

    package var blocksNothing: Bool {
        !ordered.contains { if case .block = $0 { true } else { false } }
    }

    /// The same rules with their names, for many questions.
    package func prepared(in snapshot: Snapshot) -> PreparedRules {
        PreparedRules(ordered.map { ($0, snapshot.names(of: $0)) })
    }
}

/// Rules with the names that they cover.
package struct PreparedRules: Sendable {
    private let rules: [(rule: NameRules.Rule, names: CoveredNames)]

    fileprivate init(_ rules: [(rule: NameRules.Rule, names: CoveredNames)]) { self.rules = rules }

    /// What blocks a folded name; nothing if it is open.
    package func block(of name: String) -> Block? {
        guard case .block(let block, _) = rules.first(where: { $0.names.covers(name) })?.rule else {
            return nil
        }
        return block
    }
}

/// Names, or all names but these.
private struct CoveredNames: Sendable {
    var names: CatalogNames
    var isInside = true

    func covers(_ name: String) -> Bool { names.covers(name) == isInside }
}

extension Snapshot {
    /// Whether a rule covers a folded name.
    func covers(_ rule: NameRules.Rule, _ name: String) -> Bool { names(of: rule).covers(name) }

    fileprivate func names(of rule: NameRules.Rule) -> CoveredNames {
        switch rule {
        case .reachable: CoveredNames(names: catalog.reachableNames(without: household.unreachable))
        case .help(let help): CoveredNames(names: catalog.names(of: help.names, without: help.shut))
        case .block(let block, _):
            switch block.scope {
            case .everythingBut(let allowed):
                CoveredNames(names: catalog.names(of: allowed), isInside: false)
            case .only(let blocked):
                CoveredNames(names: catalog.names(of: blocked, without: block.exempt))
            }
        }
    }

    /// The rules of everybody whose rules hold for a client, the device itself first. A new device, and one that nobody
    /// enrolled, follows the rule for new devices.
    func rules(for answer: DeviceDirectory.Answer) -> [NameRules] {
        let known = household.devices(answer).map { NameRules($0, in: self) }
        guard answer.isNew || known.isEmpty else { return known }
        return known + [NameRules(household.holdersOfNew, in: self)]
    }
}
