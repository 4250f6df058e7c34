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

        var household: Household? { Reading(documents)?.household }
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

/// The text of `last-known.json`. A document in it is made again only if it changed: most changes are of one, in a
/// household of thousands.
private struct LastKnownText {
    private var others: [Document.Key: (entity: Entity, text: Data)] = [:]
    private var devices: [Device] = []
    private var ofDevices: [Data] = []

    /// A `LastKnown.Record`.
    mutating func bytes(of household: Household, revision: Int64) throws -> Data {
        others = try Dictionary(
            uniqueKeysWithValues: household.entitiesWithoutDevices.map { key, entity in
                if let known = others[key], known.entity == entity { return (key, known) }
                return (key, (entity, try Self.text(key, entity)))
            })
        if devices != household.devices { try follow(household.devices) }
        var bytes = Data(#"{"revision":\#(revision),"documents":["#.utf8)
        for (place, text) in (others.values.map(\.text) + ofDevices).enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(text)
        }
        bytes.append(contentsOf: "]}".utf8)
        return bytes
    }

    private mutating func follow(_ latest: [Device]) throws {
        let known = Dictionary(
            zip(devices.map(\.id), zip(devices, ofDevices)), uniquingKeysWith: { first, _ in first })
        ofDevices = try latest.map { device in
            let entity = Entity(device)
            // That it was seen is no change of its document.
            if let (before, text) = known[device.id], Entity(before) == entity { return text }
            return try Self.text(Document.Key(kind: .device, id: device.id.rawValue), entity)
        }
        devices = latest
    }

    private static func text(_ key: Document.Key, _ entity: Entity) throws -> Data {
        try JSONEncoder().encode(Document(key, json: try entity.json()))
    }
}

/// Writes `last-known.json` after commits, on its own queue. Of several commits in a row it writes only the newest. A
/// change that makes a promise waits with `flush`.
final class LastKnownWriter: Sendable {
    private let directory: String
    private let log: Logger
    private let queue = DispatchQueue(label: "store.last-known", qos: .utility)
    private let next = Mutex<(household: Household, revision: Int64)?>(nil)
    private let isStopped = Mutex(false)
    private let text = Mutex(LastKnownText())

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
            let bytes = try text.withLock { try $0.bytes(of: household, revision: revision) }
            try writeAtomically(bytes, to: LastKnown.path(directory))
        } catch {
            log.warning("The copy of the rules beside the database could not be written: \(error)")
        }
    }
}
