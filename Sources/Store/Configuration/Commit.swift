import GRDB
import GRDBSQLite
import Policy
import Synchronization

extension HouseholdStore {
    /// One immediate transaction: on the disk when this returns, or undone. After the commit `adopting` changes memory,
    /// and the outcome for the disk is noted.
    func commit<T>(_ db: Database, _ body: () throws -> T, adopting: () -> Void = {}) throws -> T {
        try commitAgreed(db, { _ in try body() }, adopting: { _ in adopting() })
    }

    /// The same for what the nodes agree on: `body` writes its rows, asks the others last, and says what they agreed on.
    /// From then on it holds, in memory if the disk refuses it: `adopting` gets whether it is on the disk.
    ///
    /// - Parameter isUrgent: the change can be held in memory, so it does not wait long for another program that
    ///   writes. While such a program is known, no change waits long.
    func commitAgreed<T>(
        _ db: Database, isUrgent: Bool = false, _ body: (inout Sharing?) throws -> T,
        adopting: (_ isStored: Bool) -> Void = { _ in }
    ) throws -> T {
        let isHurried = isUrgent || state.withLock { $0.trouble == .busy }
        if isHurried { try db.wait(atMost: OpenDatabase.urgentTimeout) }
        defer { if isHurried { try? db.wait(atMost: OpenDatabase.busyTimeout) } }
        var (result, agreed, owed) = (T?.none, Sharing?.none, Owed())
        do {
            let before = db.totalChangesCount
            try db.inTransaction(.immediate) {
                try takeForeignRows(db)
                owed = try writeOwed(db)
                result = try body(&agreed)
                if let agreed { try SharedTable.write(db, agreed.head) }
                return .commit
            }
            guard let result else { throw StoreError.busy }
            adopt(owed, db)
            if let agreed { adopt(agreed) }
            adopting(true)
            // Only a write proves that the disk takes writes.
            if db.totalChangesCount > before { isInOrder() }
            return result
        } catch let error as DatabaseError {
            let refusal = StoreError(error, path: path)
            if case .disk = refusal { overwriteRefused(db) }
            let trouble = isInTrouble(refusal)
            guard let agreed, let result else { throw trouble }
            if !trouble.isAboutDisk { _ = isInTrouble(.damaged(path: path, reason: trouble.description)) }
            adopt(agreed, isBehind: true)
            adopting(false)
            return result
        }
    }

    /// A transaction that the disk did not confirm is still in the write-ahead log, and a crash would bring it back.
    /// The next transaction overwrites it there. It changes no rule, so it need not be confirmed.
    private func overwriteRefused(_ db: Database) {
        try? db.inTransaction(.immediate) {
            // SQLite writes no page whose bytes stay the same.
            try db.execute(sql: "INSERT OR REPLACE INTO meta VALUES ('refused', hex(randomblob(8)))")
            return .commit
        }
    }

    /// What memory holds and the rows lack.
    private struct Owed {
        var household: Household?
        var access: Access.Rows?
        var isSharing = false
    }

    /// Every transaction writes all that is owed first. So the rows say one state at any time: what was heard from the
    /// other nodes, what it was heard as, and whether something of it is to be told.
    private func writeOwed(_ db: Database) throws -> Owed {
        var owed = Owed()
        let (household, held, sharing, isHolding) = state.withLock {
            ($0.household, $0.held, $0.sharing, $0.isHolding)
        }
        if isHolding {
            var held = held
            // Without their person, lines would be the household's, which others read.
            held.entries.removeAll { $0.person.map { household[person: $0] == nil } ?? false }
            try write(db, household, held)
            owed.household = household.withHistoryWritten
        }
        let access = access.withLock { $0 }
        if access.rows != access.stored {
            try access.write(db, from: access.stored)
            owed.access = access.rows
        }
        if let sharing, sharing.isBehind {
            try SharedTable.rewrite(db, sharing, untold: Story(of: household, held))
            owed.isSharing = true
        }
        return owed
    }

    private func adopt(_ owed: Owed, _ db: Database) {
        if let rows = owed.access { access.withLock { $0.stored = rows } }
        if owed.isSharing { state.withLock { $0.sharing?.isBehind = false } }
        guard let household = owed.household else { return }
        if self.household != household { noteLatestFocus(db) }
        adopt(household)
    }

    /// Asks the disk for the room that a transaction takes, before the other nodes are asked whether they agree.
    func askDisk(_ db: Database) throws {
        guard let connection = db.sqliteConnection else { return }
        let result = sqlite3_db_cacheflush(connection)
        // Another program reads: the room is asked for at the end.
        guard result != SQLITE_OK, result != SQLITE_BUSY else { return }
        throw DatabaseError(resultCode: ResultCode(rawValue: result))
    }
}
