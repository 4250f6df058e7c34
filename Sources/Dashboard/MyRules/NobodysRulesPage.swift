package import Foundation
import Pages
package import Policy

/// "My rules" on a device that belongs to no person, or whose person left: it says whether anything is blocked on it.
/// POST `/devices/enroll`.
package struct NobodysRulesPage: Page {
    package static let template = "my-rules-none"

    package let title = "My rules"
    /// `Anna left on this device yesterday at 21:40.`; nil if nobody left.
    let left: String?
    /// The person who left and can come back; nil if nobody left.
    let name: String?
    /// Whether somebody with the passcode must say whose it is.
    let waitsForOwner: Bool
    let isSignedIn: Bool
    /// `It follows Mia’s times.`, where somebody gave the device to the family, so that nobody can take it; else nil.
    let family: String?
    /// Whether the rule for new devices holds on it.
    let isHeld: Bool

    package init(device: Device?, in household: Household, isSignedIn: Bool, now: Date) {
        let left = device?.left
        let clock = ClockFace(zone: household.foundationZone)
        let leaver = left.flatMap { household[person: $0.person]?.name }
        name = leaver
        waitsForOwner = leaver == nil && household.ownerUnasked == nil
        self.left = left.flatMap { left in
            leaver.map { "\($0) left on this device \(clock.past(left.at, from: now))." }
        }
        self.isSignedIn = isSignedIn
        family = device.flatMap { $0.isConfirmed ? $0.family : nil }.map(household.times)
        isHeld = !(device.map { household.holders(of: $0) } ?? household.holdersOfNew).isNobody
    }
}
