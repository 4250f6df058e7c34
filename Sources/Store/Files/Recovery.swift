import Foundation
import GRDB
import Logging
import Policy

/// What to do if the database is damaged or gone: make a complete new file beside the old one, from the last good
/// backup and the rules last known, then replace the old one by it.
struct Recovery {
    let directory: String
    let timeZone: String
    let log: Logger

    /// A sentence if the file is missing or empty although rules were committed before; nil: it is not.
    static func whatIsMissing(_ directory: String) -> String? {
        guard LastKnown.exists(directory) || !Backups(directory: directory).all.isEmpty else {
            return nil
        }
        switch fileSize(databasePath(directory)) {
        case nil: return "it is missing"
        case 0: return "it is empty"
        default: return nil
        }
    }

    func recover(from reason: String, now: Date) throws(StoreError) -> Opening {
        let path = databasePath(directory)
        let new = path + ".new"
        removeDatabase(new)
        let backup = Self.newestGoodBackup(directory, at: now, log: log)
        var opening = Opening(rules: .lost, reason: reason, backup: backup)
        let record = LastKnown.record(directory)
        let kept = backup.flatMap(BackupFile.record)
        let known = record.flatMap { record in
            // A copy that is damaged too may lack a session that the backup has.
            record.isWhole || kept == nil
                ? Reading(record.documents, at: now, older: { kept })
                : Reading(
                    kept?.documents ?? [], revision: kept?.revision ?? 0, copy: record, at: now,
                    older: { kept })
        }
        if known != nil { opening.rules = .lastKnown } else if backup != nil { opening.rules = .backup }
        do {
            if let backup { try BackupFile.rebuild(backup, as: new) }
            opening.damage = try build(new, from: known, revision: record?.revision ?? 0)
        } catch {
            removeDatabase(new)
            if let error = error as? StoreError { throw error }
            throw .cannotOpen(path: new, reason: "\(error)")
        }
        opening.setAside = setAside(path, now: now)
        try replace(path, by: new)
        return opening
    }

    /// Builds the new file: the household last known, over the backup's data. Every login and token ends, because the
    /// backup may hold some that were ended since. Returns which parts of them are damaged.
    private func build(_ new: String, from known: Reading?, revision: Int64) throws -> [String] {
        let seed = known?.household ?? .new(timeZone: timeZone)
        let opened = try OpenDatabase(path: new, seed: seed, log: log)
        try opened.queue.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                if let known {
                    try DocumentTable.write(db, from: opened.household, to: known.household)
                    try Revision.write(db, max(opened.revision, revision))
                }
                try db.execute(sql: "DELETE FROM login; DELETE FROM api_token; DELETE FROM webhook_letter")
                return .commit
            }
        }
        // The last connection that closes also removes the write-ahead log, so the file is complete.
        try opened.queue.close()
        return known?.damage ?? opened.opening.damage
    }

    static func newestGoodBackup(_ directory: String, at now: Date, log: Logger) -> String? {
        Backups(directory: directory).newestFirst(at: now).first { path in
            (try? BackupFile.check(path, log: log)) != nil
        }
    }

    private func setAside(_ path: String, now: Date) -> String? {
        let aside = path + ".damaged-" + stamp(now)
        guard rename(path, aside) == 0 else { return nil }
        for suffix in ["-wal", "-shm"] { rename(path + suffix, aside + suffix) }
        return aside
    }
}

/// An instant in a file name: `20261121T024022Z`.
func stamp(_ instant: Date) -> String {
    instant.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
}

extension Household {
    /// A new house: one person, "Me", and nothing blocked.
    static func new(timeZone: String) -> Household {
        Household(timeZone: timeZone, people: [Person(id: PersonID(rawValue: 1), name: "Me")])
    }
}
