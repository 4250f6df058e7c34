package import Foundation
import GRDB
import Logging
package import Policy
import Synchronization

/// Notices, kept in memory beside the rows, so that they are known even when the disk is full.
struct Notices {
    var board = NoticeBoard()
    /// The board in the rows.
    var stored = NoticeBoard()

    mutating func load(_ db: Database) throws {
        stored = try NoticeRecord.board(db)
        board = stored
    }
}

extension HouseholdStore {
    /// Cheap, from any thread.
    package var notices: NoticeBoard { noticeState.withLock { $0.board } }

    /// Takes this machine's facts, and queues the webhooks' letters about them, in one transaction. If the disk
    /// refuses, they hold in memory and are written with the next.
    package func take(_ facts: HouseFacts) {
        try? changeNotices(at: facts.now) { $0.take(household, facts) }
    }

    /// "Not today": the dashboard hides it for a day. Throws `unknownNotice`.
    package func putAwayNotice(_ id: Finding.ID, at now: Date) throws {
        try changeNotices(at: now) { board in
            try board.putAway(id, at: now)
            return []
        }
    }

    /// Notes this server's present address and upstreams, and returns its known place.
    package func notePlace(address: String?, upstreams: [String], at now: Date) -> KnownPlace {
        try? changeNotices(at: now) { board in
            board.place.note(address: address, upstreams: upstreams, at: now)
            return []
        }
        return notices.place
    }

    /// - Parameter body: changes the board and nothing else; it can be called twice.
    private func changeNotices(
        at now: Date, _ body: (inout NoticeBoard) throws -> [WebhookEvent]
    ) throws {
        // Tried on a copy first: most of the time nothing changes, and nobody must wait for the database.
        let (known, stored) = noticeState.withLock { ($0.board, $0.stored) }
        var tried = known
        if try body(&tried).isEmpty, tried == known, tried.isWritten(as: stored) { return }
        try inLine { db in
            var (board, stored) = noticeState.withLock { ($0.board, $0.stored) }
            let events = try body(&board)
            let letters = letters(for: events, at: now)
            noticeState.withLock { $0.board = board }
            defer { putInLine(letters, db) }
            guard !letters.isEmpty || !board.isWritten(as: stored) else { return }
            do {
                try commit(db) {
                    try NoticeRecord.write(db, board)
                    for letter in letters { try WebhookRecord.write(db, letter) }
                } adopting: {
                    noticeState.withLock { $0.stored = board }
                }
            } catch {
                log.debug("The notices could not be written: \(error)")
            }
        }
    }

    /// The UTC day of the newest daily backup in a directory up to `now`; nil: there is none.
    package static func latestBackup(in directory: String, at now: Date) -> CivilDate? {
        Backups(directory: directory).latestDay(at: now)
    }
}

extension NoticeBoard {
    /// Whether the rows need no change: a sentence with other figures is no reason to write.
    fileprivate func isWritten(as stored: NoticeBoard) -> Bool {
        func rows(_ board: NoticeBoard) -> [String: Date?] {
            Dictionary(
                board.notices.map { ($0.id, $0.awayUntil?.asStored) }, uniquingKeysWith: { first, _ in first }
            )
        }
        return rows(self) == rows(stored) && place == stored.place
    }
}
