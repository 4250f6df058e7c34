import Foundation
import GRDB
import Logging
import Policy

extension HouseholdStore {
    /// Erases everything that a directory knows of the household, with no server running: rules, log, access,
    /// backups, copies that were set aside. What is not ours in the directory stays.
    package static func wipe(directory: String) throws {
        guard fileSize(databasePath(directory)) != nil || LastKnown.exists(directory) else {
            throw StoreError.notFound(path: databasePath(directory))
        }
        // Held until the files are gone, so that nobody writes meanwhile.
        let lock = try InstanceLock(directory: directory)
        defer { withExtendedLifetime(lock) {} }
        LastKnown.remove(directory)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        for name in names where name.hasPrefix(fileName) { unlink(directory + "/" + name) }
        SuggestedTasksFile.remove(from: directory)
        unlink(directory + "/" + outboundKeyName)
        for backup in Backups(directory: directory).newestFirst { unlink(backup) }
        rmdir(directory + "/backups")
        try synchronize(directory)
    }
}
