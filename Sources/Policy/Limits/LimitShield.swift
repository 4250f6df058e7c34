package import Foundation

/// What a limit's shield says and offers for one name.
package struct LimitShield: Hashable, Sendable {
    package enum Unlock: Hashable, Sendable {
        /// Today's unlocks that are left; nil: any number.
        case offered(left: Int?)
        /// Today's unlocks are used up; how many there were.
        case usedUp(Int)
        /// Something else blocks the name too.
        case notOffered

        package var isOffered: Bool { if case .offered = self { true } else { false } }
    }

    /// The app or category whose limit is reached, and its name.
    package var target: LimitTarget
    package var targetName: String
    /// The limited app that owns the name.
    package var app: App
    /// Minutes used and allowed, of the day or of the week.
    package var used: Int
    package var allowed: Int
    /// Whether the week's budget is used up.
    package var isWeekly: Bool
    package var resetsAt: Date
    package var unlock: Unlock
    /// Whether a child may ask for more time: somebody could answer.
    package var canAsk: Bool
    /// Today's latest request for more time for this limit.
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
    /// Nil if the block is not a limit's, or no longer covers this name.
    func limitShield(of name: String, person id: PersonID, block: Block) -> LimitShield? {
        guard block.layer == .limits, let target = block.target, let person = household[person: id],
            let app = catalog.app(of: target, holding: name),
            let state = person.limitStates(at: instant, in: household.zone, usage: usage)
                .first(where: { $0.limit.target == target })
        else { return nil }
        let isWeekly = state.use.day < state.allowance
        let held = verdicts[id]?.blocks.filter { covers(.block($0, of: id), name) } ?? []
        let isSole = held.allSatisfy { $0.layer == .limits }
        let day = person.limits.day(at: instant, in: household.zone)
        return LimitShield(
            target: target, targetName: catalog.name(of: target), app: app,
            used: isWeekly ? state.use.week : state.use.day,
            allowed: isWeekly ? state.weeklyAllowance ?? 0 : state.allowance, isWeekly: isWeekly,
            resetsAt: state.resetsAt,
            unlock: isSole ? person.limits.unlock(on: day) : .notOffered,
            canAsk: person.role == .child && household.canAsk(id),
            request: person.requests(at: instant, in: household.zone).last { $0.target == target })
    }
}

extension Snapshot {
    /// Today's latest question for more minutes of a limit that covers a folded name.
    func asked(about name: String, person id: PersonID) -> NameVerdict.Asked? {
        guard let person = household[person: id] else { return nil }
        let latest = person.requests(at: instant, in: household.zone).last {
            catalog.app(of: $0.target, holding: name) != nil
        }
        return latest.map {
            NameVerdict.Asked(answer: $0.answer, targetName: catalog.name(of: $0.target))
        }
    }

    /// When the last probation ends that covers a folded name.
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
    /// The name of a limit's target, as people say it.
    package func name(of target: LimitTarget) -> String {
        switch target {
        case .app(let id): app(id: id)?.name ?? id
        case .category(let id): category(id: id)?.name ?? id
        }
    }

    /// The app under a limit that owns a folded name; its own app first.
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
