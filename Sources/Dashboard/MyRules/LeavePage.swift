package import Foundation
import Pages
package import Policy

/// The second step of leaving: what it means, and from when. POST `/my-rules/leave` with `which` of `this` or `all`.
package struct LeavePage: Page {
    package static let template = "leave"

    package let title = "Leave"
    let device: String
    /// All of the person's devices, where there are several and this one may speak for them.
    let devices: String?
    /// `until 07:00`, to when what was promised holds; nil: it takes effect at once.
    let heldUntil: String?
    /// Why: a strict session, or loosening that waits.
    let isStrict: Bool
    let offersHelp: Bool
    /// Whether anybody else lives here who is told.
    let tellsOthers: Bool
    let error: String?

    package init(
        _ asking: Device, person: Person, household: Household, error: String? = nil, now: Date
    ) {
        let clock = ClockFace(zone: household.foundationZone)
        let all = household.devices.filter { $0.person == person.id }
        device = asking.name
        devices = asking.isConfirmed && all.count > 1 ? all.map(\.name).inSentence : nil
        // Tried on a copy: the rule itself knows what holds.
        var tried = household
        let left = try? tried.leave(asking.id, at: now)
        let held = tried[device: asking.id].flatMap { tried.departs($0, at: now) }
        heldUntil = left?.isEmpty == false ? nil : held.map { clock.until($0, from: now) }
        isStrict = tried[device: asking.id]?.departure?.session != nil
        offersHelp = household.offersHelp
        tellsOthers = household.people.count > 1
        self.error = error
    }
}
