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
            var devices = DeviceDocuments()
            try self.init(household: household, revision: revision, devices: &devices)
        }

        /// - Parameter devices: those that were written last; most changes leave them as they are.
        init(household: Household, revision: Int64, devices: inout DeviceDocuments) throws {
            self.revision = revision
            let others = try household.entities(withDevices: false).map { key, entity in
                Document(key, json: try entity.json())
            }
            documents = try others + devices.documents(of: household)
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

/// The documents of a household's devices, made again only for devices that changed.
struct DeviceDocuments {
    private var devices: [Device] = []
    private var documents: [Document] = []

    mutating func documents(of household: Household) throws -> [Document] {
        if household.devices == devices { return documents }
        let known = Dictionary(
            zip(devices.map(\.id), zip(devices, documents)), uniquingKeysWith: { first, _ in first })
        documents = try household.devices.map { device in
            if let (before, document) = known[device.id], before.hasSameDocument(as: device) {
                return document
            }
            let entity = Entity(device)
            return Document(
                Document.Key(kind: .device, id: device.id.rawValue), json: try entity.json())
        }
        devices = household.devices
        return documents
    }
}

extension Device {
    /// Whether nothing but the time at which it was seen last differs.
    fileprivate func hasSameDocument(as other: Device) -> Bool { Entity(self) == Entity(other) }
}

/// Writes `last-known.json` after commits, on its own queue. Of several commits in a row it writes only the newest. A
/// change that makes a promise waits with `flush`.
final class LastKnownWriter: Sendable {
    private let directory: String
    private let log: Logger
    private let queue = DispatchQueue(label: "store.last-known", qos: .utility)
    private let next = Mutex<(household: Household, revision: Int64)?>(nil)
    private let isStopped = Mutex(false)
    private let devices = Mutex(DeviceDocuments())

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
            let newest = next.withLock({ next in
                defer { next = nil }
                return next
            })
        else { return }
        guard !isStopped.withLock({ $0 }) else { return }
        do {
            let (household, revision) = newest
            let record = try devices.withLock {
                try LastKnown.Record(household: household, revision: revision, devices: &$0)
            }
            try LastKnown.write(record, directory: directory)
        } catch {
            log.warning("The copy of the rules beside the database could not be written: \(error)")
        }
    }
}
