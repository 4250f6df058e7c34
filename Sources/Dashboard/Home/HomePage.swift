package import Foundation
package import Pages
package import Policy

/// The dashboard: four cards, what comes next, and whether anybody listens (SI-116 to SI-122).
///
/// POST `/schedule/tonight` with `change` of `skip`, `later` or `undo`; POST `/devices/enroll`.
package struct HomePage: Page {
    package static let template = "home"

    package let title = "Dashboard"
    /// `Tonight at 22:00`; nil: nothing is planned.
    package let nextText: String?
    /// `strict`, in the running text.
    package let nextStrictness: String?
    /// `until 07:00`.
    package let nextEnd: String?
    package let nextStart: String?
    /// `Tonight is skipped.` or `30 minutes later than planned.`
    package let changeText: String?
    package let canSkip: Bool
    package let canDelay: Bool
    package let canUndo: Bool
    package let devices: DevicesInUse
    /// Whether the asking device could say "This is my device" right here.
    package let offersEnrolling: Bool

    /// `nextStart` and `tonight` are the person's, from the verdict; `isEnrolled` is about the asking device.
    package init(
        schedule: RecurringSchedule?, nextStart: Date?, tonight: TonightChange? = nil, devices: DevicesInUse,
        isEnrolled: Bool, now: Date, zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        let coming = nextStart.map { clock.coming($0, from: now) }
        let isTonight = coming?.hasPrefix("Tonight") ?? false
        nextText = coming
        nextStrictness = nextStart == nil ? nil : schedule?.strictness.rawValue
        nextEnd = nextStart.flatMap { start in schedule.map { clock.end(of: $0, startingAt: start) } }
        self.nextStart = nextStart.map(ClockFace.iso)
        switch tonight?.kind {
        case .skip: changeText = "Tonight is skipped."
        case .later: changeText = "\(tonight?.minutes ?? 0) minutes later than planned."
        case nil: changeText = nil
        }
        canSkip = isTonight && tonight?.kind != .skip
        canDelay = canSkip
        canUndo = tonight != nil
        self.devices = devices
        offersEnrolling = !isEnrolled
    }
}
