package import Foundation

/// A device that asked this server within a week and is moving back to its old DNS server.
package struct LeavingDevice: Hashable, Sendable, Identifiable {
    package let device: Device
    /// Whether it has not asked for 10 minutes while the server ran.
    package let isQuiet: Bool
    package var id: DeviceID { device.id }

    /// How long after its last question a device still counts as using this server, in seconds.
    package static let week: TimeInterval = 7 * 86_400
    /// How many seconds without a question tick a device off.
    package static let quiet: TimeInterval = 600
}

extension Household {
    /// All devices that asked within the week; those that still ask come first. Silence counts only while the server
    /// runs: in the first 10 minutes after a start, no device is ticked off.
    package func leaving(at now: Date, runningSince start: Date) -> [LeavingDevice] {
        devices.compactMap { device -> LeavingDevice? in
            let silence = now.timeIntervalSince(device.lastSeen)
            guard device.lastSeen.timeIntervalSince1970 > 0, silence < LeavingDevice.week else { return nil }
            let heard = now.timeIntervalSince(max(device.lastSeen, start))
            return LeavingDevice(device: device, isQuiet: heard >= LeavingDevice.quiet)
        }.sorted {
            ($0.isQuiet ? 1 : 0, -$0.device.lastSeen.timeIntervalSince1970, $0.id.rawValue)
                < ($1.isQuiet ? 1 : 0, -$1.device.lastSeen.timeIntervalSince1970, $1.id.rawValue)
        }
    }

    /// Refuses to erase everything while that would end a rule that cannot be loosened now: a strict session, or rules
    /// whose loosening waits.
    package func guardErasing(at now: Date) throws(Refusal) {
        try guardStrict(at: now)
        try guardWaiting()
    }
}
