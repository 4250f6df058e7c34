import Directory
import Foundation
import Policy

/// How many new devices each holder may still bring. Addresses cost nothing to make up, and each would stay a device
/// for good (issue 16, point 25).
struct NewcomerAllowance {
    /// High enough for a repeater, which lends its hardware address to a whole home, and for a routed room with one
    /// IPv6 network.
    static let mostADay = 64
    private static let day: TimeInterval = 86_400

    private var met: [Holder: Int] = [:]

    init(_ household: Household, at now: Date) {
        for device in household.devices where abs(now.timeIntervalSince(device.firstSeen)) < Self.day {
            let holder = Holder(device.places.first, device.hardware.first)
            met[holder, default: 0] += 1
        }
    }

    /// Counts one more new device; false if the holder has brought too many.
    mutating func admits(_ sighting: Sighting) -> Bool {
        guard met[sighting.holder, default: 0] < Self.mostADay else { return false }
        met[sighting.holder, default: 0] += 1
        return true
    }
}
