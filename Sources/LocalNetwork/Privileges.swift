import Glibc
import LinuxCalls

/// What this process may do, and how it gives up what it does not need (design.md, Trust).
package enum Privileges {
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        case unknownUser(String)
        /// Capabilities belong to threads: threads that already run would not keep theirs.
        case otherThreads
        case refused(call: String, code: Int32)

        package var description: String {
            switch self {
            case .unknownUser(let name): "There is no user \(name) on this machine."
            case .otherThreads: "Privileges can only be dropped before other threads start."
            case .refused(let call, let code): "\(call): \(String(cString: strerror(code)))"
            }
        }
    }

    private static let bindLowPorts: UInt64 = 1 << 10  // CAP_NET_BIND_SERVICE
    private static let administerNetwork: UInt64 = 1 << 12  // CAP_NET_ADMIN

    package static var isRoot: Bool { geteuid() == 0 }

    /// Uses the right that a container's program file gives. It gives it as permitted and not as effective, so that the
    /// program also starts, and says what is missing, where the container may not have it. By the only thread.
    package static func takeUp() { linux_use_file_capabilities() }

    /// Whether ports from `port` up can be bound.
    package static func canBind(port: Int = 53) -> Bool {
        if linux_effective_capabilities() & bindLowPorts != 0 { return true }
        let first = fileText("/proc/sys/net/ipv4/ip_unprivileged_port_start")
        return first.flatMap { Int($0.prefix { $0.isNumber }) }.map { port >= $0 } ?? false
    }

    /// Whether this process can set rules for forwarded packets.
    package static var canAdministerNetwork: Bool { linux_effective_capabilities() & administerNetwork != 0 }

    /// Becomes a user (by name or number) for good, with only the capability to bind low ports. A gateway also keeps
    /// the one to rule packets, and passes it on to nft.
    ///
    /// Must be called as root by the only thread, before anything else starts.
    package static func drop(to user: String, asGateway: Bool = false) throws(Failure) {
        guard threadCount == 1 else { throw .otherThreads }
        guard let entry = getpwnam(user) ?? UInt32(user).flatMap({ getpwuid($0) }) else {
            throw .unknownUser(user)
        }
        let (uid, gid) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        try check("prctl", linux_keep_capabilities(1))
        try check("setgroups", setgroups(1, [gid]))
        try check("setgid", setgid(gid))
        try check("setuid", setuid(uid))
        let kept = asGateway ? bindLowPorts | administerNetwork : bindLowPorts
        try check("capset", linux_set_capabilities(kept))
        if asGateway { try check("prctl", linux_set_ambient_capabilities(administerNetwork)) }
        try check("prctl", linux_keep_capabilities(0))
    }

    private static func check(_ call: String, _ status: Int32) throws(Failure) {
        if status != 0 { throw .refused(call: call, code: errno) }
    }

    private static var threadCount: Int {
        let line = fileText("/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix("Threads:") }
        return line.flatMap { Int(words($0).last ?? "") } ?? 1
    }
}
