import Directory
import Foundation
import HTTPTypes
import Policy
import Store

/// A client at an address that may be unknown.
struct Newcomer {
    let sighting: Sighting
    /// An id that no device ever had.
    let id: DeviceID
}

/// Finds the device at an address, for the pages.
struct Arrivals: Sendable {
    let store: HouseholdStore
    let network: NetworkFacts

    /// - Parameter address: canonical text.
    func newcomer(at address: String) throws -> Newcomer {
        guard let place = IPAddress(address) else {
            throw PageError(
                .conflict, Caller.current?.through?.notice ?? "Nobody can tell which device you use.")
        }
        return Newcomer(sighting: Sighting(place, network.neighbours()[place]), id: try store.newDeviceID())
    }

    /// The device that connects from an address; nil: none is known, or it may be one of several. All addresses of this
    /// machine are one device.
    func device(at address: String, in household: Household) -> Device? {
        guard let place = IPAddress(address) else { return nil }
        let answer = store.deviceDirectory.answer(place, network.neighbours()[place])
        if let device = household.device(answer) { return device }
        let own = network.own()
        guard answer.isStranger, place.isLoopback || own.contains(address) else { return nil }
        return household.devices.first { $0.addresses.contains { own.contains($0) || $0.isLoopback } }
    }

    /// Every device that may be at an address.
    func candidates(at address: String) -> [DeviceID] {
        guard let place = IPAddress(address) else { return [] }
        return store.deviceDirectory.answer(place, network.neighbours()[place]).rules.map(DeviceID.init)
    }

    /// All addresses of the same device: this machine's own, the addresses with the same hardware address that surely
    /// belong to it, and its known ones.
    func siblings(of address: String, _ household: Household) -> Set<String> {
        let machine = network.own()
        if machine.contains(address) || address.isLoopback { return machine }
        let device = device(at: address, in: household)
        let known = Set(device?.addresses ?? []).union([address])
        let table = network.neighbours()
        guard let device, let hardware = IPAddress(address).flatMap({ table[$0] }) else { return known }
        let directory = store.deviceDirectory
        let own = table.addresses(of: hardware).filter {
            directory.answer($0, hardware).device == device.id.rawValue
        }
        return known.union(own.map(\.text))
    }

    /// Adds a page's address to a device that is known only by its hardware address, because a forwarder asked for it.
    /// A device with an address gets others only by questions: otherwise pages that were opened from many addresses
    /// would displace the addresses from which it asks.
    func meet(_ address: String) {
        guard let place = IPAddress(address), let hardware = network.neighbours()[place] else { return }
        let directory = store.deviceDirectory
        guard directory.device(listing: place) == nil, let id = directory.answer(place, hardware).device,
            store.household[device: DeviceID(rawValue: id)]?.addresses.isEmpty ?? false
        else { return }
        // If this cannot be stored, the next page tries again.
        try? store.change(keeping: .evenInMemory) { household in
            let index = household.devices.firstIndex { $0.id.rawValue == id && $0.addresses.isEmpty }
            if let index { household.devices[index].take(place.text) }
        }
    }
}

extension Household {
    /// The device that sent a request; nil: none is known, or it may be one of several.
    func device(of visit: Visit) -> Device? { visit.device.flatMap { self[device: $0] } }

    /// The device on which a visitor may open Help: its own, else an enrolled device among those that it may be.
    func helpDevice(of visit: Visit) -> Device? {
        ([device(of: visit)] + visit.candidates.map { self[device: $0] }).compactMap { $0 }
            .first { $0.isSomebodys || $0.tryUntil != nil } ?? device(of: visit)
    }

    /// The asking device, added if it was unknown. It has asked no question yet, so nothing claims that it is in use.
    ///
    /// A question of its own may have added it while the page was on its way, so this household is asked who it is.
    mutating func welcome(_ newcomer: Newcomer, at now: Date) -> DeviceID {
        let place = newcomer.sighting.address
        let answer = directory.answer(place, newcomer.sighting.hardware)
        if let device = device(answer) { return device.id }
        // An address of another device stays with it.
        let isFree = !devices.contains { $0.addresses.contains(place.text) }
        if place.isLoopback, let own = devices.first(where: { $0.addresses.contains(where: \.isLoopback) }) {
            return own.id
        }
        devices.append(
            Device(
                id: newcomer.id, name: place.isLoopback ? "This machine" : "Device at \(place)",
                isNamed: place.isLoopback, person: newDevicesBelongTo,
                family: familyOfNew,
                isConfirmed: holdersOfNew.isNobody && !answer.isDoubtful,
                addresses: isFree ? [place.text] : [],
                hardwareAddress: newcomer.sighting.hardware?.text, firstSeen: now,
                lastSeen: Device.neverAsked))
        return newcomer.id
    }
}
