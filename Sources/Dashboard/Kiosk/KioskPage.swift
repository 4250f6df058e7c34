package import Foundation
package import Pages
package import Policy

/// The bedside display: clock and countdown, and use against limits if it is switched on.
///
/// GET `/kiosk?person=N&brightness=10…100&limits=on`; works without login for the asking device's person.
package struct KioskPage: Page {
    package static let template = "kiosk"

    package let title = "Clock"
    /// `22:19`.
    package let clock: String
    package let ring: CountdownRing?
    /// `22:00` and `07:00`, while a session runs.
    package let asleepSince: String?
    package let asleepUntil: String?
    package let isCancelling: Bool
    package let cancelSeconds: Int
    package let cancelsAt: String?
    /// `Tonight at 22:00`, while none runs.
    package let next: String?
    package let nextStart: String?
    /// The coming bedtime, also without a login; the page then shows only the last minutes before it.
    let bedtime: String?
    /// Whether a bedtime is planned that this display, without a login, does not show yet.
    let hidesPlan: Bool
    let windDown: WindDown?
    /// The running override (AR-043).
    let meal: Meal?
    /// 10 to 100 in steps of 10; also a class of the style sheet.
    package let brightness: Int
    package let dimmer: String?
    package let brighter: String?
    /// Use against limits, if it is switched on (TH-024).
    let limits: [LimitRow]
    /// The address of this kiosk with or without limits; one of the two is nil.
    package let showLimits: String?
    package let hideLimits: String?
    /// The code that opens set-up on a phone; nil once a phone is set up, and at night.
    let code: PhoneCode?

    /// If `limits` is nil, they are switched off. `query` builds the address of this kiosk with another brightness,
    /// with or without limits.
    package init(
        session: SleepSession?, nextStart: Date?, bedtime: Date? = nil, brightness: Int?, now: Date,
        zone: TimeZone, overrideEndsAt: Date? = nil, limits: Limits? = nil, code: PhoneCode? = nil,
        query: (_ brightness: Int, _ limits: Bool) -> String
    ) {
        let face = ClockFace(zone: zone)
        clock = face.time(now)
        self.code = session == nil ? code : nil
        ring = session.map { CountdownRing(startedAt: $0.startedAt, endsAt: $0.endsAt, now: now) }
        asleepSince = session.map { face.time($0.startedAt) }
        asleepUntil = session.map { face.time($0.endsAt) }
        cancelsAt = session?.cancelsAt.map(ClockFace.iso)
        isCancelling = session?.cancelsAt != nil
        cancelSeconds = session?.cancelRemaining(at: now) ?? 0
        let coming = session == nil ? nextStart : nil
        next = coming.map { face.coming($0, from: now) }
        self.nextStart = coming.map(ClockFace.iso)
        let near = session == nil ? bedtime ?? nextStart : nil
        self.bedtime = near.map(ClockFace.iso)
        windDown = WindDown(to: near, at: now)
        hidesPlan = near != nil && coming == nil
        meal = overrideEndsAt.map { Meal(endsAt: $0, now: now) }
        let steps = min(100, max(10, ((brightness ?? 100) + 5) / 10 * 10))
        self.brightness = steps
        dimmer = steps > 10 ? query(steps - 10, limits != nil) : nil
        brighter = steps < 100 ? query(steps + 10, limits != nil) : nil
        self.limits = limits?.rows ?? []
        showLimits = limits == nil ? query(steps, true) : nil
        hideLimits = limits == nil ? nil : query(steps, false)
    }

    /// `44:59`, and the instant of its end.
    struct Meal {
        let remaining: String
        let endsAt: String

        init(endsAt: Date, now: Date) {
            remaining = Countdown.text(seconds: ClockFace.seconds(from: now, to: endsAt))
            self.endsAt = ClockFace.iso(endsAt)
        }
    }

    /// Rows beside the clock.
    package struct Limits {
        let rows: [LimitRow]

        package init(
            of person: Person, in household: Household, catalog: Catalog, usage: UsageTotals, now: Date
        ) {
            rows = LimitRow.small(of: person, in: household, catalog: catalog, usage: usage, now: now)
        }
    }
}
