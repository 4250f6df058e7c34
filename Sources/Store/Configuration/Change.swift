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
        // What must survive whatever comes stands in both files, so that damage to one of them undoes nothing.
        defer { if keeping == .onDisk { flush() } }
        return try untilAgreed {
            try change(keeping: keeping, body) { db, made in
                try agree(
                    db, from: made.change.old, to: made.household,
                    telling: Story(of: made.household, made.news), keeping: keeping)
            }
        }
    }

    /// - Parameter agreeing: what the nodes share when this is stored; nil: it is no business of theirs.
    func change<T>(
        keeping: Keeping, _ body: (inout Household, inout [LogEntry]) throws -> T,
        agreeing: (Database, Outcome<T>) throws -> Sharing?
    ) throws -> T {
        try inLine { db in
            var outcome: Outcome<T>?
            var agreed: Sharing?
            var told: [WebhookLetter] = []
            do {
                try commit(db, isUrgent: keeping == .evenInMemory) {
                    let made = try Outcome(of: body, on: try current(db), adding: state.withLock { $0.held })
                    outcome = made
                    told = letters(of: made.change)
                    agreed = try agreeing(db, made)
                    try write(db, made.household, made.held)
                    for letter in told { try WebhookRecord.write(db, letter) }
                }
            } catch let error as StoreError
                where keeping == .evenInMemory && (error.isAboutDisk || outcome != nil)
            {
                if let agreed { adopt(agreed, isBehind: true) }
                // Where rows that are damaged refuse what a rule made, that is the disk's fault too.
                if !error.isAboutDisk { _ = isInTrouble(.damaged(path: path, reason: error.description)) }
                let (known, held) = state.withLock { ($0.household, $0.held) }
                let made = try outcome ?? Outcome(of: body, on: known, adding: held)
                state.withLock { $0.held = made.held }
                if made.household != known { publish(made.household) }
                putInLine(letters(of: made.change), db)
                return made.result
            }
            guard let outcome else { throw StoreError.busy }
            if let agreed { adopt(agreed) }
            if outcome.household != outcome.household.withHistoryWritten { noteLatestFocus(db) }
            adopt(outcome.household.withHistoryWritten)
            putInLine(told, db)
            return outcome.result
        }
    }

    /// The same without a log.
    @discardableResult
    package func change<T>(keeping: Keeping = .onDisk, _ body: (inout Household) throws -> T) throws -> T {
        try change(keeping: keeping) { household, _ in try body(&household) }
    }

    /// Runs on the database's queue, where all changes stand in line; whoever waited while the database was
    /// opened anew stands in the new one's.
    func inLine<T>(_ body: (Database) throws -> T) throws -> T {
        try StoreError.translating(path) {
            while true {
                let queue = queue
                let result = try queue.writeWithoutTransaction { db -> T? in
                    guard queue === self.queue else { return nil }
                    guard !isErased else { throw StoreError.erased }
                    // What a stand-in in memory took would be gone with the next restart.
                    return isStandIn ? try db.readOnly { try body(db) } : try body(db)
                }
                if let result { return result }
            }
        }
    }

    /// One immediate transaction: on the disk when this returns, or undone. Memory follows by `adopting`; then it
    /// remembers how the disk took it.
    /// - Parameter isUrgent: it can be held in memory, and does not wait long for another program that writes. Nor
    ///   does anything else while one is known to.
    func commit<T>(
        _ db: Database, isUrgent: Bool = false, _ body: () throws -> T, adopting: () -> Void = {}
    ) throws -> T {
        let isHurried = isUrgent || state.withLock { $0.trouble == .busy }
        if isHurried { try db.wait(atMost: OpenDatabase.urgentTimeout) }
        defer { if isHurried { try? db.wait(atMost: OpenDatabase.busyTimeout) } }
        do {
            let before = db.totalChangesCount
            var result: T?
            try db.inTransaction(.immediate) {
                result = try body()
                return .commit
            }
            guard let result else { throw StoreError.busy }
            adopting()
            // Only a write proves that the disk takes writes.
            if db.totalChangesCount > before { isInOrder() }
            return result
        } catch let error as DatabaseError {
            let refusal = StoreError(error, path: path)
            if case .disk = refusal { overwriteRefused(db) }
            throw isInTrouble(refusal)
        }
    }

    /// What the disk did not confirm stands in the write-ahead log all the same, and a crash would bring it back. The next
    /// transaction takes its place: one that changes no rule, confirmed or not.
    private func overwriteRefused(_ db: Database) {
        try? db.inTransaction(.immediate) {
            // SQLite writes no page whose bytes stay the same.
            try db.execute(sql: "INSERT OR REPLACE INTO meta VALUES ('refused', hex(randomblob(8)))")
            return .commit
        }
    }

    /// Rows and memory say the same from now on.
    func adopt(_ household: Household) {
        let (differs, wasHolding) = state.withLock { state in
            let wasHolding = state.isHolding
            if !state.stored.isSame(as: household) {
                state.storedRevision = state.nextRevision
                state.isLogLong = true
            }
            state.stored = household
            state.held = Held()
            return (state.household != household, wasHolding)
        }
        if differs { publish(household) }
        if wasHolding {
            noteLastKnown()
            isInOrder()
        }
    }

    /// Writes where the household differs from the rows, which may be older than what holds.
    private func write(_ db: Database, _ household: Household, _ held: Held) throws {
        let (stored, known) = state.withLock { ($0.stored, $0.storedRevision) }
        let revision = state.withLock {
            stored.isSame(as: household.withHistoryWritten) ? known : $0.nextRevision
        }
        if household != stored { try DocumentTable.write(db, from: stored, to: household) }
        if revision != known { try Revision.write(db, revision) }
        for session in held.past where household[person: session.person] != nil {
            try PastSessionRecord.write(db, session)
        }
        try EventLog.append(db, held.entries)
    }

    /// The household to start from: the one that holds, unless another program wrote to the file meanwhile.
    private func current(_ db: Database) throws -> Household {
        let version = try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0
        let (known, cached) = state.withLock { ($0.version, $0.household) }
        guard version != known else { return cached }
        let revision = try Revision.load(db)
        let rows = try DocumentTable.all(db)
        guard
            let household = Reading(rows, owners: try DocumentTable.owners(db), lastInstant: lastInstant)?
                .household
        else { return cached }
        let isHolding = state.withLock { state in
            let isHolding = state.isHolding
            state.version = version
            state.storedRevision = revision
            state.stored = household
            return isHolding
        }
        // What is held was promised to somebody; it goes over what the other wrote.
        if isHolding { return cached }
        publish(household)
        return household
    }
}

/// What a rule made of the household, and all that is to be written with it.
struct Outcome<T> {
    let result: T
    let household: Household
    /// With what was held before.
    let held: Held
    /// Of this change alone.
    let news: Held
    let change: HouseholdChange

    fileprivate init(
        of body: (inout Household, inout [LogEntry]) throws -> T, on known: Household, adding before: Held
    ) throws {
        var household = known
        var entries: [LogEntry] = []
        result = try body(&household, &entries)
        self.household = try household.asStored(after: known)
        let ended = PastSessionRecord.ended(from: known, to: self.household, entries: entries)
        held = before.adding(entries, ended)
        news = Held(entries: entries, past: ended)
        change = HouseholdChange(old: known, new: self.household, ended: ended)
    }
}
