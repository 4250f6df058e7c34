package import Foundation
import Policy

/// The ring that fills as time passes. The server draws it and the script updates it.
package struct CountdownRing: Sendable {
    /// `1:24:36`.
    package let remaining: String
    /// The rest of the stroke, whose full length is `circumference`.
    package let dashOffset: Double
    /// The position of the stroke's round head, backwards along the circle from the top: SVG's offsets are negative.
    package let headOffset: Double
    /// Whether any progress is drawn; a round cap would show a dot at zero.
    package let hasProgress: Bool
    package let startedAt: String
    package let endsAt: String
    package let totalSeconds: Int

    /// For the drawing's radius of 100, to a tenth; `countdown.js` has it too.
    private static let circumference = 628.3

    package init(startedAt: Date, endsAt: Date, now: Date) {
        let total = ClockFace.seconds(from: startedAt, to: endsAt)
        let left = ClockFace.seconds(from: now, to: endsAt)
        let progress = total == 0 ? 1 : min(1, max(0, 1 - Double(left) / Double(total)))
        remaining = Countdown.text(seconds: left)
        dashOffset = ((1 - progress) * Self.circumference * 10).rounded() / 10
        headOffset = ((dashOffset - Self.circumference) * 10).rounded() / 10
        hasProgress = dashOffset < Self.circumference
        self.startedAt = ClockFace.iso(startedAt)
        self.endsAt = ClockFace.iso(endsAt)
        totalSeconds = total
    }
}
