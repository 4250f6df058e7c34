import Foundation
import Glibc

/// A file that only this user may read.
enum PrivateFile {
    /// Writes it whole or not at all, and gives it to the owner of `directory`: what root makes, the service must be able
    /// to read.
    static func write(_ bytes: Data, to name: String, in directory: String) throws {
        let path = "\(directory)/\(name)"
        var owner = stat()
        let isKnown = stat(directory, &owner) == 0
        let folder = (path as NSString).deletingLastPathComponent
        if mkdir(folder, 0o700) == 0, isKnown { _ = chown(folder, owner.st_uid, owner.st_gid) }
        let new = path + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ClusterFault.unwritable(path: path) }
        let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let isKept = fsync(descriptor) == 0
        if isKnown { _ = fchown(descriptor, owner.st_uid, owner.st_gid) }
        Glibc.close(descriptor)
        guard written == bytes.count, isKept, rename(new, path) == 0 else {
            throw ClusterFault.unwritable(path: path)
        }
    }
}
