package import Foundation
import Pages
package import Policy

/// One notice, on the dashboard and on `/health`: POST `/health/away` with `notice`.
package struct NoticeRow: Sendable {
    let id: String
    let text: String
    /// The page on which somebody can settle it; nil for what is settled elsewhere.
    let place: Place?
    /// `until tomorrow at 21:40`, while it is put away.
    let awayUntil: String?

    struct Place {
        /// The person's query is added by the template.
        let path: String
        let name: String
    }

    init(_ notice: NoticeBoard.Notice, clock: ClockFace, now: Date) {
        id = notice.id
        text = notice.finding.sentence
        place = notice.finding.nextStep.map { Place(path: $0.path, name: $0.name) }
        awayUntil =
            notice.isAway(at: now) ? notice.awayUntil.map { clock.until($0, from: now) } : nil
    }
}

/// The server's notices: all of them for the owner, for others only those about their own devices.
package struct HealthPage: Page {
    package static let template = "health"

    package let title = "Status"
    let notices: [NoticeRow]
    let isFine: Bool
    /// Sentences about what works.
    let fine: [String]
    let isOwner: Bool

    package init(
        _ board: NoticeBoard, devices: Set<DeviceID>, machines: [HealthLine] = [], isOwner: Bool, now: Date,
        zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        notices = board.notices
            .filter { notice in
                // A way out is told to adults.
                isOwner
                    || notice.finding.kind != .wayOut && notice.finding.device.map(devices.contains) ?? false
            }
            .map { NoticeRow($0, clock: clock, now: now) }
        isFine = notices.isEmpty
        fine = isOwner ? (board.lines.filter(\.isGood) + machines).map(\.text) : []
        self.isOwner = isOwner
    }
}
