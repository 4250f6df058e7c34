import Foundation
import Policy

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
            devices.removeAll {
                $0.addresses.isEmpty && $0.hardwareAddress == nil && $0.isStranger && !$0.isNamed
            }
            update(id) {
                $0.take(address)
                if let hardware = sighting.hardwareAddress, $0.has(hardware: hardware) {
                    $0.use(hardware: hardware)
                }
                $0.lastSeen = now
            }
        case .joins(let stranger, to: let id):
            let brought = self[device: stranger]?.addresses ?? []
            devices.removeAll { $0.id == stranger }
            update(id) {
                for address in brought.reversed() { $0.take(address) }
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

    /// Lets go of a device that nobody gave to anybody, when there are too many: one that passed by, else a stranger; of
    /// these the one that was not seen for longest.
    mutating func makeRoomForDevice(at now: Date) {
        let passed = Set(devices.indices.filter { hasPassed(devices[$0], at: now) })
        let unknown = devices.indices.filter { isPassing(devices[$0]) || devices[$0].isStranger }
        guard unknown.count >= Neighbourhood.unknownLimit,
            let oldest = unknown.filter({ passed.isEmpty || passed.contains($0) })
                .min(by: { devices[$0].lastSeen < devices[$1].lastSeen })
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

extension Household {
    /// Whose the addresses of sightings are.
    func holders(of sightings: [Sighting]) -> [String: DeviceID] {
        guard !sightings.isEmpty else { return [:] }
        let devices = deviceByAddress()
        return sightings.compactMap(\.address).reduce(into: [:]) { $0[$1] = devices[$1]?.id }
    }

    /// Those of them that are somebody else's now, while the one that they were of is still here.
    func lost(_ holders: [String: DeviceID]) -> [String: DeviceID] {
        let kept = Dictionary(uniqueKeysWithValues: devices.map { ($0.id, $0) })
        return holders.filter { address, id in
            kept[id].map { !$0.addresses.contains(address) } ?? false
        }
    }
}

extension Device {
    /// Nobody claimed it, nor said what it is. One on which somebody left is known: it comes back as who it was.
    var isStranger: Bool { person == nil && kind == .other && left == nil }

    var isIPv6Only: Bool { addresses.allSatisfy(\.isIPv6) }
}

extension String {
    var isIPv6: Bool { contains(":") }
}
