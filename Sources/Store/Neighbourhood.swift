import Foundation
import Policy

/// Tells which device a sighting is of.
///
/// A hardware address names a device better than an IP address does, but not always: a Wi-Fi repeater lends
/// its own to everybody behind it, and a phone that roams to it changes its own without becoming another.
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
    /// Two IPv4 addresses within this time behind one hardware address are two devices, in seconds.
    static let atOnce: TimeInterval = 60
    /// How many devices that are nobody's are kept; the one not seen for longest goes first.
    static let unknownLimit = 2_000
    static let limit = 10_000

    private let byAddress: [String: Device]
    private let byHardware: [String: Device]
    private let seenAt: [String: Date]
    private let batch: Set<String>
    private let now: Date

    /// `seenAt`: when addresses were seen before; `batch`: those that are seen now.
    init(_ household: Household, seenAt: [String: Date], batch: Set<String>, now: Date) {
        var byAddress: [String: Device] = [:]
        var byHardware: [String: Device] = [:]
        for device in household.devices {
            for address in device.addresses { byAddress[address] = device }
            for hardware in device.formerHardwareAddresses { byHardware[hardware] = device }
        }
        // What a device has now counts more than what another one had.
        for device in household.devices {
            if let hardware = device.hardwareAddress { byHardware[hardware] = device }
        }
        self.byAddress = byAddress
        self.byHardware = byHardware
        self.seenAt = seenAt
        self.batch = batch
        self.now = now
    }

    func place(of sighting: Sighting) -> Place {
        let owner = sighting.hardwareAddress.flatMap { byHardware[$0] }
        guard let address = sighting.address else {
            return owner.map { .known($0.id) } ?? .newcomer(hardwareAddress: sighting.hardwareAddress)
        }
        if let device = byAddress[address] {
            guard let hardware = sighting.hardwareAddress, !device.has(hardware: hardware) else {
                return .known(device.id)
            }
            guard device.hardwareAddress != nil else {
                return owner.map { reunion(of: device, with: $0, at: address) } ?? .learns(device.id)
            }
            if isRecent(address, within: Self.recent) { return .known(device.id) }
            guard let owner else { return .newcomer(hardwareAddress: hardware) }
            return isElsewhere(owner, than: address) ? .known(device.id) : .moves(to: owner.id)
        }
        guard let owner else { return .newcomer(hardwareAddress: sighting.hardwareAddress) }
        return isElsewhere(owner, than: address)
            ? .newcomer(hardwareAddress: nil) : .moves(to: owner.id)
    }

    /// A device whose hardware address was not known at first, and the owner of that hardware address: a phone
    /// that a page enrolled over one IP version, and that asked over the other before the kernel told whose it is.
    private func reunion(of device: Device, with owner: Device, at address: String) -> Place {
        if device.isStranger {
            let isSame = address.isIPv6 || owner.isIPv6Only || wasOnce(owner, device)
            return isSame ? .moves(to: owner.id) : .known(device.id)
        }
        // Only IPv6 addresses: a stranger with another IPv4 address may live behind the same repeater.
        return owner.isStranger && owner.isIPv6Only ? .joins(owner.id, to: device.id) : .known(device.id)
    }

    /// Whether a device is in use at another IPv4 address right now.
    private func isElsewhere(_ device: Device, than address: String) -> Bool {
        guard !address.isIPv6 else { return false }
        return device.addresses.contains {
            $0 != address && !$0.isIPv6 && (batch.contains($0) || isRecent($0, within: Self.atOnce))
        }
    }

    /// Whether a device that looked like a stranger behind a repeater is the owner of the hardware address
    /// after all, who merely took another IP address: the owner was never seen again since it appeared.
    private func wasOnce(_ owner: Device, _ stranger: Device) -> Bool {
        owner.lastSeen < stranger.firstSeen.addingTimeInterval(Self.atOnce)
            && now.timeIntervalSince(owner.lastSeen) > Self.recent
            && !owner.addresses.contains { batch.contains($0) || isRecent($0, within: Self.recent) }
    }

    private func isRecent(_ address: String, within seconds: TimeInterval) -> Bool {
        seenAt[address].map { abs(now.timeIntervalSince($0)) < seconds } ?? false
    }
}

extension Household {
    /// Writes down what a sighting says.
    mutating func put(_ sighting: Sighting, at place: Neighbourhood.Place, newID: DeviceID, now: Date) {
        switch place {
        case .known(let id):
            update(id) { $0.lastSeen = now }
        case .learns(let id):
            update(id) {
                if let hardware = sighting.hardwareAddress { $0.use(hardware: hardware) }
                $0.lastSeen = now
            }
        case .moves(to: let id):
            guard let address = sighting.address else { return }
            free(address)
            // What is left of a stranger who turned out to be this device.
            devices.removeAll { $0.addresses.isEmpty && $0.hardwareAddress == nil && $0.person == nil }
            update(id) {
                $0.addresses.insert(address, at: 0)
                $0.addresses.removeLast(max(0, $0.addresses.count - Device.mostAddresses))
                if let hardware = sighting.hardwareAddress, $0.has(hardware: hardware) {
                    $0.use(hardware: hardware)
                }
                $0.lastSeen = now
            }
        case .joins(let stranger, to: let id):
            let brought = self[device: stranger]?.addresses ?? []
            devices.removeAll { $0.id == stranger }
            update(id) {
                $0.addresses = Array(($0.addresses + brought).prefix(Device.mostAddresses))
                if let hardware = sighting.hardwareAddress { $0.use(hardware: hardware) }
                $0.lastSeen = now
            }
        case .newcomer(let hardwareAddress):
            sighting.address.map { free($0) }
            // A router asks for everything behind it: no rule for new devices may block the doorbell there.
            let person = sighting.isRouter ? nil : newDevicesBelongTo
            devices.append(
                Device(
                    id: newID, name: "Device \(newID.rawValue)", isNamed: false, person: person,
                    isConfirmed: person == nil,
                    addresses: [sighting.address].compactMap { $0 },
                    hardwareAddress: hardwareAddress, firstSeen: now, lastSeen: now))
        }
    }

    /// Lets go of the device that is nobody's and was not seen for longest, when there are too many.
    mutating func makeRoomForDevice() {
        let unknown = devices.indices.filter { devices[$0].isStranger }
        guard unknown.count >= Neighbourhood.unknownLimit,
            let oldest = unknown.min(by: { devices[$0].lastSeen < devices[$1].lastSeen })
        else { return }
        devices.remove(at: oldest)
    }

    private mutating func update(_ id: DeviceID, _ body: (inout Device) -> Void) {
        guard let index = devices.firstIndex(where: { $0.id == id }) else { return }
        body(&devices[index])
    }

    private mutating func free(_ address: String) {
        for index in devices.indices { devices[index].addresses.removeAll { $0 == address } }
    }
}

extension Device {
    /// Nobody claimed it, nor said what it is.
    fileprivate var isStranger: Bool { person == nil && kind == .other }

    fileprivate var isIPv6Only: Bool { addresses.allSatisfy(\.isIPv6) }
}

extension String {
    fileprivate var isIPv6: Bool { contains(":") }
}
