import Foundation
import GRDB
import Logging
import Policy
import Synchronization

@testable import Store

/// A directory for one test, removed with it.
final class Scratch: Sendable {
    let path: String

    /// In memory if the system has such a place: these tests are about order, not about slow disks.
    init() {
        let place =
            FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory()
        path = place + "store-tests-" + UUID().uuidString
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var database: String { path + "/sleep-inducer.sqlite" }

    func open(at now: Date = noon) throws -> HouseholdStore {
        try HouseholdStore(directory: path, now: now, log: .silent)
    }

    /// Names in the directory, sorted.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    /// What each file holds, by its name; without SQLite's index of the log, which is no content.
    var contents: [String: Data] {
        let names = names.filter { !$0.hasSuffix("-shm") }
        return Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, FileManager.default.contents(atPath: "\(path)/\($0)") ?? Data())
            })
    }

    /// Runs SQL past the store, as careless people would.
    func execute(_ sql: String, ignoringConstraints: Bool = false) throws {
        let queue = try DatabaseQueue(path: database)
        try queue.writeWithoutTransaction { db in
            if ignoringConstraints {
                try db.execute(sql: "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF")
            }
            try db.execute(sql: sql)
        }
        try queue.close()
    }
}

extension HouseholdStore {
    /// How many browsers are signed in.
    var loginCount: Int { access.withLock { $0.logins.count } }
}

extension Scratch {
    /// Changes a member of a stored document, as damage would.
    func set(_ path: String, to value: String, in kind: String, id: Int = 1) throws {
        try execute(
            """
            UPDATE document SET json = json_set(json, '$.\(path)', \(value)) WHERE kind = '\(kind)' AND id = \(id)
            """, ignoringConstraints: true)
    }

    /// Replaces every JSON of a kind by this text.
    func replace(_ kind: String, by text: String) throws {
        try execute("UPDATE document SET json = '\(text)' WHERE kind = '\(kind)'", ignoringConstraints: true)
    }

    /// Gives every document the digest of what it says, as a program does that knows how.
    func seal(_ file: String? = nil) throws {
        let queue = try DatabaseQueue(path: file ?? database)
        try queue.write { db in
            for document in try DocumentTable.all(db) {
                try DocumentTable.put(db, Document(document.key, json: document.json))
            }
        }
        try queue.close()
    }
}

extension Logger {
    static var silent: Logger { Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() } }

    /// A logger whose messages the test reads.
    static func collecting(_ messages: Messages) -> Logger { Logger(label: "tests") { _ in messages } }
}

/// Keeps what was logged.
final class Messages: LogHandler, Sendable {
    private let kept = Mutex<[String]>([])

    var all: [String] { kept.withLock { $0 } }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { kept.withLock { $0.append("\(event.message)") } }
}

/// 2026-11-21 12:00 UTC, a Saturday.
let noon = Date(timeIntervalSince1970: 1_795_262_400)

let me = PersonID(rawValue: 1)

/// A text in the form of a stored passcode.
let passcodeText =
    "scrypt$32768$8$1$" + Data(count: 16).base64EncodedString() + "$" + Data(count: 32).base64EncodedString()
let otherPasscodeText = passcodeText.replacingOccurrences(of: "$8$1$", with: "$8$2$")

extension SleepSession {
    static func example(
        from start: Date = noon, minutes: Int = 60, strictness: StrictnessMode = .flexible, id: UUID = UUID()
    ) -> SleepSession {
        SleepSession(
            id: id, mode: .manual(durationMinutes: minutes), strictness: strictness, startedAt: start,
            endsAt: start.addingTimeInterval(Double(minutes) * 60),
            allowed: AppSelection(apps: ["phone"], domains: ["example.org"]))
    }
}

extension Device {
    static func example(_ id: Int64, person: PersonID? = nil, seen: Date = noon) -> Device {
        Device(
            id: DeviceID(rawValue: id), name: "Device \(id)", person: person, addresses: ["10.0.0.\(id)"],
            firstSeen: seen, lastSeen: seen)
    }
}

/// Repeatable random numbers (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension LastKnown {
    /// Replaces the file by that of a record.
    static func write(_ record: Record, directory: String) throws {
        try writeAtomically(try JSONEncoder().encode(record), to: path(directory))
    }
}

extension LastKnown.Record {
    init(household: Household, revision: Int64) throws {
        self.init(
            revision: revision,
            documents: try household.entities.map { key, entity in Document(key, json: try entity.json()) })
    }
}

extension HouseholdStore {
    /// Notes who asked, and writes at once what must be written.
    func saw(_ seen: [Sighting], at now: Date) throws {
        if let batch = note(seen, at: now) { try write(batch) }
    }
}
