import Foundation
import Logging
package import Policy
import Synchronization

/// `DIR/last-known.json`: the household as it was committed last, beside the database and without its
/// secrets, so that a server whose database is damaged or cannot be opened goes on blocking.
package enum LastKnown {
    /// Nil where there is none that can be read.
    package static func read(directory: String) -> Household? { record(directory)?.household }

    /// The same with the number of its last change.
    static func record(_ directory: String) -> Record? {
        guard let data = FileManager.default.contents(atPath: path(directory)),
            let document = try? HouseholdDocument.decoder.decode(HouseholdDocument.self, from: data)
        else { return nil }
        return document.household.map { Record(household: $0, revision: document.revision ?? 0) }
    }

    struct Record {
        var household: Household
        var revision: Int64
    }

    /// Replaces the file, whole or not at all.
    static func write(_ record: Record, directory: String) throws(StoreError) {
        let data: Data
        do {
            data = try HouseholdDocument.encoder.encode(
                HouseholdDocument(record.household, revision: record.revision))
        } catch {
            throw .refused(reason: "\(error)")
        }
        try writeAtomically(data, to: path(directory))
    }

    /// What is said where there is one that cannot be read; it is written anew.
    static func damage(_ directory: String) -> [String] {
        guard exists(directory), record(directory) == nil else { return [] }
        return ["The copy of the rules beside the database could not be read."]
    }

    static func exists(_ directory: String) -> Bool { fileSize(path(directory)) != nil }

    static func remove(_ directory: String) {
        unlink(path(directory))
        unlink(path(directory) + ".new")
    }

    static func path(_ directory: String) -> String { directory + "/last-known.json" }
}

/// Writes `last-known.json` after commits, on its own queue: of several in a row only the newest is written. Who promises
/// something to somebody waits with `flush`.
final class LastKnownWriter: Sendable {
    private let directory: String
    private let log: Logger
    private let queue = DispatchQueue(label: "store.last-known", qos: .utility)
    private let next = Mutex<LastKnown.Record?>(nil)
    private let isStopped = Mutex(false)

    init(directory: String, log: Logger) {
        self.directory = directory
        self.log = log
    }

    func note(_ household: Household, revision: Int64) {
        let isWaiting = next.withLock { next in
            defer { next = LastKnown.Record(household: household, revision: revision) }
            return next != nil
        }
        if !isWaiting { queue.async { [self] in write() } }
    }

    func flush() { queue.sync {} }

    /// Writes nothing any more.
    func stop() {
        isStopped.withLock { $0 = true }
        flush()
    }

    private func write() {
        guard
            let record = next.withLock({ next in
                defer { next = nil }
                return next
            })
        else { return }
        guard !isStopped.withLock({ $0 }) else { return }
        do {
            try LastKnown.write(record, directory: directory)
        } catch {
            log.warning("The copy of the rules beside the database could not be written: \(error)")
        }
    }
}
