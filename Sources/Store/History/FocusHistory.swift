package import Foundation
import GRDB
package import Policy
import Synchronization

extension HouseholdStore {
    /// Sessions of a person, newest end first, from the first or from the end of a page.
    package func focusSessions(
        of person: PersonID, after cursor: FocusCursor? = nil, limit: Int
    ) throws -> [FocusSession] {
        let end = cursor?.end.milliseconds ?? .max
        let id = cursor?.id.uuidString ?? ""
        let stored = try read { db in
            try FocusSessionRecord.all(
                db, of: person, where: "(\"end\", id) < (?, ?) ORDER BY \"end\" DESC, id DESC LIMIT ?",
                [end, id, max(0, limit)])
        }
        let held = held(of: person, besides: stored) {
            ($0.end.milliseconds, $0.id.uuidString) < (end, id)
        }
        guard !held.isEmpty else { return stored }
        let both = (stored + held).sorted { ($0.end, $0.id.uuidString) > ($1.end, $1.id.uuidString) }
        return Array(both.prefix(max(0, limit)))
    }

    /// Sessions that were started from one instant to another, the second excluded; oldest first.
    package func focusSessions(of person: PersonID, from: Date, to: Date) throws -> [FocusSession] {
        let stored = try read { db in
            try FocusSessionRecord.all(
                db, of: person, where: "start >= ? AND start < ?", [from.milliseconds, to.milliseconds])
        }
        return (stored + held(of: person, besides: stored) { from <= $0.start && $0.start < to }).oldestFirst
    }

    /// The whole history, oldest first, for exports.
    package func allFocusSessions(of person: PersonID) throws -> [FocusSession] {
        let stored = try read { try FocusSessionRecord.all($0, of: person, where: "1") }
        return (stored + held(of: person, besides: stored) { _ in true }).oldestFirst
    }

    /// The session that ended last, from memory, for pages that show its end.
    package func latestFocusSession(of person: PersonID) -> FocusSession? {
        state.withLock { state in
            let held = state.household[person: person]?.focus.finished.max { $0.end < $1.end }
            return held ?? state.latestFocus[person]
        }
    }

    /// Removes a session from the history and returns it, for the undo; nil: it was not there.
    package func removeFocusSession(_ id: UUID, of person: PersonID) throws -> FocusSession? {
        // Held sessions are written first, or this one might come back later.
        if isBehind { try change { _ in } }
        return try inLine { db in
            try commit(db) {
                try FocusSessionRecord.remove(db, id, of: person)
            } adopting: {
                noteLatestFocus(db)
            }
        }
    }

    /// Adds sessions and returns how many were new, for the undo and imports. Sessions with a known id stay as they
    /// are.
    package func addFocusSessions(_ sessions: [FocusSession], of person: PersonID) throws -> Int {
        guard household[person: person] != nil else { throw Refusal.unknownPerson }
        return try inLine { db in
            try commit(db) {
                try sessions.count { try FocusSessionRecord.add(db, $0, of: person, keepsKnown: true) }
            } adopting: {
                noteLatestFocus(db)
            }
        }
    }

    /// Remembers the result of `latestFocusSession` after the history changed.
    func noteLatestFocus(_ db: Database) {
        guard let latest = try? FocusSessionRecord.latest(db) else { return }
        state.withLock { $0.latestFocus = latest }
    }

    /// Sessions that finished while the disk refused them.
    private func held(
        of person: PersonID, besides stored: [FocusSession], where isMeant: (FocusSession) -> Bool
    ) -> [FocusSession] {
        let finished = household[person: person]?.focus.finished ?? []
        guard !finished.isEmpty else { return [] }
        let known = Set(stored.map(\.id))
        return finished.filter { !known.contains($0.id) && isMeant($0) }
    }
}

extension [FocusSession] {
    fileprivate var oldestFirst: Self {
        sorted { ($0.start, $0.id.uuidString) < ($1.start, $1.id.uuidString) }
    }
}

extension Sequence {
    /// Counts the elements that meet a condition, which may throw.
    fileprivate func count(where isMeant: (Element) throws -> Bool) rethrows -> Int {
        try reduce(0) { try $0 + (isMeant($1) ? 1 : 0) }
    }
}
