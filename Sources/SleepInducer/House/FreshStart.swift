import Cluster
import Foundation
import Logging
import Store
import Synchronization

/// A server that begins anew: everything was erased, or a backup is put in the place of the data. The last page gets a
/// moment to arrive, and devices that ask meanwhile get their answers from the next start.
final class FreshStart: Sendable {
    private let store: HouseholdStore
    private let directory: String
    private let backup = Mutex<KeptBackup?>(nil)
    private let begun: AsyncStream<Void>
    private let begin: AsyncStream<Void>.Continuation

    init(_ store: HouseholdStore, in directory: String) {
        self.store = store
        self.directory = directory
        (begun, begin) = AsyncStream.makeStream(of: Void.self)
    }

    var isAsked: Bool { store.isErased || backup.withLock { $0 != nil } }

    func erase() throws {
        try OwnEtcd(directory: directory).remove()
        try store.erase()
        begin.yield()
    }

    /// Restores this backup as soon as nothing writes any more.
    func restore(_ backup: KeptBackup) {
        self.backup.withLock { $0 = backup }
        begin.yield()
    }

    /// Calls `end` a moment after it was asked for.
    func wait(end: @escaping @Sendable () async -> Void) async {
        for await _ in begun {
            try? await Task.sleep(for: .seconds(1))
            return await end()
        }
    }

    /// After everything has stopped: gives the files back, and does what the command `restore` does.
    func carryOut(at now: Date, logger: Logger) {
        store.finishErasing()
        guard !store.isErased, let backup = backup.withLock({ $0 }) else { return }
        store.close()
        do {
            try HouseholdStore.restore(
                from: backup.path, into: directory, keepsEntry: true, at: now, log: logger)
            if backup.kind == .chosen { unlink(backup.path) }
            HouseholdStore.noteRestoreFault(nil, in: directory)
        } catch {
            logger.error("The backup was not restored: \(error)")
            HouseholdStore.noteRestoreFault((error as? StoreError)?.ofBackup ?? "\(error)", in: directory)
        }
    }
}
