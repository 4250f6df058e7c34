package import Foundation

/// "I'll do it" on a suggestion: a quarter of an hour for it. "Well done" comes after something was done, and not for the
/// press.
package struct SuggestionTimer: Hashable, Sendable {
    /// In seconds.
    package static let duration: TimeInterval = 900
    /// How long it takes until "I did it" is believed, in seconds.
    package static let least: TimeInterval = 60

    package let start: Date

    package init(start: Date) { self.start = start }

    package var endsAt: Date { start + Self.duration }

    package func isOver(at now: Date) -> Bool { now >= endsAt }

    /// Whether "I did it" leads to "Well done".
    package func isDoable(at now: Date) -> Bool { now >= start + Self.least }
}
