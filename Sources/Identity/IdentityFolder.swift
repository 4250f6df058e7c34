import Foundation
import Glibc
import Store

/// `DIR/tls`, where keys lie: a directory (0700) and files (0600) that only the server may read.
///
/// No backup and no export takes them along; goodbye and `wipe` erase them.
struct IdentityFolder: Sendable {
    let path: String

    /// - Parameter directory: the household's data.
    init(directory: String) { path = "\(directory)/\(HouseholdStore.identityFolderName)" }

    /// Nil where there is no such file, or none that can be read.
    func text(of file: String) -> String? {
        try? String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
    }

    /// Written beside the old one, onto the disk, and put in its place.
    func write(_ text: String, to file: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let bytes = Array(text.utf8)
        let place = "\(path)/\(file)"
        let new = place + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error }
        let written = Glibc.write(descriptor, bytes, bytes.count)
        let isKept = fsync(descriptor) == 0
        close(descriptor)
        guard written == bytes.count, isKept, rename(new, place) == 0 else { throw Self.error }
    }

    private static var error: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
