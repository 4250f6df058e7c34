import Foundation
import GRDB
import Policy

/// What holds of two records of one household: the database's rows, and `last-known.json` beside them.
///
/// They are the same unless one of them is damaged: the copy is written after each change (`Revision`). Where the rows are
/// older, damage took changes back, and the copy's rules hold; of sessions that differ the stricter one always does.
struct Agreement {
    private(set) var household: Household
    /// What is said of it, in sentences.
    private(set) var damage: [String]
    /// Whether the rows were older than the copy.
    private(set) var wentBack = false
    /// Whether the rows hold something else.
    let isToBeWritten: Bool

    init(
        rows: Household, revision: Int64, log: ReadingLog, copy: LastKnown.Record?, at now: Date
    ) {
        household = rows
        damage =
            log.said.isEmpty
            ? [] : ["Part of what is stored is damaged: \(log.said.joined(separator: "; "))."]
        if let copy = copy?.withWholeSessions, copy.revision >= revision {
            wentBack = copy.revision > revision
            if !wentBack { household.mendSessions(of: log.damagedSessions, by: copy.household) }
            let (rules, other) = wentBack ? (copy.household, household) : (household, copy.household)
            household = rules.takingStricterSessions(of: other, at: now)
        }
        if wentBack {
            damage.append(
                "The database was older than the copy of the rules beside it, because its newest changes were damaged. "
                    + "The rules of the copy hold, and where a session differed, the stricter one. "
                    + "Everyone signs in again, and programs need new tokens.")
        }
        for person in household.people where !wentBack {
            guard let session = person.session,
                log.damagedSessions.contains(person.id) || session != rows[person: person.id]?.session
            else { continue }
            damage.append(
                "The stored session of \(CleanName.cleaned(person.name)) was damaged. It counts as \(session.strictness) "
                    + "until \(household.zone.time(of: session.endsAt)).")
        }
        isToBeWritten = household != rows || !log.damagedSessions.isEmpty
    }

    /// Puts the rows right, in a transaction of the caller's.
    func write(_ db: Database, over rows: Household, revision: Int64) throws {
        try db.execute(sql: "DELETE FROM sleep_session")
        if wentBack { try db.execute(sql: "DELETE FROM login; DELETE FROM api_token") }
        try HouseholdRecord.write(db, from: rows.withoutSessions, to: household)
        try Revision.write(db, revision)
    }
}

extension LastKnown.Record {
    /// Nil where no row could hold it.
    fileprivate var withWholeSessions: Self? {
        guard var household = try? household.asStored(timeZoneWas: nil) else { return nil }
        for index in household.people.indices where household.people[index].session?.isWhole == false {
            household.people[index].session = nil
        }
        return Self(household: household, revision: revision)
    }
}

extension Household {
    /// What is known of damaged sessions by a copy that is as new: their ends.
    fileprivate mutating func mendSessions(of damaged: Set<PersonID>, by copy: Household) {
        for index in people.indices where damaged.contains(people[index].id) {
            people[index].session = copy[person: people[index].id]?.session?.asStrict ?? people[index].session
        }
    }

    fileprivate var withoutSessions: Household {
        var household = self
        for index in people.indices { household.people[index].session = nil }
        return household
    }
}
