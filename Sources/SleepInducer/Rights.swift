import Foundation
import LocalNetwork

/// A server that was started as root keeps one right, to open low ports, and becomes a user without others (design.md,
/// "Trust"). A gateway keeps a second right, to change the packet filter.
enum Rights {
    /// The user that owns nothing, so that other programs become it too.
    static let shared = "nobody"
    /// The user that the package or `make install` made, else the shared one, and the announcement says so.
    private static let users = ["sleep-inducer", shared]

    /// Call it while the process has one thread. If that user could not reach the data (a source tree in root's own
    /// home), the server stays root, and the announcement says so.
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
