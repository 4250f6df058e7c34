package import Foundation
import GRDB
import Logging
import Policy
import Synchronization

/// The last damage that was found, and when. People are told for a week, over restarts too.
struct Damage: Hashable {
    var foundAt: Date
    var text: String

    private static let key = "damage"

    static func load(_ db: Database) throws -> Damage? {
        let row = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
        guard let parts = row?.split(separator: " ", maxSplits: 1), parts.count == 2,
            let milliseconds = Int64(parts[0])
        else { return nil }
        return Damage(foundAt: Date(milliseconds: milliseconds), text: String(parts[1]))
    }

    func write(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta VALUES (?, ?)",
            arguments: [Self.key, "\(foundAt.milliseconds) \(text)"])
    }
}

extension HouseholdStore {
    /// The damage that was found within the week before `now`, in a paragraph; nil: none.
    package func damage(at now: Date) -> String? {
        let (opening, known) = connection.withLock { ($0.opening, $0.damage) }
        if opening.isAboutDamage, let notice = opening.notice { return notice }
        return known.flatMap { abs(now.timeIntervalSince($0.foundAt)) < Remembered.news ? $0.text : nil }
    }

    /// Stores what the opening found. If the disk refuses that, people are told all the same.
    func noteDamage(at now: Date) {
        guard opening.isAboutDamage, let notice = opening.notice else { return }
        let damage = Damage(foundAt: now, text: notice)
        do { try inLine { db in try commit(db) { try damage.write(db) } } } catch {
            log.warning("The list of damaged data could not be written: \(error)")
        }
    }
}

extension Opening {
    fileprivate var isAboutDamage: Bool { !damage.isEmpty || (reason != nil && rules != .unwritable) }
}
