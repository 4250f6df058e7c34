package import Foundation

/// Devices that asked once and that nobody claimed: a guest who left, or a made-up address.
extension Device {
    /// The longest stay of such a device, in seconds.
    package static let passingTime: TimeInterval = 600

    /// Whether only DNS met this device, for at most ten minutes: nobody named it, set its kind or owner, or used it
    /// for anything else.
    package var isOnceSeen: Bool {
        let time = lastSeen.timeIntervalSince(firstSeen)
        return (0..<Self.passingTime).contains(time) && !isNamed && networkName == nil && kind == .other
            && (!isSomebodys || !isConfirmed) && left == nil && departure == nil && helpUntil == nil
            && tryUntil == nil && trustedAuthority == nil && toldApart.isEmpty
            && formerHardwareAddresses.isEmpty
    }
}

extension Household {
    /// Whether removing a device loses nothing: when it asks again, the rule for new devices makes it the same again.
    package func isPassing(_ device: Device) -> Bool {
        // One behind a shared hardware address tells that it is shared.
        device.isOnceSeen && !device.isUnplaced
            && (!device.isSomebodys
                || device.person == newDevicesBelongTo && device.family == familyOfNew)
    }

    /// Whether such a device was last seen more than some seconds ago.
    package func hasPassed(
        _ device: Device, for seconds: TimeInterval = Device.passingTime, at now: Date
    ) -> Bool {
        isPassing(device) && now.timeIntervalSince(device.lastSeen) >= seconds
    }

    /// Forgets passing devices that were last seen a day ago.
    package mutating func forgetPassing(at now: Date) {
        devices.removeAll { [self] in hasPassed($0, for: 86_400, at: now) }
    }

    /// Keeps the passing devices that were seen last, where no clock tells how long ago that was.
    mutating func keepPassing(_ most: Int, at now: Date) {
        let passed = devices.filter { [self] in hasPassed($0, at: now) }.sorted { $0.lastSeen > $1.lastSeen }
        let gone = Set(passed.dropFirst(most).map(\.id))
        devices.removeAll { gone.contains($0.id) }
    }

    /// Passing devices that are gone by now, for removing them together.
    package func onceSeen(at now: Date) -> [Device] {
        devices.filter { $0.isOnceSeen && now.timeIntervalSince($0.lastSeen) >= Device.passingTime }
    }

    /// Removes them all; refused while a strict session of its person holds one of them.
    package mutating func removeOnceSeen(at now: Date) throws(Refusal) {
        let gone = onceSeen(at: now)
        for device in gone where device.isSomebodys { try release(device.id, at: now) }
        let ids = Set(gone.map(\.id))
        devices.removeAll { ids.contains($0.id) }
    }
}
