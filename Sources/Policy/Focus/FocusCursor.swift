package import Foundation

/// The end of a page of the history, so that the next page neither repeats nor skips a session: the end of the page's
/// last session in milliseconds, and that session's id.
package struct FocusCursor: Equatable, Sendable {
    package let end: Date
    package let id: UUID

    /// The milliseconds that a Double can represent exactly.
    private static let instants = -(Int64(1) << 53)...(Int64(1) << 53)

    package init(_ session: FocusSession) {
        end = session.end
        id = session.id
    }

    /// Parses `text`; nil if it is something else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), Self.instants.contains(milliseconds),
            let id = UUID(uuidString: String(parts[1]))
        else { return nil }
        end = Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
        self.id = id
    }

    package var text: String { "\(Int64((end.timeIntervalSince1970 * 1000).rounded())).\(id.uuidString)" }
}
