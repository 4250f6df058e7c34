import Glibc

/// The sockets that systemd passes to a process at its start: first those of its `.socket` units, then those that an
/// earlier process left in the unit's file descriptor store (sd_listen_fds(3)).
package enum InheritedSockets {
    /// The first passed descriptor (SD_LISTEN_FDS_START).
    package static let first: Int32 = 3

    /// Takes them, once for each process; closes duplicates and everything that is not a bound UDP or TCP socket.
    package static func take(
        process: Int32 = getpid(), first: Int32 = first,
        environment: (String) -> String? = SystemdNotice.environment
    ) -> [BoundSocket] {
        // With another LISTEN_PID they were meant for an earlier process, whose environment this one inherited.
        guard environment("LISTEN_PID") == String(process),
            let count = environment("LISTEN_FDS").flatMap({ Int32($0) }), count > 0, count <= 4096
        else { return [] }
        let names = (environment("LISTEN_FDNAMES") ?? "").split(
            separator: ":", omittingEmptySubsequences: false)
        var known: Set<UInt64> = []
        return (0..<count).compactMap { index in
            let descriptor = first + index
            let name = Int(index) < names.count ? String(names[Int(index)]) : ""
            guard let socket = BoundSocket(descriptor, name: name), known.insert(socket.inode).inserted else {
                close(descriptor)
                return nil
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            return socket
        }
    }
}
