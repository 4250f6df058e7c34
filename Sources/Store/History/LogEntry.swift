package import Foundation
import GRDB
package import Policy

/// One line of a person's own log: what happened to their nights, rules and devices, and when.
package struct LogEntry: Codable, Hashable, Sendable, Identifiable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case sessionStarted, sessionEnded, sessionCancelled, sessionReset
        case helpUsed, ruleChanged, deviceEnrolled, deviceReleased
        case overrideUsed, limitReached, unlocked, suggestionTaken, timeAsked, timeGranted, timeDeclined
        case bonusGiven, deviceLeft, wishAsked, wishGranted, wishDeclined
        /// Adults were told of a way out; the detail is its kind.
        case wayOutSeen
    }

    /// The row's number; 0 until it was stored.
    package var id: Int64
    package var kind: Kind
    /// Nil: the household's.
    package var person: PersonID?
    package var device: DeviceID?
    package var instant: Date
    /// A few words, for example what was changed; at most 1,000 characters are kept.
    package var detail: String
    /// The rule that was changed; nil for no rule and for a line of an earlier version.
    package var subject: RuleSubject?
    /// The hand that did it; nil: it was due by itself.
    package var hand: Hand?

    package init(
        _ kind: Kind, person: PersonID?, device: DeviceID? = nil, at instant: Date, detail: String = ""
    ) {
        id = 0
        self.kind = kind
        self.person = person
        self.device = device
        self.instant = instant
        self.detail = detail
    }

    /// A session's event, reported by `Household.settle` or a command.
    package init(_ event: SessionEvent) {
        let length = event.session.durationFormatted
        let words: (Kind, String) =
            switch event.kind {
            case .started: (.sessionStarted, "\(length), \(event.session.strictness.rawValue)")
            case .ended(.cancelled): (.sessionCancelled, length)
            case .ended(.paused): (.sessionEnded, "\(length), awake for 30 minutes")
            case .ended(.reset): (.sessionReset, length)
            case .ended: (.sessionEnded, length)
            }
        self.init(words.0, person: event.person, at: event.instant, detail: words.1)
    }

    /// A change that settling made to a person's rules.
    package init(_ event: RuleEvent) {
        let words: (Kind, String) =
            switch event.kind {
            case .limitReached(let target): (.limitReached, target.id)
            case .tookEffect(let change): (.ruleChanged, "After waiting: \(change.words)")
            case .left: (.deviceLeft, "")
            case .wayOut(let kind, _): (.wayOutSeen, kind.rawValue)
            }
        self.init(words.0, person: event.person, at: event.instant, detail: words.1)
        if case .tookEffect(let change) = event.kind { subject = change.ruleSubject }
        switch event.kind {
        case .left(let device), .wayOut(_, let device): self.device = device
        case .limitReached, .tookEffect: break
        }
    }
}

extension PendingChange.Change {
    /// The subject in the log's words.
    fileprivate var words: String {
        switch self {
        case .restricted: "Anti-Rot's apps"
        case .windows: "Anti-Rot's windows"
        case .removeWindowSet: "a set of Anti-Rot's windows is gone"
        case .limit(let limit): "limit of \(limit.target.id)"
        case .removeLimit(let target): "no limit of \(target.id)"
        case .resetHour: "hour at which a day of limits begins"
        case .unlocksPerDay: "unlocks a day"
        case .looseningDelay: "delay before rules get easier"
        case .dateException(let exception): "exception \(exception.logWords)"
        case .removeDateException: "no exception"
        }
    }
}

extension Household {
    /// Brings everybody to `now`, and writes down what that did.
    package mutating func settle(
        at now: Date, usage: UsageTotals = .none, before: Household? = nil,
        log: inout [LogEntry], newID: () -> UUID
    ) {
        let old = self
        log += settle(at: now, usage: usage, before: before, newID: newID)
            .map { LogEntry($0) }
        log += ruleEvents(since: old, at: now).map { LogEntry($0) }
    }
}

extension LogEntry {
    /// As a row keeps it, without its number: two lines are the same if these are equal.
    var asStored: LogEntry {
        var stored = self
        stored.id = 0
        stored.instant = instant.asStored
        stored.detail = String(detail.unicodeScalars.prefix(1_000))
        return stored
    }
}

/// The rows of the log, newest first when read.
enum EventLog {
    /// How many entries are kept per person; older ones make room.
    static let limit = 5_000
    /// For how long an entry is kept, in seconds: 90 days.
    static let lifetime: TimeInterval = 90 * 86_400

    /// The newest lines of each person, as many as are kept.
    static func newest(_ entries: [LogEntry]) -> [LogEntry] {
        guard entries.count > limit else { return entries }
        var left = Dictionary(grouping: entries, by: \.person).mapValues { $0.count - limit }
        return entries.filter { entry in
            left[entry.person, default: 0] -= 1
            return left[entry.person, default: 0] < 0
        }
    }

    /// The older lines make room once for all of them: a machine that joins takes in thousands.
    ///
    /// - Parameter isShared: whether two equal lines are one. Machines tell each other a line more than once, and two
    ///   presses within a millisecond say the same.
    static func append(_ db: Database, _ entries: [LogEntry], isShared: Bool = false) throws {
        guard !entries.isEmpty else { return }
        var known = isShared ? try lines(db, like: entries) : []
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO event (kind, person, device, instant, detail, subject, hand, hand_words)
                VALUES (?, (SELECT id FROM person WHERE id = ?), (SELECT id FROM device WHERE id = ?), ?, ?, ?, ?, ?)
                """)
        for entry in entries.map(\.asStored) where !isShared || known.insert(entry).inserted {
            try insertion.execute(arguments: [
                entry.kind.rawValue, entry.person?.rawValue, entry.device?.rawValue,
                entry.instant.milliseconds,
                entry.detail,
                entry.subject?.rawValue, entry.hand?.kind.rawValue, entry.hand?.words,
            ])
        }
        for person in Set(entries.map(\.person)) {
            try db.cachedStatement(
                sql: """
                    DELETE FROM event WHERE person IS ?1 AND id <= (
                        SELECT id FROM event WHERE person IS ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
                    """
            ).execute(arguments: [person?.rawValue, limit])
        }
    }

    /// Stored lines, without their numbers, among which lines equal to `entries` may be.
    private static func lines(_ db: Database, like entries: [LogEntry]) throws -> Set<LogEntry> {
        var found: Set<LogEntry> = []
        for (person, entries) in Dictionary(grouping: entries, by: \.person) {
            guard let first = entries.map(\.instant.milliseconds).min() else { continue }
            let rows = try Row.fetchCursor(
                db, sql: "SELECT * FROM event WHERE person IS ? AND instant >= ?",
                arguments: [person?.rawValue, first])
            while let row = try rows.next() {
                if let entry = try entry(row) { found.insert(entry.asStored) }
            }
        }
        return found
    }

    /// Removes a person's lines before their first line that is young enough; keeps all if none is.
    static func forget(_ db: Database, at now: Date) throws {
        for person in try Int64?.fetchAll(db, sql: "SELECT DISTINCT person FROM event") {
            try db.execute(
                sql: """
                    DELETE FROM event WHERE person IS ?1 AND id < (
                        SELECT id FROM event WHERE person IS ?1 AND instant >= ?2 ORDER BY id LIMIT 1)
                    """,
                arguments: [person, (now - lifetime).milliseconds])
        }
    }

    static func entry(_ row: Row) throws -> LogEntry? {
        guard let kind = LogEntry.Kind(rawValue: try row.value("kind")) else { return nil }
        var entry = LogEntry(
            kind, person: try row.valueIfAny("person", Int64.self).map(PersonID.init),
            device: try row.valueIfAny("device", Int64.self).map(DeviceID.init),
            at: try row.instant("instant"), detail: try row.value("detail"))
        entry.id = try row.value("id")
        entry.subject = try row.valueIfAny("subject", String.self).flatMap(RuleSubject.init)
        if let kind = try row.valueIfAny("hand", String.self).flatMap(Hand.Kind.init) {
            entry.hand = Hand(kind, try row.valueIfAny("hand_words", String.self) ?? "")
        }
        return entry
    }
}

extension HouseholdStore {
    /// Adds lines to the log without changing a rule.
    package func append(_ entries: LogEntry...) throws {
        try change { _, log in log += entries }
    }

    /// A person's entries, newest first; `before` is the last id of the previous page. A nil person means the
    /// household's own.
    package func log(of person: PersonID?, before: Int64? = nil, limit: Int = 50) throws -> [LogEntry] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM event WHERE person IS ? AND id < ? ORDER BY id DESC LIMIT ?",
                arguments: [person?.rawValue, before ?? .max, limit]
            ).compactMap(EventLog.entry)
        }
    }

    /// Reads in one transaction. GRDB's own `read` is left: it switches the connection to reading and back, and after
    /// each switch SQLite compiles every cached statement anew, also those of the next write.
    func read<T>(_ body: (Database) throws -> T) throws -> T {
        try StoreError.translating(path) {
            try queue.unsafeRead { db in
                var result: T?
                try db.inTransaction(.deferred) {
                    result = try body(db)
                    return .commit
                }
                return result!
            }
        }
    }
}
