package import Foundation
import Pages
package import Policy

/// One thing to look at, as the dashboard and `/health` say it: POST `/health/away` with `notice`.
package struct NoticeRow: Sendable {
    let id: String
    let text: String
    /// `until tomorrow at 21:40`, while it is put away.
    let awayUntil: String?

    init(_ notice: NoticeBoard.Notice, clock: ClockFace, now: Date) {
        id = notice.id
        text = notice.finding.sentence
        awayUntil =
            notice.isAway(at: now) ? notice.awayUntil.map { clock.until($0, from: now) } : nil
    }
}

/// What this house has to say of itself: all of it to the owner, to others what is about their own devices.
package struct HealthPage: Page {
    package static let template = "health"

    package let title = "How things are"
    let notices: [NoticeRow]
    let isFine: Bool
    /// What is well.
    let fine: [String]
    let isOwner: Bool

    package init(
        _ board: NoticeBoard, devices: Set<DeviceID>, isOwner: Bool, now: Date, zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        notices = board.notices
            .filter { notice in isOwner || notice.finding.device.map(devices.contains) ?? false }
            .map { NoticeRow($0, clock: clock, now: now) }
        isFine = notices.isEmpty
        fine = isOwner ? board.lines.filter(\.isGood).map(\.text) : []
        self.isOwner = isOwner
    }
}
