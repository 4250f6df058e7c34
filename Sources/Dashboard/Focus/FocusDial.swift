import Foundation
import Pages
import Policy

/// The timer as the page draws it; the script updates it each second.
struct FocusDial: Sendable {
    /// `idle`, `running` or `paused`.
    let state: String
    /// `25:00`.
    let remaining: String
    let remainingSeconds: Int
    /// Whether the time has hours, which need more room.
    let isLong: Bool
    let totalSeconds: Int
    /// Nil unless the timer runs.
    let endsAt: String?
    let session: String?
    /// The part of the stroke that is not drawn; its whole length is 628.3.
    let dashOffset: Double
    let hasProgress: Bool
    /// Under the digits: `Ends at 14:35`, `Paused`, `of 25m`, or the length.
    let caption: String

    private static let circumference = 628.3

    init(_ timer: FocusTimer, at now: Date, clock: ClockFace) {
        state = timer.stateName
        remainingSeconds = timer.remaining(at: now)
        isLong = remainingSeconds >= 3600
        totalSeconds = timer.totalSeconds
        remaining = Countdown.text(seconds: remainingSeconds)
        endsAt = timer.endsAt.map(ClockFace.iso)
        session = timer.session?.uuidString
        dashOffset = ((1 - timer.progress(at: now)) * Self.circumference * 10).rounded() / 10
        hasProgress = dashOffset < Self.circumference
        caption =
            if let end = timer.endsAt {
                "Ends at \(clock.time(end))"
            } else if timer.isPaused {
                "Paused"
            } else if remainingSeconds < totalSeconds {
                "of \(timer.presetLabel)"
            } else {
                timer.presetLabel
            }
    }
}
