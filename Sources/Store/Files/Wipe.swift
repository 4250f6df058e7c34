import Foundation
import GRDB
import Logging
import Policy
import Synchronization

extension HouseholdStore {
    /// Erases everything about the household in a directory, with no server running: rules, log, access, backups, and
    /// copies that were moved aside. Files that are not ours stay.
    package static func wipe(directory: String) throws {
        guard fileSize(databasePath(directory)) != nil || LastKnown.exists(directory) else {
            throw StoreError.notFound(path: databasePath(directory))
        }
        // Held until the files are gone, so that no server writes meanwhile.
        let lock = try InstanceLock(directory: directory)
        defer { withExtendedLifetime(lock) {} }
        try eraseFiles(directory)
    }

    /// The same while this server runs and holds the lock: nothing can be stored from now on, and the next start begins
    /// anew. Call `finishErasing` when everything has stopped.
    package func erase() throws {
        guard let directory else { throw StoreError.readOnly(path: path) }
        try inLine { _ in
            try Self.eraseFiles(directory)
            // On a read-only disk no file goes, and it must not report that one went.
            guard fileSize(path) == nil else { throw StoreError.readOnly(path: path) }
            lastKnown?.stop()
            LastKnown.remove(directory)
            connection.withLock { $0.isErased = true }
        }
    }

    /// Closes the files that are gone, removes what was written after them, and releases the lock.
    package func finishErasing() {
        guard let directory, isErased else { return }
        do {
            try? queue.close()
            try Self.eraseFiles(directory)
        } catch { log.error("Not everything could be erased: \(error)") }
        connection.withLock { $0.lock = nil }
    }

    package var isErased: Bool { connection.withLock { $0.isErased } }

    /// Names the other machines of the household, and holds its key.
    package static let clusterFileName = "cluster.json"

    /// Where the executable keeps the keys of its certificates.
    package static let identityFolderName = "tls"

    /// Where the household's own etcd is, and what a machine must know of it.
    package static let etcdFolderName = "etcd"

    private static func eraseIdentity(_ directory: String) {
        let folder = directory + "/" + identityFolderName
        for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where file.hasSuffix(".pem") || file.hasSuffix(".pem.new") { unlink(folder + "/" + file) }
        rmdir(folder)
    }

    private static func eraseFiles(_ directory: String) throws {
        LastKnown.remove(directory)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        for name in names where name.hasPrefix(fileName) { unlink(directory + "/" + name) }
        SuggestedTasksFile.remove(from: directory)
        unlink(directory + "/" + outboundKeyName)
        unlink(directory + "/" + clusterFileName)
        eraseIdentity(directory)
        try? FileManager.default.removeItem(atPath: directory + "/" + etcdFolderName)
        for backup in Backups(directory: directory).all { unlink(backup) }
        rmdir(directory + "/backups")
        try synchronize(directory)
    }
}
