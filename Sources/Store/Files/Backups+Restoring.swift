import Crypto
package import Foundation
import GRDB
package import Policy
import Synchronization

/// A backup in the data directory that a page can show and restore.
package struct KeptBackup: Hashable, Sendable {
    package enum Kind: Sendable {
        case daily
        /// What was there before a restore.
        case beforeRestore
        /// A file that somebody chose on a page.
        case chosen
        /// Of an upgrade, for example.
        case other
    }

    /// The name of the file; no two have the same.
    package let name: String
    package let path: String
    package let kind: Kind
    /// When the file was written.
    package let writtenAt: Date

    package init(path: String, kind: Kind, writtenAt: Date) {
        name = (path as NSString).lastPathComponent
        (self.path, self.kind, self.writtenAt) = (path, kind, writtenAt)
    }
}

/// What a backup would bring.
package struct BackupContents: Sendable {
    package let household: Household
    /// The last instant that its server noted; nil: none.
    package let lastInstant: Date?

    package init(household: Household, lastInstant: Date?) {
        (self.household, self.lastInstant) = (household, lastInstant)
    }
}

extension HouseholdStore {
    private static let beforeRestore = fileName + ".before-restore-"
    private static let chosen = fileName + ".chosen-"
    private static let fault = ".restore-fault"

    /// The backups that a page can restore: first what was there before a restore, newest first, then the daily ones.
    /// A file that somebody chose is no backup of this server, and comes last.
    package func keptBackups(at now: Date) -> [KeptBackup] {
        let daily = backups(at: now).map { path in
            Self.kept(
                path,
                CivilDate(String((path as NSString).lastPathComponent.dropLast(7))) == nil ? .other : .daily)
        }
        return beside(Self.beforeRestore).map { Self.kept($0, .beforeRestore) } + daily
            + beside(Self.chosen).map { Self.kept($0, .chosen) }
    }

    /// Paths of the files beside the database that begin with this, the newest name first.
    private func beside(_ prefix: String) -> [String] {
        guard let directory else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasPrefix(prefix) && !$0.hasSuffix(".new") }.sorted(by: >).map {
            directory + "/" + $0
        }
    }

    private static func kept(_ path: String, _ kind: KeptBackup.Kind) -> KeptBackup {
        let written = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        return KeptBackup(path: path, kind: kind, writtenAt: written ?? Date(timeIntervalSince1970: 0))
    }

    /// Keeps a file that somebody chose, in place of the last one, until it is restored or a daily backup finds it an hour
    /// old.
    package func keepChosen(_ file: Data) throws -> KeptBackup {
        guard let directory, !isErased else { throw StoreError.readOnly(path: path) }
        forgetChosen()
        let name = Self.chosen + SHA256.hash(data: file).prefix(8).map { String(format: "%02x", $0) }.joined()
        try writeAtomically(file, to: directory + "/" + name)
        return Self.kept(directory + "/" + name, .chosen)
    }

    package func forgetChosen(writtenBefore instant: Date = .distantFuture) {
        for path in beside(Self.chosen) where Self.kept(path, .chosen).writtenAt < instant { unlink(path) }
    }

    /// Reads a backup as a restore would, and changes nothing.
    package func contents(of backup: KeptBackup) throws -> BackupContents {
        try readingBackup.withLock { _ in
            let copy = path + ".looking"
            defer { removeDatabase(copy) }
            let source = try opened(backup: backup.path, as: copy)
            defer { try? source.queue.close() }
            return BackupContents(household: source.household, lastInstant: source.access.lastInstant)
        }
    }

    /// Gives the files and the directory's lock back, after everything has stopped. What comes later fails, because it
    /// meets an empty database.
    package func close() {
        flush()
        lastKnown?.stop()
        guard let nothing = try? DatabaseQueue() else { return }
        let open = connection.withLock { connection in
            defer { connection.queue = nothing }
            return connection.queue
        }
        try? open.close()
        connection.withLock { $0.lock = nil }
    }

    /// Why the last restore that was asked for on a page did not happen; nil: it did.
    package var restoreFault: String? {
        (try? String(contentsOfFile: path + Self.fault, encoding: .utf8)).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Parameter reason: a sentence; nil: it happened.
    package static func noteRestoreFault(_ reason: String?, in directory: String) {
        let path = databasePath(directory) + fault
        if let reason { try? writeAtomically(Data(reason.utf8), to: path) } else { unlink(path) }
    }
}

extension StoreError {
    /// What is wrong with a backup, for somebody who chose it on a page and knows no paths.
    package var ofBackup: String {
        switch self {
        case .notFound: "The file is empty. Choose another one."
        case .foreign: "This is no backup of Sleep Inducer. Choose another file."
        case .newer: "A newer version of Sleep Inducer made this backup. Update this server first."
        case .older: "A build before the first release made this backup. It cannot be read any more."
        case .damaged(_, let reason) where reason.contains("not a database"):
            "This is no backup of Sleep Inducer. Choose another file."
        case .damaged(_, let reason): "This backup is damaged: \(reason). Choose another one."
        default: description
        }
    }
}
