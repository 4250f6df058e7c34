package import Foundation
import Pages
package import Policy

/// The place Apps: what is allowed at night, Anti-Rot and limits, with their state in a line each.
package struct AppsPage: Page {
    package static let template = "apps"

    package let title = "Apps"
    let ways: [Way]

    /// Without `showsUse`, the limits' line has no minutes: only the person may see them.
    package init(
        person: Person, limits: [LimitState], showsUse: Bool = true, catalog: Catalog, now: Date,
        zone: TimeZone
    ) {
        ways = [
            Way("/allowed-apps", "Allowed Apps", "What stays open at night", icon: "shield-check"),
            Way(
                "/anti-rot", "Anti-Rot", AppsWords.antiRot(person, at: now, ClockFace(zone: zone)),
                icon: "meal"),
            Way(
                "/limits", "Limits", AppsWords.limits(limits, showsUse: showsUse, catalog),
                icon: "hourglass"),
            Way("/suggestions", "Suggestions", "What to do instead", icon: "check"),
            Way("/just-blocked", "Just blocked", "In the last 10 minutes", icon: "blocked"),
        ]
    }
}
