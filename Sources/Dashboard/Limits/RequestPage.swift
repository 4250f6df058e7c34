package import Foundation
import Pages
package import Policy

/// A request for more time on its own page, so that links can lead to it: GET and POST `/limits/requests/{id}`.
package struct RequestPage: Page {
    package static let template = "time-request"

    package let title = "More time?"
    package let id: String
    /// `Ada`
    package let who: String
    /// `TikTok`
    package let what: String
    /// `21:10`.
    package let askedAt: String
    package let device: String?
    /// `42 of 30 min today`, or `30 min today` if the viewer may not see the use; nil if the limit is gone.
    package let use: String?
    package let isOpen: Bool
    package let isGranted: Bool
    package let isDeclined: Bool
    /// `00:00`, when the granted minutes end.
    package let dayEnd: String

    package init(
        _ request: TimeRequest, person: Person, household: Household, catalog: Catalog, usage: UsageTotals,
        showsUse: Bool = true, now: Date
    ) {
        let clock = ClockFace(zone: household.foundationZone)
        id = request.id.uuidString
        who = person.name
        what = request.target.name(in: catalog)
        askedAt = clock.time(request.askedAt)
        device = request.device.flatMap { id in household.devices.first { $0.id == id }?.name }
        use = person.limitStates(at: now, in: household.zone, usage: usage)
            .first { $0.limit.target == request.target }
            .map { showsUse ? "\($0.use.day) of \($0.allowance) min today" : "\($0.allowance) min today" }
        isOpen = request.answer == .open
        isGranted = request.answer == .granted
        isDeclined = request.answer == .declined
        dayEnd = clock.time(person.limits.day(at: now, in: household.zone).end)
    }
}
