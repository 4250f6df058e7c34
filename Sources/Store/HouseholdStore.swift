package import Foundation
import GRDB
package import Logging
package import Policy
import Synchronization

/// Keeps the household, its history and its access data in `DIR/sleep-inducer.sqlite`.
///
/// One connection, one process, every change one durable transaction (design.md, Trust). The household is always in
/// memory, so that reading it never touches the disk.
package final class HouseholdStore: Sendable {
    /// The database file.
    package let path: String
    /// The database's name in its directory.
    package static let fileName = "sleep-inducer.sqlite"

    /// Nil: the store writes nothing.
    let directory: String?
    let log: Logger
    let access: Mutex<Access>
    let sightings = Mutex(UnwrittenSightings())
    let connection: Mutex<Connection>
    let state: Mutex<State>
    let webhookState = Mutex(Webhooks())
    let noticeState = Mutex(Notices())
    let lastKnown: LastKnownWriter?
    /// One backup is looked at at a time.
    let readingBackup = Mutex(())
    /// Signalled when the nodes agreed on a change.
    let headMoved = NSCondition()

    struct Connection {
        var queue: DatabaseQueue
        var opening: Opening
        var lock: InstanceLock?
        /// What an earlier start found.
        var damage: Damage?
        /// Whether the files were erased; nothing is stored any more.
        var isErased = false
    }

    struct State {
        /// The household that applies, and of which listeners were told.
        var household: Household
        /// The household's number; it grows with each household that is told, and a change is stored under the next.
        var revision: Int
        /// The household in the rows: the same, except for what memory holds.
        var stored: Household
        /// The number of the household in the rows; `last-known.json` has the same.
        var storedRevision: Int64
        /// What the disk refused; the next successful write includes it.
        var held = Held()
        /// The state that the household's nodes agreed on; nil: it is on one machine.
        var sharing: Sharing?
        /// Why the other nodes cannot be asked; nil: they can.
        var cutOff: String?
        /// How often that was noted.
        var touches = 0
        /// Whether the write-ahead log holds a change of the rules.
        var isLogLong = true
        /// Why the last write failed; nil: it succeeded.
        var trouble: StoreError?
        /// SQLite's `data_version`: it changes when another process commits.
        var version: Int64
        /// Each person's session that ended last.
        var latestFocus: [PersonID: FocusSession] = [:]
        var viewers: [UUID: AsyncStream<Household>.Continuation] = [:]
    }

    /// Opens or creates the database of a directory and takes the directory's lock.
    ///
    /// A damaged file is moved aside, and the household goes on as last known; `opening` says so. `timeZone` is a new
    /// household's zone until set-up. `now` names files that are moved aside. If the disk is full or read-only, the
    /// household is in memory all the same (`Opening.Rules.unwritable`), and `catchUp` opens the file later.
    package convenience init(
        directory: String, now: Date, timeZone: String = "UTC", log: Logger = Logger(label: "store")
    ) throws(StoreError) {
        do throws(StoreError) {
            try OpenDatabase.refuseOlder(databasePath(directory))
            try makeDirectory(directory)
            let lock = try InstanceLock(directory: directory)
            let opened = try OpenDatabase(directory: directory, now: now, timeZone: timeZone, log: log)
            self.init(opened, directory: directory, lock: lock, log: log)
            noteDamage(at: now)
            // The file may be older than the database, or not be there yet.
            noteLastKnown()
            // Moves a new household from the write-ahead log into the database before anything happens in it.
            if opened.opening.rules == .new { shortenLog() }
        } catch {
            guard error.isAboutWriting else { throw error }
            let path = databasePath(directory)
            let standIn = try OpenDatabase(
                standingInFor: path, directory: directory, after: error, log: log)
            self.init(standIn, directory: directory, lock: try? InstanceLock(directory: directory), log: log)
            state.withLock { $0.trouble = error }
        }
    }

    /// For programs that only read, also while a server runs; every change is refused.
    package static func readOnly(
        directory: String, at now: Date? = nil, log: Logger = Logger(label: "store")
    ) throws(StoreError) -> HouseholdStore {
        let opened = try OpenDatabase(reading: databasePath(directory), at: now, log: log)
        return HouseholdStore(opened, directory: nil, lock: nil, log: log)
    }

    /// Without a disk: for tests, and for a server that goes on blocking while its disk is faulty.
    package static func inMemory(
        _ household: Household, log: Logger = Logger(label: "store")
    ) throws(StoreError) -> HouseholdStore {
        let opened = try OpenDatabase(inMemory: household, log: log)
        return HouseholdStore(opened, directory: nil, lock: nil, log: log)
    }

    init(_ opened: OpenDatabase, directory: String?, lock: InstanceLock?, log: Logger) {
        path = opened.path
        connection = Mutex(
            Connection(queue: opened.queue, opening: opened.opening, lock: lock, damage: opened.damage))
        access = Mutex(opened.access)
        state = Mutex(
            State(
                household: opened.household, revision: Int(opened.revision), stored: opened.household,
                storedRevision: opened.revision,
                version: opened.version,
                latestFocus: (try? opened.queue.read(FocusSessionRecord.latest)) ?? [:]))
        lastKnown = directory.map { LastKnownWriter(directory: $0, log: log) }
        self.directory = directory
        self.log = log
        try? opened.queue.read { db in
            try webhookState.withLock { try $0.load(db, log: log) }
            try noticeState.withLock { try $0.load(db) }
        }
    }

    deinit {
        for listener in webhookState.withLock({ $0.listeners.values.map { $0 } }) { listener.finish() }
        for viewer in state.withLock({ $0.viewers.values.map { $0 } }) { viewer.finish() }
        lastKnown?.flush()
    }

    /// How the database was found when it was opened; pages and the log tell it.
    package var opening: Opening { connection.withLock { $0.opening } }

    var queue: DatabaseQueue { connection.withLock { $0.queue } }

    /// The household that applies. Cheap, callable from any thread, and independent of the disk.
    package var household: Household { state.withLock { $0.household } }

    /// The household's number; it grows with each change, over restarts too.
    package var revision: Int { state.withLock { $0.revision } }

    /// The household that applies, and its number.
    package var numbered: (household: Household, revision: Int) {
        state.withLock { ($0.household, $0.revision) }
    }

    /// The newest household: the current one at once, then one after each change; a slow reader skips.
    package func changes() -> AsyncStream<Household> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Household.self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.viewers[id] = nil }
        }
        state.withLock {
            $0.viewers[id] = continuation
            continuation.yield($0.household)
        }
        return stream
    }

    /// Tells all listeners of the household. Called on the database's queue, so that they hear of changes in order.
    func publish(_ household: Household) {
        // A person's webhooks and token go with the person, as their rows do.
        let people = Set(household.people.map(\.id))
        let (before, left) = access.withLock { access in
            let before = access.outgoing
            access.outgoing = before.of(people)
            access.stored.outgoing = access.stored.outgoing.of(people)
            return (before, access.outgoing)
        }
        if before != left { webhookState.withLock { $0.take(left) } }
        let differs = state.withLock { state in
            let differs = !state.household.isSame(as: household)
            state.household = household
            state.revision = max(state.revision + 1, Int(state.storedRevision))
            for viewer in state.viewers.values { viewer.yield(household) }
            return differs
        }
        if differs { noteLastKnown() }
    }

    /// What memory holds is in no row yet, so it must not count as a stored change.
    func noteLastKnown() {
        let (household, revision) = state.withLock { ($0.household, $0.isHolding ? -1 : $0.storedRevision) }
        lastKnown?.note(household, revision: revision)
    }

    /// Waits until `last-known.json` holds the last commit.
    package func flush() { lastKnown?.flush() }

    /// For the end: `last-known.json` and the database file are then complete, so that a copy of the database file is
    /// too.
    package func settleFiles() {
        flush()
        state.withLock { $0.isLogLong = true }
        shortenLog()
    }

    /// Whether `shortenLog` has something to do.
    package var isLogLong: Bool {
        directory != nil && !isErased && opening.rules != .unwritable && state.withLock { $0.isLogLong }
    }

    /// Moves a change of the rules from the write-ahead log into the database itself. There a damaged bit undoes no
    /// more than it hits. Call it once a second or so.
    package func shortenLog() {
        guard isLogLong else { return }
        do {
            try inLine { db in
                _ = try db.checkpoint(.truncate)
                state.withLock { $0.isLogLong = false }
            }
        } catch { log.debug("The database keeps its newest changes beside it: \(error)") }
    }
}

/// The database file of a data directory.
func databasePath(_ directory: String) -> String { directory + "/" + HouseholdStore.fileName }
