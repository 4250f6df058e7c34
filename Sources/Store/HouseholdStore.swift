package import Foundation
import GRDB
package import Logging
package import Policy
import Synchronization

/// Keeps the household, its history and its access data in `DIR/sleep-inducer.sqlite`.
///
/// One connection, one process, every change one durable transaction (design.md, Trust). What was
/// committed last is always at hand without touching the disk.
package final class HouseholdStore: Sendable {
    /// How the database was found when it was opened; pages and the log tell what it says.
    package let opening: Opening
    /// The database file.
    package let path: String
    /// The database's name in its directory.
    package static let fileName = "sleep-inducer.sqlite"

    let queue: DatabaseQueue
    let directory: String?
    let log: Logger
    let access: Mutex<Access>
    let sightings = Mutex(Sightings())
    private let lock: InstanceLock?
    private let lastKnown: LastKnownWriter?
    private let state: Mutex<State>

    private struct State {
        var household: Household
        /// SQLite's `data_version`: it moves when another process committed.
        var version: Int64
        var viewers: [UUID: AsyncStream<Household>.Continuation] = [:]
    }

    /// Opens or creates the database of a directory and takes the directory's lock.
    ///
    /// A damaged file is set aside and the household goes on as last known; `opening` says so. `timeZone`
    /// is that of a new household until set-up. `now` names files that are set aside. On a disk that is full or
    /// read-only the household is there all the same and every change is refused (`Opening.Rules.unwritable`).
    package convenience init(
        directory: String, now: Date, timeZone: String = "UTC", log: Logger = Logger(label: "store")
    ) throws(StoreError) {
        do throws(StoreError) {
            try makeDirectory(directory)
            let lock = try InstanceLock(directory: directory)
            let opened = try OpenDatabase(directory: directory, now: now, timeZone: timeZone, log: log)
            self.init(opened, directory: directory, lock: lock, log: log)
            // The file may be older than the database, or not be there yet.
            lastKnown?.note(household)
        } catch {
            guard error.isAboutWriting else { throw error }
            let path = databasePath(directory)
            let standIn = try OpenDatabase(
                standingInFor: path, directory: directory, after: error, log: log)
            self.init(standIn, directory: nil, lock: try? InstanceLock(directory: directory), log: log)
        }
    }

    /// For programs that only look, also while a server runs; every change is refused.
    package static func readOnly(
        directory: String, log: Logger = Logger(label: "store")
    ) throws(StoreError) -> HouseholdStore {
        let opened = try OpenDatabase(reading: databasePath(directory), log: log)
        return HouseholdStore(opened, directory: nil, lock: nil, log: log)
    }

    /// Without a disk: for tests, and for a server that goes on blocking while its disk is out of order.
    package static func inMemory(
        _ household: Household, log: Logger = Logger(label: "store")
    ) throws(StoreError) -> HouseholdStore {
        let opened = try OpenDatabase(inMemory: household, log: log)
        return HouseholdStore(opened, directory: nil, lock: nil, log: log)
    }

    private init(_ opened: OpenDatabase, directory: String?, lock: InstanceLock?, log: Logger) {
        opening = opened.opening
        path = opened.path
        queue = opened.queue
        access = Mutex(opened.access)
        state = Mutex(State(household: opened.household, version: opened.version))
        lastKnown = directory.map { LastKnownWriter(directory: $0, log: log) }
        self.directory = directory
        self.lock = lock
        self.log = log
    }

    deinit {
        for viewer in state.withLock({ $0.viewers.values.map { $0 } }) { viewer.finish() }
        lastKnown?.flush()
    }

    /// What was committed last. Cheap, from any thread, and there also when the disk is not.
    package var household: Household { state.withLock { $0.household } }

    /// The newest household: the current one at once, then one after each commit; a slow reader skips.
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

    /// Runs one rule as one transaction: what `body` makes of the household, and its entries for the log, are
    /// on the disk when this returns. If it throws, or the disk does, nothing has changed. Not to be nested.
    @discardableResult
    package func change<T>(_ body: (inout Household, inout [LogEntry]) throws -> T) throws -> T {
        try write { db, known in
            var household = known
            var entries: [LogEntry] = []
            let result = try body(&household, &entries)
            household = try household.asStored(timeZoneWas: known.timeZone)
            if household != known {
                try HouseholdRecord.write(db, from: known, to: household)
                try PastSessionRecord.write(db, from: known, to: household, entries: entries)
            }
            for entry in entries { try EventLog.append(db, entry) }
            return (result, household)
        }
    }

    /// One immediate transaction from the household as stored to the one that `body` returns.
    func write<T>(_ body: (Database, Household) throws -> (T, Household)) throws -> T {
        try StoreError.translating(path) {
            try queue.writeWithoutTransaction { db in
                var outcome: (result: T, household: Household)?
                try db.inTransaction(.immediate) {
                    outcome = try body(db, try current(db))
                    return .commit
                }
                guard let outcome else { throw StoreError.busy }
                if outcome.household != household { publish(outcome.household) }
                return outcome.result
            }
        }
    }

    /// The household to start from: the cached one, unless another program wrote to the file meanwhile.
    private func current(_ db: Database) throws -> Household {
        let version = try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0
        let (known, cached) = state.withLock { ($0.version, $0.household) }
        guard version != known else { return cached }
        guard let household = try HouseholdRecord.load(db, log: log) else { return cached }
        publish(household)
        state.withLock { $0.version = version }
        return household
    }

    /// Tells everybody what was committed; called on the database's queue, so that the order is that of
    /// the commits.
    func publish(_ household: Household) {
        let differs = state.withLock { state in
            let differs = !state.household.isSame(as: household)
            state.household = household
            for viewer in state.viewers.values { viewer.yield(household) }
            return differs
        }
        if differs { lastKnown?.note(household) }
    }

    /// Waits until `last-known.json` holds what was committed last.
    package func flush() { lastKnown?.flush() }
}

extension HouseholdStore {
    /// The same without a log.
    @discardableResult
    package func change<T>(_ body: (inout Household) throws -> T) throws -> T {
        try change { household, _ in try body(&household) }
    }
}

extension Household {
    /// Whether only the times differ at which devices were seen.
    fileprivate func isSame(as other: Household) -> Bool {
        func still(_ household: Household) -> Household {
            var household = household
            for index in household.devices.indices {
                household.devices[index].lastSeen = household.devices[index].firstSeen
            }
            return household
        }
        return still(self) == still(other)
    }
}

/// The database file of a data directory.
func databasePath(_ directory: String) -> String { directory + "/" + HouseholdStore.fileName }
