package import Foundation
import Pages
package import Policy

/// Help tonight: POST `/help` opens calls, messages, maps and health on the asking device for 15 minutes. From a
/// night's third press on, messages open a minute later (C-34).
package struct HelpPage: Page {
    package static let template = "help"

    package let title = "Help tonight"
    /// `22:34`, while Help is open on the asking device.
    package let openUntil: String?
    package let openUntilInstant: String?
    /// Whole seconds until messages open too; nil if they are open, or nothing is.
    let messagesIn: Int?
    /// `twice`: the presses tonight, if the next one opens messages a minute later.
    let pressed: String?
    /// Nothing is blocked for the asking device, so there is nothing to open.
    package let isNothingBlocked: Bool

    /// - Parameters:
    ///   - device: the asking one.
    ///   - presses: the person's presses this night.
    package init(
        _ device: Device?, presses: Int = 0, isNothingBlocked: Bool = false, now: Date, zone: TimeZone
    ) {
        let until = device?.helpUntil.flatMap { $0 > now ? $0 : nil }
        openUntil = until.map(ClockFace(zone: zone).time)
        openUntilInstant = until.map(ClockFace.iso)
        messagesIn = device?.helpMessages(at: now).map { ClockFace.seconds(from: now, to: $0) }
        pressed = presses >= HelpPresses.atOnce ? Times.words(presses) : nil
        self.isNothingBlocked = isNothingBlocked
    }
}

enum Times {
    /// `once`, `twice`, `3 times`.
    static func words(_ count: Int) -> String {
        switch count {
        case 1: "once"
        case 2: "twice"
        default: "\(count) times"
        }
    }
}
