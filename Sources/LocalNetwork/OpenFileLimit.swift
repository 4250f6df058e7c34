import Glibc

/// How many files and sockets this process may hold open.
package enum OpenFileLimit {
    /// The current limit.
    package static var current: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the soft limit to the hard one, at most to `wanted`, and returns the current limit.
    package static func raise(to wanted: UInt = 65_536) -> UInt {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let target = min(limit.rlim_max, max(limit.rlim_cur, wanted))
        var raised = rlimit(rlim_cur: target, rlim_max: limit.rlim_max)
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 ? target : limit.rlim_cur
    }
}
