import Foundation
import Policy

/// Tells which device a sighting is of.
///
/// A hardware address names a device better than an IP address does, which anybody can give to a device by hand. But not
/// always: a Wi-Fi repeater lends its own to everybody behind it, and a phone that roams to it changes its own without
/// becoming another. Where nobody has found out yet whether it is a repeater's, the stricter of both devices is believed.
struct Neighbourhood {
    enum Place: Equatable {
        /// Nothing new but the time.
        case known(DeviceID)
        /// The device's hardware address was not known until now.
        case learns(DeviceID)
        /// The address is this device's from now on.
        case moves(to: DeviceID)
        /// The other device, nobody's, turns out to be this one: they share the sighting's hardware address.
        case joins(DeviceID, to: DeviceID)
        /// Never seen; with its hardware address, unless that is a repeater's.
        case newcomer(hardwareAddress: String?)
    }

    /// For how long an address that was seen is taken to be in the same hands, in seconds.
    static let recent: TimeInterval = 600
    /// For how long an enrolled device keeps its address when another hardware address comes with it, in seconds: hardly a
    /// router gives it to somebody else in half a day.
    static let lease: TimeInterval = 43_200
    /// How many devices are kept that are nobody's, or somebody's only by the rule for new devices and passing.
    static let unknownLimit = 2_000
    static let limit = 10_000

    private let household: Household
    private let byAddress: [String: Device]
    private let byHardware: [String: Device]
    private let seen: SeenAddresses
    private let now: Date

    init(_ household: Household, seen: SeenAddresses, now: Date) {
        var byAddress: [String: Device] = [:]
        for device in household.devices {
            for address in device.addresses { byAddress[address] = device }
        }
        self.household = household
        self.byAddress = byAddress
        byHardware = household.deviceByHardware()
        self.seen = seen
        self.now = now
    }

    func place(of sighting: Sighting) -> Place {
        let owner = sighting.hardwareAddress.flatMap { byHardware[$0] }
        guard let address = sighting.address else {
            return owner.map { .known($0.id) } ?? .newcomer(hardwareAddress: sighting.hardwareAddress)
        }
        let isLent = sighting.hardwareAddress.map(household.repeaters.contains) ?? false
        guard let device = byAddress[address] else {
            // Over IPv6, nothing tells who is behind a repeater.
            guard let owner, !isLent || address.isIPv6 else {
                return .newcomer(hardwareAddress: isLent ? nil : sighting.hardwareAddress)
            }
            return .moves(to: owner.id)
        }
        guard let hardware = sighting.hardwareAddress, !isLent, !device.has(hardware: hardware) else {
            return .known(device.id)
        }
        let verdicts = household.evaluate(at: now)
        guard let own = device.hardwareAddress else {
            if let owner { return reunion(of: device, with: owner, at: address, verdicts) }
            // Where there are repeaters it was met behind one, and nothing but its IP address speaks for it.
            let isDoubtful = !household.repeaters.isEmpty && isSuspect(sighting, on: device, verdicts)
            return isDoubtful ? .newcomer(hardwareAddress: hardware) : .learns(device.id)
        }
        guard let owner else {
            if isSuspect(sighting, on: device, verdicts) { return .newcomer(hardwareAddress: hardware) }
            if household.repeaters.contains(own) { return .learns(device.id) }
            return keepsFromStranger(device, address)
                ? .known(device.id) : .newcomer(hardwareAddress: hardware)
        }
        if household.repeaters.contains(own) {
            return reunion(of: device, with: owner, at: address, verdicts)
        }
        if seen.isBack(owner.id, at: address) { return .moves(to: owner.id) }
        // Between two of one child's devices neither is laxer, and behind what turns out to be a repeater it is itself.
        let isStricter =
            household.isStricter(device, than: owner, under: verdicts)
            || device.person == owner.person && household.isChilds(device)
        // What only the rule for new devices gave away is nobody's word against the device whose the address was before.
        let isGiven =
            device.isConfirmed || device.person != household.newDevicesBelongTo
            || !seen.wasTaken(address, from: owner.id)
        return isStricter && isGiven && keeps(device, address) ? .known(device.id) : .moves(to: owner.id)
    }

    /// A device whose hardware address was not known at first, and the owner of that hardware address: a phone
    /// that a page enrolled over one IP version, and that asked over the other before the kernel told whose it is.
    ///
    /// Or a phone that was met behind one repeater and roams to another that nobody has found yet: that takes no longer than
    /// `recent`, and does not make it laxer.
    private func reunion(
        of device: Device, with owner: Device, at address: String, _ verdicts: [PersonID: Verdict]
    ) -> Place {
        if device.isStranger { return .moves(to: owner.id) }
        if owner.person != nil, owner.person != device.person {
            let mayRoam =
                seen.isRecent(address, at: now, within: Self.recent)
                && household.isStricter(device, than: owner, under: verdicts)
            return mayRoam ? .known(device.id) : .moves(to: owner.id)
        }
        // Only IPv6 addresses: a stranger with another IPv4 address may live behind the same repeater.
        return owner.isStranger && owner.isIPv6Only ? .joins(owner.id, to: device.id) : .known(device.id)
    }

    /// Whether a device keeps its address though it comes with another's hardware address: as long as it may have roamed to
    /// a repeater.
    private func keeps(_ device: Device, _ address: String) -> Bool {
        !seen.isElsewhere(device.id, than: address) && seen.isHome(device.id, at: now, within: Self.lease)
    }

    /// The same for a hardware address that nobody has.
    private func keepsFromStranger(_ device: Device, _ address: String) -> Bool {
        if seen.isElsewhere(device.id, than: address) { return false }
        let isRecent = seen.isRecent(address, at: now, within: Self.recent)
        return isRecent || device.person != nil && seen.isHome(device.id, at: now, within: Self.lease)
    }

    /// Whether a hardware address that nobody has is rather that of a new device, because new devices are held more strictly
    /// than the one whose address it comes with.
    private func isSuspect(
        _ sighting: Sighting, on device: Device, _ verdicts: [PersonID: Verdict]
    ) -> Bool {
        guard !sighting.isRouter, device.kind != .medical, device.kind != .safety else { return false }
        // What is open to an adult who is held more strictly now may be closed to a child.
        let isForChild = household.newDevicesBelongTo.flatMap { household[person: $0] }?.role == .child
        if isForChild, !household.isChilds(device) { return true }
        return household.strictness(of: household.newDevicesBelongTo, under: verdicts)
            > household.strictness(of: device.person, under: verdicts)
    }
}
