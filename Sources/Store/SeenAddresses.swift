import Foundation
import Policy

/// When and where devices were seen, in memory since this server started.
struct SeenAddresses {
    /// When each address was seen last; those older than `Neighbourhood.recent` are dropped.
    private var addresses: [String: Date] = [:]
    /// The IPv4 address of its own at which a device was seen with a hardware address of its own, and when.
    private var homes: [DeviceID: (address: String, at: Date)] = [:]
    /// When each device was seen with a hardware address of its own, at whatever address.
    private var owns: [DeviceID: Date] = [:]
    /// Since when an address comes with a hardware address that is not its device's.
    private var foreign: [String: Date] = [:]
    private var since: Date?
    /// Addresses that went from one device to another because of their hardware address, and whose they were at first.
    private var movedFrom: [String: DeviceID] = [:]
    /// A bound on memory: hardware addresses are anybody's to make up.
    private static let mostMoved = 4_096

    /// Takes note of what was seen, after the household has.
    mutating func note(_ seen: [Sighting], in household: Household, at now: Date) {
        since = since ?? now
        addresses = addresses.filter { abs(now.timeIntervalSince($0.value)) < Neighbourhood.recent }
        let holders = household.holders(of: seen)
        let owners = household.deviceByHardware()
        for sighting in seen {
            guard let address = sighting.address else { continue }
            addresses[address] = now
            guard let hardware = sighting.hardwareAddress, !household.repeaters.contains(hardware),
                let holder = holders[address]
            else { continue }
            if owners[hardware]?.id == holder {
                owns[holder] = now
                foreign[address] = nil
                if !address.isIPv6 { homes[holder] = (address, now) }
            } else {
                foreign[address] = foreign[address] ?? now
            }
        }
        foreign = foreign.filter { addresses[$0.key] != nil }
        if owns.count > household.devices.count {
            let kept = Set(household.devices.map(\.id))
            homes = homes.filter { kept.contains($0.key) }
            owns = owns.filter { kept.contains($0.key) }
        }
    }

    /// Remembers whose addresses were that moved just now; who has an address back has not lost it.
    mutating func note(moved: [String: DeviceID], in household: Household) {
        movedFrom.merge(moved) { first, _ in first }
        if movedFrom.count > Self.mostMoved { movedFrom = moved }
        let holders = household.deviceByAddress()
        movedFrom = movedFrom.filter { holders[$0.key].map(\.id) != $0.value }
    }

    var hasTaken: Bool { !movedFrom.isEmpty }

    /// Whether an address was a device's until another hardware address came with it.
    func wasTaken(_ address: String, from device: DeviceID) -> Bool { movedFrom[address] == device }

    /// Sightings of those who are back at an address that was taken from them, by the neighbour table.
    func returns(by hardware: [String: String], in household: Household) -> [Sighting] {
        movedFrom.compactMap { address, id in
            guard let own = hardware[address], household[device: id]?.has(hardware: own) ?? false else {
                return nil
            }
            return Sighting(address: address, hardwareAddress: own)
        }
    }

    /// Whose an address was before it moved; that is forgotten now.
    mutating func takeOwner(of address: String) -> DeviceID? { movedFrom.removeValue(forKey: address) }

    func isRecent(_ address: String, at now: Date, within seconds: TimeInterval) -> Bool {
        addresses[address].map { abs(now.timeIntervalSince($0)) < seconds } ?? false
    }

    /// The IPv4 address at which a device was last seen with a hardware address of its own.
    func home(of device: DeviceID) -> String? { homes[device]?.address }

    /// Whether a device is on the network somewhere else than behind what comes from an address: at another IPv4 address,
    /// or, over IPv6 too, with its own hardware address after another's came from there.
    func isElsewhere(_ device: DeviceID, than address: String) -> Bool {
        if let home = homes[device], !address.isIPv6, home.address != address { return true }
        guard let own = owns[device], let foreign = foreign[address] else { return false }
        return own > foreign
    }

    /// Whether it was seen so within a time, as far as this server can have seen it.
    func isHome(_ device: DeviceID, at now: Date, within seconds: TimeInterval) -> Bool {
        (homes[device]?.at ?? since).map { now.timeIntervalSince($0) < seconds } ?? true
    }
}
