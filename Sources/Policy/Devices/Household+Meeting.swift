package import Directory
package import Foundation

/// A device that was just seen on the network.
package struct Sighting: Hashable, Sendable {
    /// Where it asked from, or what stands for the hardware address or the device by which it was named.
    package var address: IPAddress
    /// Where the table of neighbours knows it.
    package var hardware: MACAddress?
    /// Whether it is a router of this network, which asks for everything behind it.
    package var isRouter: Bool

    package init(_ address: IPAddress, _ hardware: MACAddress? = nil, isRouter: Bool = false) {
        self.address = address
        self.hardware = address.hardware ?? hardware
        self.isRouter = isRouter
    }

    var place: IPAddress? { address.isStandIn ? nil : address }
    /// By whose share new devices are counted.
    package var holder: Holder { Holder(address, hardware) }
}

/// How devices become known: the facts from which the directory is made. Every change here adds or moves an address; none
/// decides whose rules hold (`DeviceDirectory`).
extension Household {
    /// For so many seconds an address stays a quiet device's, though another one comes with it: hardly a router gives it to
    /// somebody else in half a day.
    package static let lease: TimeInterval = 43_200
    /// How many devices are kept that are nobody's, or somebody's only by the rule for new devices and passing.
    package static let mostUnknown = 2_000
    package static let mostDevices = 10_000

    /// Takes note of one sighting. Returns the device that was seen for certain, and whether anything else than its time
    /// changed.
    ///
    /// - Parameters:
    ///   - directory: of this household as it is.
    ///   - newID: for a device that was never seen.
    @discardableResult
    package mutating func meet(
        _ sighting: Sighting, _ directory: DeviceDirectory, _ use: SameTime, newID: (Sighting) -> DeviceID?,
        at now: Date
    ) -> (device: DeviceID?, isChange: Bool) {
        let answer = directory.answer(sighting.address, sighting.hardware)
        let known = sighting.hardware.map(directory.devices(having:)) ?? []
        guard let place = sighting.place else {
            if known.isEmpty, sighting.hardware != nil { return welcome(sighting, at: nil, newID, now) }
            return (answer.device.map(DeviceID.init), false)
        }
        let holder = directory.device(listing: place).map(DeviceID.init)
        guard let hardware = sighting.hardware else {
            if let holder { return (holder, false) }
            return welcome(sighting, at: place, newID, now)
        }
        if known.isEmpty { return meet(stranger: sighting, hardware, place, holder, use, newID, now) }
        guard known.count == 1, let id = known.first.map(DeviceID.init) else {
            // Over IPv6 nothing tells anybody apart: a device takes a new address every day.
            guard place.isV4, !known.contains(holder?.rawValue ?? 0),
                holder.map({ isElsewhere($0, than: place, use) }) ?? true
            else { return (answer.device.map(DeviceID.init), false) }
            for other in devices.indices { devices[other].addresses.removeAll { $0 == place.text } }
            return welcome(sighting, at: place, newID, now, isUnplaced: true)
        }
        if move(place, hardware, to: id, from: holder, use, now) { return (id, true) }
        // Somebody goes on using the holder's address: it stays the holder's.
        return (holder ?? id, false)
    }

    /// A new hardware address is a new device, unless the device at that IP address was never seen with a hardware
    /// address.
    private mutating func meet(
        stranger sighting: Sighting, _ hardware: MACAddress, _ place: IPAddress, _ holder: DeviceID?,
        _ use: SameTime, _ newID: (Sighting) -> DeviceID?, _ now: Date
    ) -> (device: DeviceID?, isChange: Bool) {
        guard let holder, let index = devices.firstIndex(where: { $0.id == holder }) else {
            return welcome(sighting, at: place, newID, now)
        }
        if devices[index].hardware.isEmpty {
            devices[index].use(hardware: hardware.text)
            return (holder, true)
        }
        let isFree = !isHeld(place, by: holder, use, now)
        if devices[index].kind.isExempt, !isFree { return (holder, false) }
        if isFree { devices[index].addresses.removeAll { $0 == place.text } }
        return welcome(sighting, at: isFree ? place : nil, newID, now)
    }

    /// The only device that has a hardware address is at a place. Returns whether anything changed.
    private mutating func move(
        _ place: IPAddress, _ hardware: MACAddress, to id: DeviceID, from holder: DeviceID?, _ use: SameTime,
        _ now: Date
    ) -> Bool {
        if holder == id { return false }
        if let holder {
            if isHeld(place, by: holder, use, now) { return false }
            for other in devices.indices { devices[other].addresses.removeAll { $0 == place.text } }
            devices.removeAll { $0.addresses.isEmpty && $0.hardware.isEmpty && $0.isStranger && !$0.isNamed }
        }
        guard let index = devices.firstIndex(where: { $0.id == id }) else { return false }
        devices[index].take(place.text)
        devices[index].use(hardware: hardware.text)
        return true
    }

    /// Whether an address is still a device's though another hardware address comes with it: it was not seen elsewhere
    /// since, as far as this server knows, nor quiet for half a day.
    private func isHeld(_ place: IPAddress, by id: DeviceID, _ use: SameTime, _ now: Date) -> Bool {
        guard let device = self[device: id],
            !(device.hardware.isEmpty && device.isStranger && !device.isNamed)
        else { return false }
        // While this server was off, nobody was seen.
        let seen = max(device.lastSeen, use.since.map { Date(timeIntervalSince1970: $0) } ?? device.lastSeen)
        return now.timeIntervalSince(seen) < Self.lease && !isElsewhere(id, than: place, use)
    }

    /// Whether a device was seen last at another IPv4 address than this one.
    private func isElsewhere(_ id: DeviceID, than place: IPAddress, _ use: SameTime) -> Bool {
        guard place.isV4, let device = self[device: id] else { return false }
        return use.latest(of: device.hardware).map { $0 != place } ?? false
    }

    /// Of the addresses of the one device that has a hardware address and that are in use at the same time, the oldest stays
    /// its own; each of the others is a device of which nobody has said whose it is. What else it used is nobody's from now
    /// on, because another may have come by it. Returns whether there were any.
    package mutating func part(
        _ hardware: MACAddress, _ places: Set<IPAddress>, newID: (Sighting) -> DeviceID?, at now: Date
    ) -> Bool {
        guard let id = directory.devices(having: hardware).first.map(DeviceID.init),
            let index = devices.firstIndex(where: { $0.id == id })
        else { return false }
        // Newest first.
        let shared = devices[index].places.filter(places.contains)
        guard let own = shared.last, shared.count > 1 else { return false }
        devices[index].addresses = [own.text]
        for place in shared.dropLast() {
            let sighting = Sighting(place, hardware)
            guard let newID = newID(sighting) else { break }
            add(sighting, at: place, newID, now, isUnplaced: true)
        }
        return true
    }

    /// Adds a device that was never seen. The rule for new devices says whose it is, except for a router and for a
    /// device that shares its hardware address.
    private mutating func add(
        _ sighting: Sighting, at place: IPAddress?, _ id: DeviceID, _ now: Date, isUnplaced: Bool = false
    ) {
        let hasRule = !sighting.isRouter && !isUnplaced
        let (person, family) = hasRule ? (newDevicesBelongTo, familyOfNew) : (nil, nil)
        devices.append(
            Device(
                id: id, name: "Device \(id.rawValue)", isNamed: false, person: person,
                family: family, isConfirmed: person == nil && family == nil && !isUnplaced,
                addresses: [place].compactMap { $0?.text }, hardwareAddress: sighting.hardware?.text,
                firstSeen: now, lastSeen: now))
    }

    /// The same, where there is a number for it.
    private mutating func welcome(
        _ sighting: Sighting, at place: IPAddress?, _ newID: (Sighting) -> DeviceID?, _ now: Date,
        isUnplaced: Bool = false
    ) -> (device: DeviceID?, isChange: Bool) {
        guard let id = newID(sighting) else { return (nil, false) }
        makeRoomForDevice(at: now)
        guard devices.count < Self.mostDevices else { return (nil, false) }
        add(sighting, at: place, id, now, isUnplaced: isUnplaced)
        return (id, true)
    }

    /// "It is this device": the pair of its IP address and another hardware address is the device itself, as behind a
    /// repeater.
    ///
    /// Refused where that may take another device out of a strict session or past a wait (`StrictGuard`, `LooseningGuard`).
    package mutating func place(_ id: DeviceID, behind hardware: MACAddress, at now: Date) throws(Refusal) {
        let index = try index(of: id)
        guard !devices[index].has(hardware: hardware.text) else { return }
        try guardShared(hardware, for: holders(of: devices[index]), at: now)
        devices[index].formerHardwareAddresses.append(hardware.text)
    }

    /// If there are too many unclaimed devices, forgets the passing device that was not seen for longest, else such a
    /// stranger.
    private mutating func makeRoomForDevice(at now: Date) {
        let passed = Set(devices.indices.filter { hasPassed(devices[$0], at: now) })
        let unknown = devices.indices.filter { isPassing(devices[$0]) || devices[$0].isStranger }
        guard unknown.count >= Self.mostUnknown,
            let oldest = unknown.filter({ passed.isEmpty || passed.contains($0) })
                .min(by: { devices[$0].lastSeen < devices[$1].lastSeen })
        else { return }
        devices.remove(at: oldest)
    }
}

extension Device {
    /// Nobody claimed it, nor said what it is. One on which somebody left is known: it comes back as who it was.
    var isStranger: Bool { !isSomebodys && kind == .other && left == nil }
}
