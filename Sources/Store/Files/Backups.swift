package import Foundation
import GRDB
import Policy

/// `DIR/backups`: one file per day, the last seven.
struct Backups {
    static let kept = 7

    let directory: String

    /// Paths of all backups, in no order.
    var all: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory + "/backups")) ?? []
        return names.filter { $0.hasSuffix(".sqlite") }.map { directory + "/backups/" + $0 }
    }

    /// Paths of all backups, the newest first. Backups that a fast clock dated later than today come last.
    func newestFirst(at now: Date) -> [String] { daily(at: now) + others + later(at: now) }

    /// The daily backups up to an instant's UTC day, newest first.
    func daily(at now: Date) -> [String] { named { $0 <= CivilZone.utc.date(of: now) } }

    /// The backups of later days than an instant's, newest first.
    private func later(at now: Date) -> [String] { named { $0 > CivilZone.utc.date(of: now) } }

    private func named(_ isMeant: (CivilDate) -> Bool) -> [String] {
        all.filter { day(of: $0).map(isMeant) ?? false }.sorted(by: >)
    }

    private var others: [String] { all.filter { day(of: $0) == nil }.sorted() }

    private func day(of path: String) -> CivilDate? {
        CivilDate(String((path as NSString).lastPathComponent.dropLast(7)))
    }

    /// The UTC day of the newest daily backup; nil: there is none.
    func latestDay(at now: Date) -> CivilDate? { daily(at: now).first.flatMap(day) }

    /// Removes all daily backups but the last seven; with an unsynchronised clock, all but the last fourteen. Of
    /// backups dated later than today, whose age nobody can tell, it keeps the seven nearest.
    func makeRoom(at now: Date, isSynchronised: Bool) {
        let most = isSynchronised ? Self.kept : 2 * Self.kept
        let old = daily(at: now).dropFirst(most) + later(at: now).dropLast(Self.kept)
        for path in old { unlink(path) }
    }
}

extension HouseholdStore {
    /// Copies everything that is committed, passcode hash and tokens' hashes included, into a new file,
    /// whole or not at all.
    package func backup(to path: String) throws {
        try StoreError.translating(path) {
            try queue.writeWithoutTransaction { try BackupFile.copy($0, to: path) }
        }
    }

    /// Makes the backup of `now`'s UTC day unless it is there, and removes old ones (`makeRoom`).
    /// Returns whether one was made; call it once an hour or so.
    @discardableResult
    package func backUpDaily(at now: Date, isSynchronised: Bool) throws -> Bool {
        guard let directory, opening.rules != .unwritable, !isErased else { return false }
        let path = directory + "/backups/" + now.formatted(.iso8601.year().month().day()) + ".sqlite"
        guard fileSize(path) == nil else { return false }
        // This reads the whole database, of which little is needed again. GRDB's `releaseMemory` would also drop the
        // compiled statements, which are.
        defer { try? queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA shrink_memory") } }
        try checkEverything()
        try backup(to: path)
        // Somebody may be looking at a younger one.
        forgetChosen(writtenBefore: now - 3_600)
        Backups(directory: directory).makeRoom(at: now, isSynchronised: isSynchronised)
        return true
    }

    /// A damaged database must not replace a good backup. A start reads the rules only. Damage that is found here makes
    /// the next start read everything, and recover.
    private func checkEverything() throws {
        do {
            try inLine { try OpenDatabase.check($0, path: path, .everything, log: log) }
        } catch let error as StoreError {
            if case .damaged = error { try? createPrivateFile(OpenDatabase.suspicion(of: path)) }
            throw error
        }
    }

    /// The backups, newest first.
    package func backups(at now: Date) -> [String] {
        directory.map { Backups(directory: $0).newestFirst(at: now) } ?? []
    }
}
