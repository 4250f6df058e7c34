import Foundation
import Policy

/// When and where devices were seen, in memory since this server started.
struct SeenAddresses {
    /// When each address was seen last; those older than `Neighbourhood.recent` are dropped.
    private var addresses: [String: Date] = [:]
    /// The IPv4 address of its own at which a device was seen with a hardware address of its own, and when.
    private var homes: [DeviceID: (address: String, at: Date)] = [:]
    private var since: Date?

    /// Takes note of what was seen, after the household has.
    mutating func note(_ seen: [Sighting], in household: Household, at now: Date) {
        since = since ?? now
        addresses = addresses.filter { abs(now.timeIntervalSince($0.value)) < Neighbourhood.recent }
        let holders = household.holders(of: seen)
        let owners = household.deviceByHardware()
        for sighting in seen {
            guard let address = sighting.address else { continue }
            addresses[address] = now
            guard !address.isIPv6, let hardware = sighting.hardwareAddress,
                !household.repeaters.contains(hardware), let device = owners[hardware],
                device.id == holders[address]
            else { continue }
            homes[device.id] = (address, now)
        }
        if homes.count > household.devices.count {
            let kept = Set(household.devices.map(\.id))
            homes = homes.filter { kept.contains($0.key) }
        }
    }

    func isRecent(_ address: String, at now: Date, within seconds: TimeInterval) -> Bool {
        addresses[address].map { abs(now.timeIntervalSince($0)) < seconds } ?? false
    }

    /// The IPv4 address at which a device was last seen with a hardware address of its own.
    func home(of device: DeviceID) -> String? { homes[device]?.address }

    /// Whether that is another one.
    func isElsewhere(_ device: DeviceID, than address: String) -> Bool {
        guard let home = homes[device], !address.isIPv6 else { return false }
        return home.address != address
    }

    /// Whether it was seen so within a time, as far as this server can have seen it.
    func isHome(_ device: DeviceID, at now: Date, within seconds: TimeInterval) -> Bool {
        (homes[device]?.at ?? since).map { now.timeIntervalSince($0) < seconds } ?? true
    }
}
