package import Foundation

/// What a limit's shield says and offers for one name (TH-013 to TH-018).
package struct LimitShield: Hashable, Sendable {
    package enum Unlock: Hashable, Sendable {
        /// `left` of today's; nil: as often as wanted.
        case offered(left: Int?)
        /// Today's are used up; how many there were.
        case usedUp(Int)
        /// Something else blocks the name too (C-25).
        case notOffered

        package var isOffered: Bool { if case .offered = self { true } else { false } }
    }

    /// The limit that is reached: its app or category, and what people call it.
    package var target: LimitTarget
    package var targetName: String
    /// The app that "Unlock for 1 min" opens: of those that the limit holds, the one that has the name.
    package var app: App
    /// Minutes used and allowed, of the day or of the week.
    package var used: Int
    package var allowed: Int
    /// Whether it is the week's budget that is used up.
    package var isWeekly: Bool
    package var resetsAt: Date
    package var unlock: Unlock
    /// Whether somebody else could answer a question for more time.
    package var canAsk: Bool
    /// The latest question for more time that was asked for this limit today.
    package var request: TimeRequest?

    package init(
        target: LimitTarget, targetName: String, app: App, used: Int, allowed: Int, isWeekly: Bool = false,
        resetsAt: Date, unlock: Unlock, canAsk: Bool = true, request: TimeRequest? = nil
    ) {
        self.target = target
        self.targetName = targetName
        self.app = app
        self.used = used
        self.allowed = allowed
        self.isWeekly = isWeekly
        self.resetsAt = resetsAt
        self.unlock = unlock
        self.canAsk = canAsk
        self.request = request
    }

    /// Leaves that the limit is reached, which everybody here may know: nothing of how it was used, and no button.
    package mutating func hideUse() {
        (used, unlock, canAsk, request) = (allowed, .notOffered, false, nil)
    }
}

extension Snapshot {
    /// Nil where the block is not a limit's, or not on this name any more.
    func limitShield(of name: String, person id: PersonID, block: Block) -> LimitShield? {
        guard block.layer == .limits, let target = block.target, let person = household[person: id],
            let app = catalog.app(of: target, holding: name),
            let state = person.limitStates(at: instant, in: household.zone, usage: usage)
                .first(where: { $0.limit.target == target })
        else { return nil }
        let isWeekly = state.use.day < state.allowance
        let held = verdicts[id]?.blocks.filter { $0.blocks(name, in: catalog) } ?? []
        let isSole = held.allSatisfy { $0.layer == .limits }
        let day = person.limits.day(at: instant, in: household.zone)
        return LimitShield(
            target: target, targetName: catalog.name(of: target), app: app,
            used: isWeekly ? state.use.week : state.use.day,
            allowed: isWeekly ? state.weeklyAllowance ?? 0 : state.allowance, isWeekly: isWeekly,
            resetsAt: state.resetsAt,
            unlock: isSole ? person.limits.unlock(on: day) : .notOffered,
            canAsk: household.canAsk(id), request: person.limits.requests.last { $0.target == target })
    }
}

extension Snapshot {
    /// When the last probation ends that holds a folded name.
    func probationEnd(of name: String, person id: PersonID) -> Date? {
        let probations = household[person: id]?.limits.probations ?? []
        return probations.filter {
            $0.isRunning(at: instant) && catalog.app(of: $0.target, holding: name) != nil
        }
        .map(\.expiresAt).max()
    }
}

extension Limits {
    fileprivate func unlock(on day: LimitDay) -> LimitShield.Unlock {
        guard let cap = unlocksPerDay else { return .offered(left: nil) }
        let used = unlocks.map { $0.day == day.date ? $0.count : 0 } ?? 0
        return used < cap ? .offered(left: cap - used) : .usedUp(cap)
    }
}

extension Catalog {
    /// What people call a limit's target.
    func name(of target: LimitTarget) -> String {
        switch target {
        case .app(let id): app(id: id)?.name ?? id
        case .category(let id): category(id: id)?.name ?? id
        }
    }

    /// Of the apps that a limit holds, the one that a folded name belongs to; its own app first.
    fileprivate func app(of target: LimitTarget, holding name: String) -> App? {
        switch target {
        case .app(let id):
            return app(id: id).flatMap { CatalogNames(suffixes: Set($0.suffixes)).covers(name) ? $0 : nil }
        case .category(let id):
            if let own = app(owning: name), own.category == id { return own }
            return apps(in: id).first { CatalogNames(suffixes: Set($0.suffixes)).covers(name) }
        }
    }
}
