import Directory
import Foundation
import Policy

/// How many new devices each holder may still bring: addresses cost nothing to make up, and each would be a device for good
/// (issue 16, point 25).
struct NewcomerAllowance {
    /// A repeater lends its hardware address to a whole home, and a routed room has one IPv6 network.
    static let mostADay = 64
    private static let day: TimeInterval = 86_400

    private var met: [Holder: Int] = [:]

    init(_ household: Household, at now: Date) {
        for device in household.devices where abs(now.timeIntervalSince(device.firstSeen)) < Self.day {
            let holder = Holder(device.places.first, device.hardware.first)
            met[holder, default: 0] += 1
        }
    }

    /// Takes one place, where there is one.
    mutating func admits(_ sighting: Sighting) -> Bool {
        guard met[sighting.holder, default: 0] < Self.mostADay else { return false }
        met[sighting.holder, default: 0] += 1
        return true
    }
}
