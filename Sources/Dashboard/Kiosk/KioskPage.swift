package import Foundation
package import Pages
package import Policy

/// The bedside display: clock and countdown, one button to begin the night, and the day as its second face.
///
/// GET `/kiosk?person=N&brightness=10…100&limits=on`; POST `/kiosk/goodnight`, `/kiosk/undo` with `press`, for 8 seconds.
/// All work without login for the asking device's person.
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
    /// `23:18`, while somebody is awake for a while in the night, or about to be.
    let awakeUntil: String?
    /// `Tonight at 22:00`, while none runs.
    package let next: String?
    package let nextStart: String?
    /// The coming bedtime, also without a login; the page then shows only the last minutes before it.
    let bedtime: String?
    /// Whether a bedtime is planned that this display, without a login, does not show yet.
    let hidesPlan: Bool
    let windDown: WindDown?
    let edge: NightEdge?
    /// 0 to 6, while a bedtime is coming: the clock sinks from gold to amber.
    let duskStep: String?
    /// The running override.
    let meal: Meal?
    /// 10 to 100 in steps of 10; also a class of the style sheet.
    package let brightness: Int
    package let dimmer: String?
    package let brighter: String?
    /// Use against limits, on the second face.
    let limits: [LimitRow]
    let ribbon: Ribbon?
    /// The address of this kiosk with or without the second face; one of the two is nil.
    package let showDay: String?
    package let hideDay: String?
    /// Where "Good night" is sent; nil if it is not offered.
    let goodnight: String?
    let undo: Undo?
    /// Why the last press was refused.
    let refusal: String?
    /// The code that opens set-up on a phone; nil once a phone is set up, and at night.
    let code: PhoneCode?

    /// `end` is when sleep ends, a night that follows included; `pauseEnd`, when it goes on after 30 minutes awake. If `day` is nil, the second face is off. `query` builds the address of this kiosk with another brightness, with
    /// or without the second face.
    package init(
        session: SleepSession?, until end: Date? = nil, pauseEnd: Date? = nil, nextStart: Date?,
        bedtime: Date? = nil,
        brightness: Int?, now: Date,
        zone: TimeZone, overrideEndsAt: Date? = nil, morning: Morning? = nil, day: Day? = nil,
        touch: Touch = Touch(), code: PhoneCode? = nil, query: (_ brightness: Int, _ day: Bool) -> String
    ) {
        let face = ClockFace(zone: zone)
        clock = face.time(now)
        self.code = session == nil ? code : nil
        let end = end ?? session?.endsAt
        ring = session.flatMap { session in
            end.map { CountdownRing(startedAt: session.startedAt, endsAt: $0, now: now) }
        }
        asleepSince = session.map { face.time($0.startedAt) }
        asleepUntil = end.map(face.time)
        cancelsAt = session?.cancelsAt.map(ClockFace.iso)
        isCancelling = session?.cancelsAt != nil
        awakeUntil = pauseEnd.map(face.time)
        cancelSeconds = session?.cancelRemaining(at: now) ?? 0
        let coming = session == nil ? nextStart : nil
        next = coming.map { face.coming($0, from: now) }
        self.nextStart = coming.map(ClockFace.iso)
        let near = session == nil ? bedtime ?? nextStart : nil
        self.bedtime = near.map(ClockFace.iso)
        windDown = WindDown(to: near, at: now)
        hidesPlan = near != nil && coming == nil
        edge = session == nil ? NightEdge(morning: morning, bedtime: nil, at: now) : nil
        duskStep = Dusk(to: near, at: now).map { "\($0.step)" }
        meal = overrideEndsAt.map { Meal(endsAt: $0, now: now) }
        let steps = min(100, max(10, ((brightness ?? 100) + 5) / 10 * 10))
        self.brightness = steps
        dimmer = steps > 10 ? query(steps - 10, day != nil) : nil
        brighter = steps < 100 ? query(steps + 10, day != nil) : nil
        limits = day?.rows ?? []
        ribbon = day?.ribbon
        showDay = day == nil ? query(steps, true) : nil
        hideDay = day == nil ? nil : query(steps, false)
        let here = query(steps, day != nil).drop { $0 != "?" }
        // The second face has no room for it.
        goodnight = session == nil && day == nil && touch.offersGoodnight ? "/kiosk/goodnight\(here)" : nil
        undo = touch.press.flatMap { press in
            session != nil && press.secondsLeft(at: now) > 0
                ? Undo(action: "/kiosk/undo\(here)", press: press.id.uuidString) : nil
        }
        refusal = touch.refusal?.message
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

    /// Takes "Good night" back.
    struct Undo {
        let action: String
        let press: String
    }

    /// What a touch can do, and the result of the last one.
    package struct Touch: Sendable {
        let offersGoodnight: Bool
        let press: OneTapPress?
        let refusal: Refusal?

        package init(offersGoodnight: Bool = false, press: OneTapPress? = nil, refusal: Refusal? = nil) {
            self.offersGoodnight = offersGoodnight
            self.press = press
            self.refusal = refusal
        }
    }

    /// The second face: today's ribbon, and use against limits.
    package struct Day: Sendable {
        let rows: [LimitRow]
        let ribbon: Ribbon

        package init(
            of person: Person, in household: Household, catalog: Catalog, usage: UsageTotals,
            rhythm: DayRhythm, now: Date
        ) {
            rows = LimitRow.small(of: person, in: household, catalog: catalog, usage: usage, now: now)
            ribbon = Ribbon(rhythm, catalog: catalog, clock: ClockFace(zone: household.foundationZone))
        }
    }
}
