import Foundation
import Glibc

/// systemd's journal, as a service's output.
package enum Journal {
    /// Whether a descriptor leads to the journal. systemd names the journal's socket in `JOURNAL_STREAM`, as
    /// `device:inode`, and a service's children inherit the variable with other outputs (systemd.exec(5)).
    package static func isOutput(
        _ descriptor: CInt, stream: String? = ProcessInfo.processInfo.environment["JOURNAL_STREAM"]
    ) -> Bool {
        var status = stat()
        guard let stream, fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
