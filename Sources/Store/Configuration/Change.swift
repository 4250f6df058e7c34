import GRDB
package import Policy
import Synchronization

extension HouseholdStore {
    /// Runs one rule as one transaction: what `body` makes of the household, and its entries for the log, are
    /// on the disk when this returns. If it throws, nothing has changed. Not to be nested.
    ///
    /// With `.evenInMemory` it holds also where the disk refuses it, and is written as soon as the disk takes it.
    @discardableResult
    package func change<T>(
        keeping: Keeping = .onDisk, _ body: (inout Household, inout [LogEntry]) throws -> T
    ) throws -> T {
        // What must survive goes into both files, so that damage to one of them undoes nothing.
        defer { if keeping == .onDisk { flush() } }
        return try untilAgreed(keeping) { trying in
            try change(keeping: keeping, body) { db, made in
                try agree(
                    db, from: made.change.old, to: made.household,
                    telling: Story(of: made.household, made.news), made.letters, trying: trying)
            }
        }
    }

    /// - Parameters:
    ///   - isTelling: whether webhooks are told; of another node's change they were told there.
    ///   - agreeing: what the nodes share once this is stored; nil: nothing changes for them. Without a database where the
    ///     disk refuses it.
    ///   - adopting: changes what else is in memory, before the next change can look; `true`: it is on the disk.
    func change<T>(
        keeping: Keeping, isTelling: Bool = true,
        _ body: (inout Household, inout [LogEntry]) throws -> T,
        agreeing: (Database?, Outcome<T>) throws -> Sharing?, adopting: (Bool) -> Void = { _ in }
    ) throws -> T {
        try inLine { db in
            var outcome: Outcome<T>?
            func run(on known: Household) throws -> Outcome<T> {
                var made = try Outcome(of: body, on: known)
                if isTelling { made.letters = letters(of: made.change) }
                return made
            }
            func settle(_ made: Outcome<T>, isStored: Bool) {
                adopting(isStored)
                adopt(made, isStored: isStored, db)
                putInLine(made.letters, db)
            }
            do {
                return try commitAgreed(db, isUrgent: keeping == .evenInMemory) { agreed in
                    let made = try run(on: household)
                    outcome = made
                    try write(db, made.household, made.news)
                    for letter in made.letters { try WebhookRecord.write(db, letter) }
                    agreed = try agreeing(db, made)
                    return made.result
                } adopting: { isStored in
                    if let outcome { settle(outcome, isStored: isStored) }
                }
            } catch let error as StoreError
                where keeping == .evenInMemory && (error.isAboutDisk || outcome != nil)
            {
                // If damaged rows refuse what a rule made, the disk is at fault too.
                if !error.isAboutDisk { _ = isInTrouble(.damaged(path: path, reason: error.description)) }
                let made = try outcome ?? run(on: household)
                if let agreed = try agreeing(nil, made) { adopt(agreed, isBehind: true) }
                settle(made, isStored: false)
                return made.result
            }
        }
    }

    /// The same without a log.
    @discardableResult
    package func change<T>(keeping: Keeping = .onDisk, _ body: (inout Household) throws -> T) throws -> T {
        try change(keeping: keeping) { household, _ in try body(&household) }
    }

    /// Runs `body` on the database's queue, one change after the other. If the database was opened anew while a change
    /// waited, it runs on the new one's queue.
    func inLine<T>(_ body: (Database) throws -> T) throws -> T {
        try StoreError.translating(path) {
            while true {
                let queue = queue
                let result = try queue.writeWithoutTransaction { db -> T? in
                    guard queue === self.queue else { return nil }
                    guard !isErased else { throw StoreError.erased }
                    // A stand-in in memory must take no write: the next restart would lose it.
                    return isStandIn ? try db.readOnly { try body(db) } : try body(db)
                }
                if let result { return result }
            }
        }
    }

    /// What a rule made applies from now on.
    private func adopt<T>(_ made: Outcome<T>, isStored: Bool, _ db: Database) {
        guard isStored else {
            let known = state.withLock { state in
                state.held = state.held.adding(made.news.entries, made.news.past)
                return state.household
            }
            if made.household != known { publish(made.household) }
            return
        }
        if made.household != made.household.withHistoryWritten { noteLatestFocus(db) }
        adopt(made.household.withHistoryWritten)
    }

    /// Notes that the rows hold what memory holds.
    func adopt(_ household: Household) {
        let (differs, wasHolding) = state.withLock { state in
            let wasHolding = state.isHolding
            if !state.stored.isSame(as: household) {
                state.storedRevision = state.nextRevision
                state.isLogLong = true
            }
            state.stored = household
            state.held = Held()
            let differs = state.household != household
            // Equal ones share their memory, so that from now on they compare at once.
            if !differs { state.household = household }
            return (differs, wasHolding)
        }
        if differs { publish(household) }
        if wasHolding {
            noteLastKnown()
            isInOrder()
        }
    }

    /// Writes what differs from the rows, which may be older than the household in memory.
    func write(_ db: Database, _ household: Household, _ held: Held) throws {
        let (stored, known) = state.withLock { ($0.stored, $0.storedRevision) }
        let revision = state.withLock {
            stored.isSame(as: household.withHistoryWritten) ? known : $0.nextRevision
        }
        if household != stored { try DocumentTable.write(db, from: stored, to: household) }
        if revision != known { try Revision.write(db, revision) }
        for session in held.past where household[person: session.person] != nil {
            try PastSessionRecord.write(db, session)
        }
        try EventLog.append(db, held.entries, isShared: isShared)
    }

    /// Takes what another program wrote to the file. It comes first in a transaction: from then on the rows have what may
    /// be undone.
    func takeForeignRows(_ db: Database) throws {
        let version = try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
        guard version != state.withLock({ $0.version }) else { return }
        let revision = try Revision.load(db)
        let rows = try DocumentTable.all(db)
        guard
            let household = Reading(rows, owners: try DocumentTable.owners(db), lastInstant: lastInstant)?
                .household
        else { return }
        let isHolding = state.withLock { state in
            let isHolding = state.isHolding
            state.version = version
            state.storedRevision = revision
            state.stored = household
            return isHolding
        }
        // What memory holds for the disk was promised to somebody, so it replaces what the other program wrote.
        if !isHolding { publish(household) }
    }
}

/// What a rule made of the household, and what to write with it.
struct Outcome<T> {
    let result: T
    let household: Household
    /// Of this change only.
    let news: Held
    let change: HouseholdChange
    /// What webhooks are told of it.
    var letters: [WebhookLetter] = []

    init(of body: (inout Household, inout [LogEntry]) throws -> T, on known: Household) throws {
        var household = known
        var entries: [LogEntry] = []
        result = try body(&household, &entries)
        self.household = try household.asStored(after: known)
        let ended = PastSessionRecord.ended(from: known, to: self.household, entries: entries)
        news = Held(entries: entries, past: ended)
        change = HouseholdChange(old: known, new: self.household, ended: ended)
    }
}
