/// Why a command failed: one line on standard error and exit status 1, without the usage that belongs to a mistyped
/// command line.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
