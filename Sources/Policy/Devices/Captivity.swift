package import Foundation

/// What a device's system is told about the network (RFC 8908, section 5).
///
/// Only tablets without mobile data are ever told that they are captive: a phone would leave the Wi-Fi for mobile data,
/// where nothing is blocked.
package struct Captivity: Hashable, Sendable {
    package let isCaptive: Bool
    /// Seconds until the device will be captive; nil if it is captive now, or if no such instant is known.
    package let secondsRemaining: Int?

    package static let none = Captivity(isCaptive: false, secondsRemaining: nil)
}

extension Household {
    /// Captive while a sleep session blocks a tablet's person; not while Help is open, which needs the network.
    package func captivity(of device: Device?, at now: Date) -> Captivity {
        guard let device, device.hasNoMobileData, device.kind == .tablet,
            let owner = device.person.flatMap({ self[person: $0] })
        else { return .none }
        func remaining(until instant: Date) -> Captivity {
            let seconds = instant.timeIntervalSince(now).rounded(.up)
            return Captivity(isCaptive: false, secondsRemaining: Int(max(1, seconds)))
        }
        if let session = owner.session, session.isRunning(at: now) {
            guard let help = device.helpUntil, help > now else {
                return Captivity(isCaptive: true, secondsRemaining: nil)
            }
            if session.endsAt > help { return remaining(until: help) }
        }
        let next = owner.nights(in: zone)?.nextNight(after: now)?.start
        return next.map(remaining) ?? .none
    }
}
