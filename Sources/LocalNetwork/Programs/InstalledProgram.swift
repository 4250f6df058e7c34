import Glibc

/// A program of this machine.
package enum InstalledProgram {
    /// Where a program lies, by its name; nil: it is not installed.
    ///
    /// Administration's folders count also for a user who does not have them in `PATH`.
    package static func path(of name: String) -> String? {
        let named = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let folders = named.split(separator: ":").map(String.init)
        let administration = folders.contains("/usr/bin") ? ["/usr/sbin", "/sbin"] : []
        return (folders + administration).lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
