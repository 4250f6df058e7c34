package import Foundation

/// When the network is asked what it calls a device: at first sight, soon again while it does not know, and rarely after.
package struct NameSchedule: Sendable {
    /// Seconds until the next look after one without a name, by how many there were; then `rare`.
    package static let soon: [TimeInterval] = [20, 120, 900]
    /// Seconds between two looks otherwise.
    package static let rare: TimeInterval = 6 * 3600
    /// How many devices one round takes.
    package static let portion = 8
    /// Only devices that were seen within so many seconds are looked up.
    package static let recent: TimeInterval = 900

    private var asked: [DeviceID: (at: Date, inVain: Int)] = [:]

    package init() {}

    /// The devices to look up now, the longest waiting first. Forgets what it knows of devices that are gone.
    package mutating func due(in household: Household, at now: Date) -> [Device] {
        if asked.count > household.devices.count {
            let known = Set(household.devices.map(\.id))
            asked = asked.filter { known.contains($0.key) }
        }
        // Places in the list, because a copy of thousands of devices takes megabytes.
        let due = household.devices.indices.compactMap { index -> (at: Date, id: Int64, index: Int)? in
            let device = household.devices[index]
            guard isDue(device, at: now), device.wasHere(at: now) else { return nil }
            return (asked[device.id]?.at ?? .distantPast, device.id.rawValue, index)
        }
        return due.sorted { ($0.at, $0.id) < ($1.at, $1.id) }.prefix(Self.portion)
            .map { household.devices[$0.index] }
    }

    /// What a look-up brought.
    package mutating func note(_ device: DeviceID, found: Bool, at now: Date) {
        asked[device] = (now, found ? 0 : min((asked[device]?.inVain ?? 0) + 1, Self.soon.count + 1))
    }

    private func isDue(_ device: Device, at now: Date) -> Bool {
        guard let last = asked[device.id] else { return true }
        let index = last.inVain - 1
        let wait =
            Self.soon.indices.contains(index) && device.networkName == nil ? Self.soon[index] : Self.rare
        // A clock that was set back makes nobody wait for ever.
        return abs(now.timeIntervalSince(last.at)) >= wait
    }
}

extension Device {
    fileprivate func wasHere(at now: Date) -> Bool {
        let latest = max(lastSeen, firstSeen)
        return abs(now.timeIntervalSince(latest)) < NameSchedule.recent
            && addresses.contains { !$0.hasPrefix("127.") }
    }
}
