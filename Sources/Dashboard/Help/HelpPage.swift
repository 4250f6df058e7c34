package import Foundation
import Pages

/// Help tonight: POST `/help` opens calls, messages, maps and health on the asking device for 15 minutes.
package struct HelpPage: Page {
    package static let template = "help"

    package let title = "Help tonight"
    /// `22:34`, while the asking device is open.
    package let openUntil: String?
    package let openUntilInstant: String?
    /// Nothing is blocked for the asking device, so there is nothing to open.
    package let isNothingBlocked: Bool

    package init(helpUntil: Date?, isNothingBlocked: Bool = false, now: Date, zone: TimeZone) {
        let until = helpUntil.flatMap { $0 > now ? $0 : nil }
        openUntil = until.map(ClockFace(zone: zone).time)
        openUntilInstant = until.map(ClockFace.iso)
        self.isNothingBlocked = isNothingBlocked
    }
}
