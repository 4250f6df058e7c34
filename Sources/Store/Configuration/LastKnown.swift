import Crypto
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
        guard let bytes = FileManager.default.contents(atPath: path(directory)),
            var record = try? JSONDecoder().decode(Record.self, from: bytes)
        else { return nil }
        record.isWhole = LastKnownText.isWhole(bytes)
        return record
    }

    /// Whether there is a copy that is damaged, readable or not.
    static func isDamaged(_ directory: String, _ record: Record?) -> Bool {
        record.map { !$0.isWhole } ?? exists(directory)
    }

    /// The database's documents, and the number of the last change.
    struct Record: Codable {
        var revision: Int64
        var documents: [Document]
        /// Whether it is as it was written: else a document may be missing, and the number may be any.
        var isWhole = true

        private enum CodingKeys: String, CodingKey { case revision, documents }

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
    private var latest: Household?
    private var texts: [Document.Key: Data] = [:]

    /// A `LastKnown.Record`.
    mutating func bytes(of household: Household, revision: Int64) throws -> Data {
        let changes = EntityChanges(from: latest, to: household)
        if latest == nil { texts = [:] }
        // If a text cannot be made, the next write makes all of them.
        latest = nil
        for (key, entity) in changes.put {
            texts[key] = try JSONEncoder().encode(Document(key, json: try entity.json()))
        }
        for key in changes.removed { texts[key] = nil }
        latest = household
        var rest = Data(#""revision":\#(revision),"documents":["#.utf8)
        for (place, text) in texts.values.enumerated() {
            if place > 0 { rest.append(UInt8(ascii: ",")) }
            rest.append(text)
        }
        rest.append(contentsOf: "]}".utf8)
        return Self.opening(of: rest) + rest
    }

    /// The first member: the digest of all that follows it.
    private static func opening(of rest: Data) -> Data {
        let digest = SHA256.hash(data: rest).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return Data(#"{"sha256":"\#(digest.joined())","#.utf8)
    }

    /// Whether a file begins with its digest.
    static func isWhole(_ bytes: Data) -> Bool {
        let rest = bytes.dropFirst(opening(of: Data()).count)
        return bytes.starts(with: opening(of: rest))
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
