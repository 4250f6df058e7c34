import Glibc
import LinuxCalls

/// What this process may use at most. The kernel ends it where it asks for more, or refuses.
package enum ResourceBounds {
    /// Sets them for good, and gives up every capability. False if the kernel would not set one.
    ///
    /// - Parameters:
    ///   - memory: of its own data, in bytes (getrlimit(2), RLIMIT_DATA).
    ///   - seconds: of a processor's time.
    ///   - file: the largest file that it may write, in bytes.
    package static func set(memory: UInt, seconds: UInt, file: UInt) -> Bool {
        linux_set_ambient_capabilities(0)
        linux_set_capabilities(0)
        return [(RLIMIT_DATA, memory), (RLIMIT_CPU, seconds), (RLIMIT_FSIZE, file), (RLIMIT_CORE, 0)]
            .allSatisfy { resource, most in
                var limit = rlimit(rlim_cur: most, rlim_max: most)
                return setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
            }
    }
}
