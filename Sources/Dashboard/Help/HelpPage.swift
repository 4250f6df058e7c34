package import Foundation
import Pages
package import Policy

/// Help tonight: POST `/help` opens calls, messages, maps and health on the asking device for 15 minutes. In a strict
/// session, and from a night's third press on, messengers open a minute later.
package struct HelpPage: Page {
    package static let template = "help"

    package let title = "Help tonight"
    /// `22:34`, while Help is open on the asking device.
    package let openUntil: String?
    package let openUntilInstant: String?
    /// Whole seconds until messengers open too, and that instant; nil if they are open, or nothing is.
    let messengersIn: Int?
    let messengersFrom: String?
    /// Why the next press opens messengers a minute later; nil: it does not.
    let delay: String?
    /// `WhatsApp and Signal stay shut: they are on your Anti-Rot list.`
    let shut: String?
    /// Nothing is blocked for the asking device, so there is nothing to open.
    package let isNothingBlocked: Bool
    /// Whether a press is listed under a person's Usage: on a device of the family it is nobody's.
    let isListed: Bool

    /// - Parameters:
    ///   - device: the asking one.
    ///   - presses: the person's presses this night.
    ///   - isStrict: whether the person's strict session runs.
    ///   - shut: the names of the apps that stay shut.
    package init(
        _ device: Device?, presses: Int = 0, isStrict: Bool = false, shut: [String] = [],
        isNothingBlocked: Bool = false, now: Date, zone: TimeZone
    ) {
        let until = device?.helpUntil.flatMap { $0 > now ? $0 : nil }
        openUntil = until.map(ClockFace(zone: zone).time)
        openUntilInstant = until.map(ClockFace.iso)
        let isFamilys = device?.family != nil
        let opening = device?.helpMessages(at: now)
        messengersIn = opening.map { ClockFace.seconds(from: now, to: $0) }
        messengersFrom = opening.map(ClockFace.iso)
        delay =
            isFamilys
            ? "This device is the family’s"
            : isStrict
                ? "Your session is strict"
                : presses >= HelpPresses.atOnce ? "Help was pressed \(Times.words(presses)) tonight" : nil
        isListed = !isFamilys
        self.shut =
            shut.isEmpty
            ? nil
            : shut.inWords + (shut.count == 1 ? " stays shut: it is" : " stay shut: they are")
                + " on your Anti-Rot list."
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
