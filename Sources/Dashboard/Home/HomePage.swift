package import Foundation
package import Pages
package import Policy

/// The dashboard: four cards, the next night and the devices in use.
///
/// POST `/schedule/tonight` with `change` of `skip`, `later`, `undo`, or `at` with a `time`; POST `/devices/enroll`; POST `/setup/end`.
package struct HomePage: Page {
    package static let template = "home"

    package let title = "Dashboard"
    /// `Tonight at 22:00`, or `Awake until 23:18` in the middle of a night; nil if nothing is planned.
    package let nextText: String?
    /// `strict`, within a sentence; nil for a flexible night, which needs no word.
    package let nextStrictness: String?
    /// `until 07:00`.
    package let nextEnd: String?
    package let nextStart: String?
    /// `Tonight is skipped.`, `30 minutes later than planned.` or `Then the night goes on.`
    package let changeText: String?
    package let canSkip: Bool
    package let canDelay: Bool
    package let canUndo: Bool
    /// `Undo`; `Sleep now` in the middle of a night.
    let undoLabel: String
    /// The bedtime as it is now, for "Another bedtime"; nil if tonight cannot be changed.
    let bedtime: String?
    /// `Last night: 22:00 to 06:30, kept.`, told once, in the morning.
    let lastNight: String?
    /// What Anti-Rot and limits say now; nil for what the person does not use.
    let antiRot: String?
    let limits: String?
    let hasToday: Bool
    /// The morning after a night, or the half hour before the next one.
    let edge: NightEdge?
    /// In the evening.
    let toBed: ToBed?
    package let devices: DevicesInUse
    /// Whether to offer "This is my device" to the asking device.
    package let offersEnrolling: Bool
    /// `Anna left on “Phone” on Friday at 21:40. …`, of the last seven days.
    let left: [String]
    /// The page with which set-up goes on; nil once it is over.
    let setupPath: String?
    /// Notices for the owner.
    let concerns: [NoticeRow]
    let hasConcerns: Bool
    /// `3 more`, on the list; nil if all are here.
    let moreConcerns: String?
    private static let mostConcerns = 2

    /// `nextStart` and `tonight` are the person's, from the verdict; `isEnrolled` is about the asking device.
    package init(
        schedule: RecurringSchedule?, nextStart: Date?, tonight: TonightChange? = nil,
        except exceptions: [DateException] = [], devices: DevicesInUse, isEnrolled: Bool,
        toBed: ToBed? = nil, antiRot: String? = nil, limits: String? = nil, left: [String] = [],
        lastNight: LastNight? = nil, edge: NightEdge? = nil, setupStep: SetupStep? = nil,
        board: NoticeBoard = NoticeBoard(), now: Date, zone: TimeZone
    ) {
        self.lastNight = lastNight?.text
        self.edge = edge
        (self.antiRot, self.limits) = (antiRot, limits)
        hasToday = antiRot != nil || limits != nil
        setupPath = setupStep?.path
        let shown = board.shown(at: now)
        concerns = shown.prefix(Self.mostConcerns).map {
            NoticeRow($0, clock: ClockFace(zone: zone), now: now)
        }
        moreConcerns =
            shown.count > Self.mostConcerns ? "\(shown.count - Self.mostConcerns) more" : nil
        hasConcerns = !concerns.isEmpty
        self.left = left
        let clock = ClockFace(zone: zone)
        let nights = schedule.map { clock.nights($0, tonight: tonight, except: exceptions) }
        let change = tonight.flatMap { change in
            nights?.planned(on: change.night).flatMap { now < $0.end ? change : nil }
        }
        let night = nights?.upcoming(from: now, count: 3).first { $0.start == nextStart }
        // The verdict's next start is where the pause ends.
        let isPause = change?.isPause == true && night?.date == change?.night
        nextText = nextStart.map {
            isPause ? "Awake until \(clock.time($0))" : clock.coming($0, from: now)
        }
        nextStrictness =
            nextStart == nil || isPause || schedule?.strictness == .flexible
            ? nil : schedule?.strictness.rawValue
        undoLabel = isPause ? "Sleep now" : "Undo"
        nextEnd = night.map { clock.time($0.end) }
        self.nextStart = nextStart.map(ClockFace.iso)
        changeText = change.map {
            isPause ? "Then the night goes on." : $0.words(in: nights, clock: clock, now: now)
        }
        canSkip = change?.kind != .skip && nextStart.map { clock.isTonight($0, from: now) } ?? false
        canDelay =
            canSkip && change.canBeLater
        canUndo = change != nil
        bedtime = canSkip ? nextStart.map { clock.zone.time(of: $0).description } : nil
        // A device that is still to be set up needs the room, and comes first.
        self.toBed = isEnrolled && !devices.isNone ? toBed : nil
        self.devices = devices
        offersEnrolling = !isEnrolled
    }
}
