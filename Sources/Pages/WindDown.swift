package import Foundation

/// The last quarter of an hour before a bedtime, counted down in whole minutes; the script says the same.
package struct WindDown: Hashable, Sendable {
    /// How long before a bedtime the countdown begins, in seconds.
    package static let length: TimeInterval = 15 * 60

    /// ISO 8601.
    package let bedtime: String
    /// `Bedtime in 14 min`, rounded up.
    package let text: String

    /// Nil if no bedtime is that near.
    package init?(to bedtime: Date?, at now: Date) {
        guard let bedtime, bedtime > now, bedtime.timeIntervalSince(now) <= Self.length else { return nil }
        self.bedtime = ClockFace.iso(bedtime)
        text = "Bedtime in \((ClockFace.seconds(from: now, to: bedtime) + 59) / 60) min"
    }
}
