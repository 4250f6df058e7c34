package import Foundation
import Pages
package import Policy
import QR

/// "See it for two minutes", on any device that belongs to a person. GET `/setup/try`; it posts to `/check/try` and
/// `/check/try/end` with `device`.
package struct SetupTryPage: Page {
    package static let template = "setup-try"

    struct Row {
        let id: Int64
        let name: String
        /// `20:32`, while it runs.
        let until: String?
        /// Whether it has asked this server a question: otherwise nothing would be blocked on it.
        let hasAsked: Bool
        let isThisDevice: Bool
    }

    package let title = "See it for two minutes"
    /// The first end of a try.
    package let validUntil: Date?
    let progress: SetupProgress?
    let rows: [Row]
    let hasDevices: Bool
    /// A page over plain HTTP that is blocked too: the shield can be shown there.
    let example: String
    /// A QR code of it, as SVG.
    let exampleCode: String?

    /// - Parameters:
    ///   - port: this server's, if it is not 80.
    ///   - viewer: the device that looks.
    package init(
        _ household: Household, step: SetupStep? = nil, port: Int? = nil, viewer: DeviceID? = nil, now: Date
    ) {
        example = TryPage.example(port: port)
        exampleCode = (try? QRCode(example))?.svg(label: "QR code for \(example)")
        progress = step.map(SetupProgress.init)
        let clock = ClockFace(zone: household.foundationZone)
        validUntil = household.devices.compactMap(\.tryUntil).filter { $0 > now }.min()
        rows = household.devices.filter { $0.isSomebodys && !$0.kind.isExempt }.map { device in
            Row(
                id: device.id.rawValue, name: device.name,
                until: device.tryUntil.flatMap { $0 > now ? clock.time($0) : nil },
                hasAsked: device.lastSeen > Device.neverAsked, isThisDevice: device.id == viewer)
        }
        hasDevices = rows.contains(where: \.hasAsked)
    }
}
