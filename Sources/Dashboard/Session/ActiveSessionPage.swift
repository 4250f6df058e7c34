package import Foundation
package import Pages
package import Policy

/// The running session: POST `/session/cancel`, POST `/session/keep`.
package struct ActiveSessionPage: Page {
    package static let template = "active-session"

    package let title = "Sleep Mode Active"
    package let id: String
    package let ring: CountdownRing
    /// `2h`: the length of the whole session.
    package let duration: String
    package let mode: String
    package let isStrict: Bool
    package let isCancelling: Bool
    /// Seconds until a pressed cancel takes effect.
    package let cancelSeconds: Int
    /// How many of the 30 seconds are over: the bar fills.
    package let cancelElapsed: Int
    package let cancelsAt: String?
    /// `07:00`.
    package let endsAtText: String
    /// `Asleep since 22:00, until 06:30`, or `Awake until 23:18, then asleep again` while that begins.
    let asleep: String
    package let devices: DevicesInUse
    /// Whether to offer "This is my device", because nothing is blocked on the asking device.
    package let offersEnrolling: Bool

    /// `end` is when sleep ends, a night that follows included; `pauseEnd`, when it goes on after 30 minutes awake.
    package init(
        session: SleepSession, until end: Date, pauseEnd: Date? = nil, devices: DevicesInUse,
        isEnrolled: Bool, now: Date,
        zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        asleep =
            pauseEnd.map { "Awake until \(clock.time($0)), then asleep again" }
            ?? clock.asleep(session, until: end, from: now)
        id = session.id.uuidString
        ring = CountdownRing(startedAt: session.startedAt, endsAt: end, now: now)
        duration = session.durationFormatted
        mode = session.strictness.displayName
        isStrict = session.strictness == .strict
        isCancelling = session.cancelsAt != nil
        cancelSeconds = session.cancelRemaining(at: now) ?? 0
        cancelElapsed = min(30, max(0, 30 - cancelSeconds))
        cancelsAt = session.cancelsAt.map(ClockFace.iso)
        endsAtText = clock.time(end)
        self.devices = devices
        offersEnrolling = !isEnrolled
    }
}
