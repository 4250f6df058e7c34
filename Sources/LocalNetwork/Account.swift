import Foundation
import Glibc

/// A user of this machine.
package struct Account {
    package let name: String
    let id: uid_t
    let group: gid_t

    package init?(_ name: String) {
        self.name = name
        guard let entry = getpwnam(name) else { return nil }
        id = entry.pointee.pw_uid
        group = entry.pointee.pw_gid
    }

    /// The name of the user that this process is; nil: it has none.
    package static var current: String? { getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } }

    /// Whether every folder on the way can be passed through by others.
    package func reaches(_ directory: String) -> Bool {
        guard let full = realpath(directory, nil) else { return false }
        defer { free(full) }
        var path = ""
        for part in String(cString: full).split(separator: "/").dropLast() {
            path += "/\(part)"
            var status = stat()
            guard stat(path, &status) == 0 else { return false }
            if status.st_mode & S_IXOTH == 0 && status.st_uid != id { return false }
        }
        return true
    }

    /// Makes the folder and what is in it this user's. Returns whether it is: on a read-only disk what is not, stays so.
    package func owns(_ directory: String) throws -> Bool {
        let inside = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
        for path in [directory] + inside.map({ "\(directory)/\($0)" }) {
            var status = stat()
            if lstat(path, &status) == 0, status.st_uid == id, status.st_gid == group { continue }
            guard lchown(path, id, group) == 0 else {
                if errno == EROFS { return false }
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        }
        return true
    }
}
