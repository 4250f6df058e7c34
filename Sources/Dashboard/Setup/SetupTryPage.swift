package import Foundation
import Pages
package import Policy

/// "See it for two minutes", on any device that belongs to a person. GET `/setup/try`; it posts to `/check/try` and
/// `/check/try/end` with `device`.
package struct SetupTryPage: Page {
    package static let template = "setup-try"

    struct Row {
        let id: Int64
        let name: String
        /// `20:32`, while it runs.
        let until: String?
    }

    package let title = "See it for two minutes"
    let progress: SetupProgress?
    let rows: [Row]
    let hasDevices: Bool

    package init(_ household: Household, step: SetupStep? = nil, now: Date) {
        progress = step.map(SetupProgress.init)
        let clock = ClockFace(zone: household.foundationZone)
        rows = household.devices.filter { $0.person != nil && !$0.kind.isExempt }.map { device in
            Row(
                id: device.id.rawValue, name: device.name,
                until: device.tryUntil.flatMap { $0 > now ? clock.time($0) : nil })
        }
        hasDevices = !rows.isEmpty
    }
}
