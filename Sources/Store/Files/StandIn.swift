import Foundation
import GRDB
import Logging
import Policy
import Synchronization

extension OpenDatabase {
    /// For a disk that cannot be written when the server starts: a copy of the database in memory, or of the rules last
    /// known, so that blocking goes on. It takes no write. Urgent changes are held beside it until the file itself can
    /// be opened.
    ///
    /// Throws the disk's error if neither can be read.
    init(standingInFor path: String, directory: String, after error: StoreError, log: Logger)
        throws(StoreError)
    {
        do throws(StoreError) {
            if let queue = Self.copy(of: path, directory: directory, log: log) {
                try self.init(
                    queue: queue, path: path, seed: nil, copy: LastKnown.record(directory), log: log)
            } else if let household = LastKnown.read(directory: directory) {
                try self.init(inMemory: household, path: path, log: log)
            } else {
                throw error
            }
        } catch _ {
            throw error.beginning(path)
        }
        let reason =
            switch error.opening(path) {
            case .cannotOpen(_, let reason): reason
            default: error.description
            }
        household.keepFinished(of: LastKnown.read(directory: directory))
        opening = Opening(rules: .unwritable, reason: reason, damage: opening.damage)
        if let notice = opening.notice { log.error("\(notice)") }
    }

    /// Nil if the file cannot be read. If only its write-ahead log cannot, because that needs space, it reads the file
    /// without the log. The rules last known then supply what the file lacks.
    private static func copy(of path: String, directory: String, log: Logger) -> DatabaseQueue? {
        if let queue = try? memory(from: path) { return queue }
        guard let queue = try? memory(from: immutable(path)), let record = LastKnown.record(directory)
        else { return nil }
        return try? queue.write { db in
            let rows = try DocumentTable.all(db)
            let lastInstant = try Access.load(db)?.lastInstant
            // Without its log the file is older than the copy, which is no damage. Documents that are damaged in the
            // copy are taken from the file.
            guard let stored = Reading(rows, lastInstant: lastInstant)?.household,
                let known = Reading(
                    record.documents, lastInstant: lastInstant,
                    older: { LastKnown.Record(revision: 0, documents: rows) })?.household
            else { return nil }
            try DocumentTable.write(db, from: stored, to: known)
            try Revision.write(db, record.revision)
            return queue
        }
    }

    private static func memory(from path: String) throws -> DatabaseQueue {
        var configuration = configuration
        configuration.readonly = true
        let stored = try DatabaseQueue(path: path, configuration: configuration)
        let memory = try DatabaseQueue(configuration: Self.configuration)
        try stored.read { from in
            try checkIdentity(from, path: path)
            try memory.writeWithoutTransaction { try from.backup(to: $0) }
        }
        try Schema.migrator.migrate(memory)
        return memory
    }

    /// SQLite's name for a file that does not change, so that SQLite needs no other file beside it.
    static func immutable(_ path: String) -> String {
        let name = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        return "file:" + name + "?immutable=1"
    }
}

extension Household {
    /// Sessions that finished while the disk refused them are in no row yet. A copy in memory must not count them as
    /// written.
    fileprivate mutating func keepFinished(of known: Household?) {
        for index in people.indices {
            people[index].focus.finished = known?[person: people[index].id]?.focus.finished ?? []
        }
    }
}

extension HouseholdStore {
    /// How much must fit on a disk that was full before the database is opened on it, in bytes.
    private static let room = 1 << 20

    /// Whether the database is only a copy in memory.
    var isStandIn: Bool { opening.rules == .unwritable }

    /// Opens the database in place of its stand-in; does nothing without a stand-in. What is held stays held.
    func openAnew(at now: Date) throws {
        guard let directory, isStandIn, !isErased else { return }
        // Asked first, so that nothing is begun, and no damaged file moved aside, if it cannot be finished.
        try writeAtomically(Data(count: Self.room), to: path + ".room")
        unlink(path + ".room")
        try inLine { _ in
            let lock = try connection.withLock { $0.lock } ?? InstanceLock(directory: directory)
            let opened = try OpenDatabase(
                directory: directory, now: now, timeZone: household.timeZone, log: log)
            try? opened.queue.read { db in try webhookState.withLock { try $0.load(db, log: log) } }
            let latest = try? opened.queue.read(FocusSessionRecord.latest)
            connection.withLock {
                $0 = Connection(
                    queue: opened.queue, opening: opened.opening, lock: lock, damage: opened.damage)
            }
            access.withLock { $0 = opened.access.taking($0) }
            let isHolding = state.withLock { state in
                let isHolding = state.isHolding
                state.stored = opened.household
                state.version = opened.version
                state.storedRevision = opened.revision
                state.latestFocus = latest ?? [:]
                return isHolding
            }
            if !isHolding { adopt(opened.household) }
        }
        log.notice("The database is open again")
    }
}
