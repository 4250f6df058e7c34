import Foundation
import Glibc
import LocalNetwork

/// Started as root, the server keeps one right, to open low ports, and becomes somebody who has no other
/// (design.md, "Trust"); a gateway keeps a second one, to rule packets.
enum Rights {
    /// The user that `make install` made, else the one that owns nothing.
    private static let users = ["sleep-inducer", "nobody"]

    /// Called while the process has one thread. Where the data would be out of that user's reach (a source tree in
    /// root's own home) it stays root, and the announcement says so.
    static func lower(for options: ServeCommand) throws {
        _ = OpenFileLimit.raise()
        if !options.gateway.isEmpty, let obstacle = PacketFilter.obstacle(to: options.gateway) {
            throw Complaint(obstacle)
        }
        guard Privileges.isRoot else { return }
        let directory = options.place.directory
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Complaint("\(directory) is not a folder that can be used for the data.")
        }
        guard let user = users.lazy.compactMap({ Account($0) }).first, user.reaches(directory),
            try user.owns(directory)
        else { return }
        try Privileges.drop(to: user.name, asGateway: !options.gateway.isEmpty)
    }
}

/// A user of this machine.
private struct Account {
    let name: String
    let id: uid_t
    let group: gid_t

    init?(_ name: String) {
        self.name = name
        guard let entry = getpwnam(name) else { return nil }
        id = entry.pointee.pw_uid
        group = entry.pointee.pw_gid
    }

    /// Whether every folder on the way can be passed through by others.
    func reaches(_ directory: String) -> Bool {
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
    func owns(_ directory: String) throws -> Bool {
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
