package import Foundation
import GRDB
package import Logging
import Policy
import Synchronization

extension HouseholdStore {
    /// Puts a backup in the place of a directory's data, with no server running. Returns where the previous data are
    /// kept; nil: there were none.
    ///
    /// - Parameter keepsEntry: whether the passcode and the logins stay as they are. The backup's may be forgotten by now.
    @discardableResult
    package static func restore(
        from file: String, into directory: String, keepsEntry: Bool = false, at now: Date,
        log: Logger = Logger(label: "store")
    ) throws -> String? {
        let existed = fileSize(databasePath(directory)) != nil
        // Checked before anything is touched: a bad file leaves everything as it was.
        try BackupFile.check(file, log: log)
        let newer = try makeWay(for: file, in: directory, at: now, log: log)
        let store = try HouseholdStore(directory: directory, now: now, log: log)
        defer { store.flush() }
        let kept = try store.restore(from: file, keepsEntry: keepsEntry, at: now)
        guard let newer else { return existed ? kept : nil }
        unlink(kept)
        return newer
    }

    /// The way back to this version: moves aside a database of a later version, which this version cannot read, with
    /// the copy of its rules. Returns where it is; nil: it is not of a later version.
    private static func makeWay(
        for file: String, in directory: String, at now: Date, log: Logger
    ) throws -> String? {
        let path = databasePath(directory)
        do {
            if fileSize(path) ?? 0 > 0 { try BackupFile.checkVersion(path) }
            return nil
        } catch StoreError.newer {}
        let lock = try InstanceLock(directory: directory)
        defer { withExtendedLifetime(lock) {} }
        let aside = path + ".newer-" + stamp(now)
        let new = path + ".new"
        try BackupFile.rebuild(file, as: new)
        for suffix in ["-wal", "-shm", ""] { rename(path + suffix, aside + suffix) }
        LastKnown.remove(directory)
        try replace(path, by: new)
        return aside
    }

    /// The same on an open store, in one transaction for all readers. Every login and token ends, the backup's too.
    /// Refuses files that are damaged, not ours, or of a newer version. Returns the path of the previous data.
    @discardableResult
    package func restore(from file: String, keepsEntry: Bool = false, at now: Date) throws -> String {
        let new = path + ".restoring"
        defer { removeDatabase(new) }
        let source = try opened(backup: file, as: new)
        let revision = state.withLock { $0.storedRevision }
        let entry = keepsEntry ? access.withLock { $0 } : nil
        try source.queue.write { db in
            try Revision.write(db, revision + 1)
            try entry?.writeEntry(db)
        }
        let kept = path + ".before-restore-" + stamp(now)
        try backup(to: kept)
        try StoreError.translating(path) {
            try source.queue.writeWithoutTransaction { from in
                try queue.writeWithoutTransaction { to in
                    try from.backup(to: to)
                    try OpenDatabase.prepareDurability(to, path: path)
                    try reload(to)
                }
            }
        }
        try source.queue.close()
        if let notice = source.opening.notice {
            log.error("\(notice)")
            connection.withLock { $0.opening = source.opening }
            noteDamage(at: now)
        }
        flush()
        return kept
    }

    /// Reads a backup in the way in which it would be restored. Changes nothing but a file beside the database, which
    /// the caller removes.
    func opened(backup file: String, as new: String) throws -> OpenDatabase {
        try BackupFile.check(file, log: log)
        try BackupFile.rebuild(file, as: new)
        let source = try OpenDatabase(path: new, seed: nil, log: log)
        // A household that the store cannot write again would refuse every change, and so every way out.
        _ = try source.household.asStored(after: nil)
        return source
    }

    /// Reads everything anew after the file was replaced, and tells all listeners.
    func reload(_ db: Database) throws {
        guard let access = try Access.load(db),
            let household = Reading(
                try DocumentTable.all(db), owners: try DocumentTable.owners(db),
                lastInstant: access.lastInstant)?
                .household
        else { throw StoreError.damaged(path: path, reason: "it holds no household") }
        self.access.withLock { $0 = access }
        try webhookState.withLock { try $0.load(db, isReplaced: true, log: log) }
        try noticeState.withLock { try $0.load(db) }
        noteLatestFocus(db)
        let revision = try Revision.load(db)
        state.withLock { ($0.stored, $0.storedRevision) = (household, revision) }
        adopt(household)
    }
}
