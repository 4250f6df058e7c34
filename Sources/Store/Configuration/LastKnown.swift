import Foundation
import Logging
package import Policy
import Synchronization

/// `DIR/last-known.json`: the household's documents as of the last commit, beside the database and without its secrets.
/// With it a server goes on blocking if its database is damaged or cannot be opened.
package enum LastKnown {
    /// Nil if there is no readable copy.
    package static func read(directory: String) -> Household? { record(directory)?.household }

    static func record(_ directory: String) -> Record? {
        FileManager.default.contents(atPath: path(directory)).flatMap {
            try? JSONDecoder().decode(Record.self, from: $0)
        }
    }

    /// The database's documents, and the number of the last change.
    struct Record: Codable {
        var revision: Int64
        var documents: [Document]

        init(household: Household, revision: Int64) throws {
            self.revision = revision
            documents = try household.entities.map { key, entity in Document(key, json: try entity.json()) }
        }

        var household: Household? { Reading(documents)?.household }
    }

    /// Replaces the file, whole or not at all.
    static func write(_ record: Record, directory: String) throws(StoreError) {
        guard let data = try? JSONEncoder().encode(record) else {
            throw .refused(reason: "the copy of the rules cannot be written")
        }
        try writeAtomically(data, to: path(directory))
    }

    /// What to tell people if the file cannot be read; the next write replaces it.
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

/// Writes `last-known.json` after commits, on its own queue. Of several commits in a row it writes only the newest. A
/// change that makes a promise waits with `flush`.
final class LastKnownWriter: Sendable {
    private let directory: String
    private let log: Logger
    private let queue = DispatchQueue(label: "store.last-known", qos: .utility)
    private let next = Mutex<(household: Household, revision: Int64)?>(nil)
    private let isStopped = Mutex(false)

    init(directory: String, log: Logger) {
        self.directory = directory
        self.log = log
    }

    func note(_ household: Household, revision: Int64) {
        let isWaiting = next.withLock { next in
            defer { next = (household, revision) }
            return next != nil
        }
        if !isWaiting { queue.async { [self] in write() } }
    }

    func flush() { queue.sync {} }

    /// Stops writing for good.
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
            let (household, revision) = record
            try LastKnown.write(.init(household: household, revision: revision), directory: directory)
        } catch {
            log.warning("The copy of the rules beside the database could not be written: \(error)")
        }
    }
}
