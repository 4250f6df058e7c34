import Glibc
import LinuxCalls

/// What a `Type=notify` unit tells systemd (sd_notify(3)).
package enum SystemdNotice {
    package enum State: Hashable, Sendable {
        case ready
        case stopping
        /// Still alive.
        case watchdog
        case status(String)

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .watchdog: "WATCHDOG=1"
            case .status(let text): "STATUS=" + text.split(separator: "\n").joined(separator: " ")
            }
        }
    }

    /// Whether there is a service manager that listens.
    package static var isHeard: Bool { environment("NOTIFY_SOCKET") != nil }

    /// False if systemd does not listen. That is no error: systemd did not start the process.
    @discardableResult
    package static func send(_ states: State..., to path: String? = environment("NOTIFY_SOCKET")) -> Bool {
        send(states.map(\.text).joined(separator: "\n"), [], to: path)
    }

    /// Asks systemd to keep sockets for the unit's next process, under a name (printable ASCII without colons). systemd
    /// does not watch them: a socket with an error stays ours.
    @discardableResult
    package static func keep(
        _ descriptors: [Int32], as name: String, to path: String? = environment("NOTIFY_SOCKET")
    ) -> Bool {
        send("FDSTORE=1\nFDPOLL=0\nFDNAME=\(name)", descriptors, to: path)
    }

    /// Asks systemd to close what it keeps under a name.
    @discardableResult
    package static func forget(_ name: String, to path: String? = environment("NOTIFY_SOCKET")) -> Bool {
        send("FDSTOREREMOVE=1\nFDNAME=\(name)", [], to: path)
    }

    private static func send(_ text: String, _ descriptors: [Int32], to path: String?) -> Bool {
        guard let path, path.hasPrefix("/") || path.hasPrefix("@") else { return false }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }  // an abstract socket
        let isFitting = withUnsafeMutableBytes(of: &address.sun_path) { space in
            guard name.count < space.count else { return false }
            space.copyBytes(from: name)
            return true
        }
        guard isFitting else { return false }
        let notice = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard notice >= 0 else { return false }
        defer { close(notice) }
        let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + name.count)
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                linux_send_with_descriptors(
                    notice, $0, length, text, text.utf8.count, descriptors, descriptors.count)
            }
        }
        return sent == text.utf8.count
    }

    package static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
