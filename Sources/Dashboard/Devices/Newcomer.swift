import Foundation
import Policy

/// Whoever asks from an address that may not be known yet.
struct Newcomer {
    /// Canonical text.
    let address: String
    /// Where the neighbour table knows it.
    let hardwareAddress: String?
    /// One that no device ever had.
    let id: DeviceID
}

extension HomeSite {
    func newcomer(at address: String, id: DeviceID) -> Newcomer {
        Newcomer(address: address, hardwareAddress: surroundings.hardwareAddress(address), id: id)
    }
}

extension Household {
    /// The device at an address, made known if it was not. It has asked no question yet, so that nothing claims that
    /// it is in use.
    mutating func welcome(_ newcomer: Newcomer, at now: Date) -> DeviceID {
        let address = newcomer.address
        if let device = asking(at: address) { return device.id }
        let owner = devices.firstIndex {
            newcomer.hardwareAddress.map($0.has(hardware:)) ?? false
        }
        if let owner, devices[owner].takes(address) {
            devices[owner].addresses.insert(address, at: 0)
            if let hardware = newcomer.hardwareAddress { devices[owner].use(hardware: hardware) }
            return devices[owner].id
        }
        let name = address.isLoopback ? "This machine" : "Device at \(address)"
        devices.append(
            Device(
                id: newcomer.id, name: name, isNamed: address.isLoopback, addresses: [address],
                hardwareAddress: owner == nil ? newcomer.hardwareAddress : nil, firstSeen: now,
                lastSeen: Device.neverAsked))
        return newcomer.id
    }
}

extension Device {
    /// Whether an address with this device's hardware address is surely its own: behind a Wi-Fi repeater several
    /// devices share one, and each then has an IPv4 address.
    fileprivate func takes(_ address: String) -> Bool {
        address.contains(":") || addresses.allSatisfy { $0.contains(":") }
    }
}
