import Foundation
import Policy
import Store

/// Whoever asks from an address that may not be known yet.
struct Newcomer {
    /// Canonical text.
    let address: String
    /// Where the neighbour table knows it.
    let hardwareAddress: String?
    /// One that no device ever had.
    let id: DeviceID
}

/// A client at an address, before it is known who it is.
struct Arrivals: Sendable {
    let store: HouseholdStore
    let clock: WallClock
    let network: NetworkFacts

    func newcomer(at address: String) throws -> Newcomer {
        Newcomer(
            address: address, hardwareAddress: network.neighbours()[address], id: try store.newDeviceID())
    }

    /// The address of whoever is at one, where the hardware address says that it was taken from another device: opening a
    /// page counts like a question then, and nobody reads another's page or leaves in another's name.
    func standing(_ address: String) -> String {
        guard let known = store.household.device(at: address),
            let hardware = network.neighbours()[address], !known.has(hardware: hardware),
            !store.household.repeaters.contains(hardware)
        else { return address }
        // What could not be noted is tried again with the next page.
        try? store.saw([Sighting(address: address, hardwareAddress: hardware)], at: clock.now())
        let household = store.household
        guard let device = household.device(at: address), !device.has(hardware: hardware),
            let owner = household.deviceByHardware()[hardware]
        else { return address }
        return owner.addresses.first ?? hardware
    }

    /// A device that is known by its hardware address alone, because a forwarder asked for it, and that opens a page is
    /// known by the address from now on. One that has an address gets others by its questions only: a page from many
    /// would push out those that it asks from.
    func meet(_ address: String) {
        let known = store.household
        guard known.asking(at: address) == nil, let hardware = network.neighbours()[address],
            known.addressless(having: hardware) != nil
        else { return }
        // What could not be noted is tried again with the next page.
        try? store.change(keeping: .evenInMemory) { household in
            guard household.asking(at: address) == nil,
                let owner = household.addressless(having: hardware)
            else { return }
            household.devices[owner].take(address)
        }
    }
}

extension Household {
    /// The device at an address, made known if it was not. It has asked no question yet, so that nothing claims that
    /// it is in use.
    mutating func welcome(_ newcomer: Newcomer, at now: Date) -> DeviceID {
        let address = newcomer.address
        if let device = asking(at: address) { return device.id }
        if let hardware = newcomer.hardwareAddress,
            let holder = holder(of: hardware, at: address)?.id,
            let owner = devices.firstIndex(where: { $0.id == holder })
        {
            devices[owner].take(address)
            devices[owner].use(hardware: hardware)
            return holder
        }
        // A repeater's is nobody's own.
        let hardware = newcomer.hardwareAddress.flatMap { repeaters.contains($0) ? nil : $0 }
        let name = address.isLoopback ? "This machine" : "Device at \(address)"
        devices.append(
            Device(
                id: newcomer.id, name: name, isNamed: address.isLoopback, addresses: [address],
                hardwareAddress: hardware, firstSeen: now,
                lastSeen: Device.neverAsked))
        return newcomer.id
    }
}

extension Household {
    /// The index of the device that is known by a hardware address alone.
    fileprivate func addressless(having hardware: String) -> Int? {
        devices.firstIndex { $0.hardwareAddress == hardware && $0.addresses.isEmpty }
    }
}
