package import Foundation
import GRDB
import Policy

/// `DIR/backups`: one file per day, the last seven.
struct Backups {
    static let kept = 7

    let directory: String

    /// Paths of what is there; in no order that counts.
    var all: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory + "/backups")) ?? []
        return names.filter { $0.hasSuffix(".sqlite") }.map { directory + "/backups/" + $0 }
    }

    /// Paths of what is there, the newest first. What a clock that was ahead named after a later day comes after all
    /// that can be dated.
    func newestFirst(at now: Date) -> [String] { daily(at: now) + others + later(at: now) }

    /// One for each UTC day up to an instant's, newest first.
    func daily(at now: Date) -> [String] { named { $0 <= CivilZone.utc.date(of: now) } }

    /// Those named after a later day than an instant's, newest first.
    private func later(at now: Date) -> [String] { named { $0 > CivilZone.utc.date(of: now) } }

    private func named(_ isMeant: (CivilDate) -> Bool) -> [String] {
        all.filter { day(of: $0).map(isMeant) ?? false }.sorted(by: >)
    }

    private var others: [String] { all.filter { day(of: $0) == nil }.sorted() }

    private func day(of path: String) -> CivilDate? {
        CivilDate(String((path as NSString).lastPathComponent.dropLast(7)))
    }

    /// The UTC day of the newest daily one; nil: there is none.
    func latestDay(at now: Date) -> CivilDate? { daily(at: now).first.flatMap(day) }

    /// Lets go of all daily ones but the last seven, and of what is named after days later than today but the seven that
    /// are nearest: nobody can tell how old those are. By a clock that is not synchronised twice as many are kept.
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
        try checkEverything()
        try backup(to: path)
        Backups(directory: directory).makeRoom(at: now, isSynchronised: isSynchronised)
        return true
    }

    /// What is damaged must not take a good backup's place. A start looks at the rules only; what is found here makes
    /// the next one look at everything, and recover.
    private func checkEverything() throws {
        do {
            try inLine { try OpenDatabase.check($0, path: path, .everything, log: log) }
        } catch let error as StoreError {
            if case .damaged = error { try? createPrivateFile(OpenDatabase.suspicion(of: path)) }
            throw error
        }
    }

    /// The backups that are there, newest first.
    package func backups(at now: Date) -> [String] {
        directory.map { Backups(directory: $0).newestFirst(at: now) } ?? []
    }
}
