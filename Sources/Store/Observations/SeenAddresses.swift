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
    /// Devices that had an IPv6 address with a hardware address of their own: of those who claim one, whoever was met there
    /// before is not behind another's repeater. Of IPv4 it tells nothing: routers give an address to one after the other.
    private var rightful: [String: Set<DeviceID>] = [:]
    /// Bounds on memory: anybody can make up addresses.
    private static let mostRightful = 4_096
    private static let mostOfOne = 16
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
                if address.isIPv6 { entitle(holder, to: address) } else { homes[holder] = (address, now) }
            } else {
                foreign[address] = foreign[address] ?? now
            }
        }
        foreign = foreign.filter { addresses[$0.key] != nil }
        if rightful.count > Self.mostRightful {
            let held = household.deviceByAddress()
            rightful = rightful.filter { held[$0.key] != nil }
        }
        if owns.count > household.devices.count {
            let kept = Set(household.devices.map(\.id))
            homes = homes.filter { kept.contains($0.key) }
            owns = owns.filter { kept.contains($0.key) }
        }
    }

    /// Remembers whose addresses were that moved just now; who has an address back has not lost it.
    mutating func note(moved: [String: DeviceID], in household: Household) {
        for (address, owner) in moved where address.isIPv6 { entitle(owner, to: address) }
        movedFrom.merge(moved) { first, _ in first }
        if movedFrom.count > Self.mostMoved { movedFrom = moved }
        let holders = household.deviceByAddress()
        movedFrom = movedFrom.filter { holders[$0.key].map(\.id) != $0.value }
    }

    var hasTaken: Bool { !movedFrom.isEmpty }

    private mutating func entitle(_ device: DeviceID, to address: String) {
        guard rightful[address].map({ $0.count < Self.mostOfOne }) ?? true else { return }
        rightful[address, default: []].insert(device)
    }

    /// Whether a device that comes with its own hardware address is back where it was: at the IPv4 address at which it
    /// was seen so last, or at any IPv6 address of its own.
    func isBack(_ device: DeviceID, at address: String) -> Bool {
        address.isIPv6 ? rightful[address]?.contains(device) ?? false : homes[device]?.address == address
    }

    /// Sightings of those who are back at an address that was taken from them, by the neighbour table.
    func returns(by hardware: [String: String], in household: Household) -> [Sighting] {
        movedFrom.compactMap { address, id in
            guard isBack(id, at: address), let own = hardware[address],
                household[device: id]?.has(hardware: own) ?? false
            else { return nil }
            return Sighting(address: address, hardwareAddress: own)
        }
    }

    /// Whether an address that another device has now was a device's before.
    func wasTaken(_ address: String, from device: DeviceID) -> Bool {
        movedFrom[address] == device || isBack(device, at: address)
    }

    /// Whose an address was before it moved; that is forgotten now.
    mutating func takeOwner(of address: String) -> DeviceID? { movedFrom.removeValue(forKey: address) }

    func isRecent(_ address: String, at now: Date, within seconds: TimeInterval) -> Bool {
        addresses[address].map { abs(now.timeIntervalSince($0)) < seconds } ?? false
    }

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
