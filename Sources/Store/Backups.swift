package import Foundation
import GRDB
import Policy

/// `DIR/backups`: one file per day, the last seven.
struct Backups {
    static let kept = 7

    let directory: String

    /// Paths of what is there, by the day in the name; the copy before a migration comes last.
    var newestFirst: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory + "/backups")) ?? []
        let all = names.filter { $0.hasSuffix(".sqlite") }
        let days = all.filter { CivilDate(String($0.dropLast(7))) != nil }.sorted(by: >)
        return (days + all.filter { !days.contains($0) }.sorted()).map { directory + "/backups/" + $0 }
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

    /// Makes the backup of `now`'s UTC day unless it is there, and removes all but the last seven.
    /// Returns whether one was made; call it once an hour or so.
    @discardableResult
    package func backUpDaily(at now: Date) throws -> Bool {
        guard let directory, opening.rules != .unwritable else { return false }
        let path = directory + "/backups/" + now.formatted(.iso8601.year().month().day()) + ".sqlite"
        guard fileSize(path) == nil else { return false }
        try checkEverything()
        try backup(to: path)
        let days = Backups(directory: directory).newestFirst.filter {
            !$0.hasSuffix("before-migration.sqlite")
        }
        for old in days.dropFirst(Backups.kept) { unlink(old) }
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

    /// The daily backups that are there, newest first.
    package var backups: [String] { directory.map { Backups(directory: $0).newestFirst } ?? [] }
}
