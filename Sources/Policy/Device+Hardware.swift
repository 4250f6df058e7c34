extension Device {
    /// How many IP addresses are kept: devices take a new IPv6 address every day (RFC 8981); older ones go.
    package static let mostAddresses = 16
    /// How many hardware addresses are kept beside the one in use.
    package static let mostFormerHardware = 8

    /// Whether a hardware address is this device's, or was.
    package func has(hardware address: String) -> Bool {
        address == hardwareAddress || formerHardwareAddresses.contains(address)
    }

    /// Whether its hardware address is one that it made up (the locally administered bit of IEEE 802), which phones call
    /// a private Wi-Fi address and may change.
    package var hasPrivateHardwareAddress: Bool {
        guard let hardwareAddress, let digit = hardwareAddress.dropFirst().first?.hexDigitValue else {
            return false
        }
        return digit & 2 != 0
    }

    /// Whether an address with this device's hardware address is surely its own: behind a Wi-Fi repeater several
    /// devices share one, and each then has an IPv4 address.
    package func takes(_ address: String) -> Bool {
        address.contains(":") || addresses.contains(address) || addresses.allSatisfy { $0.contains(":") }
    }

    /// A hardware address that it has from now on; the one before is remembered.
    package mutating func use(hardware address: String) {
        guard address != hardwareAddress else { return }
        let before = [hardwareAddress].compactMap { $0 } + formerHardwareAddresses.filter { $0 != address }
        hardwareAddress = address
        formerHardwareAddresses = Array(before.prefix(Self.mostFormerHardware))
    }
}

extension Household {
    /// The device that uses an address, also where it is known by another of its addresses only: it asks over IPv4, say,
    /// and opens pages over IPv6. Nil where that is not sure.
    ///
    /// - Parameter neighbours: hardware addresses by address.
    package func device(behind address: String, neighbours: [String: String]) -> Device? {
        if let device = device(at: address) { return device }
        guard let hardware = neighbours[address] else { return nil }
        let holders = devices.filter { $0.hardwareAddress == hardware }
        if !holders.isEmpty { return holders.first { $0.takes(address) } }
        let seen = devices.filter { device in
            device.takes(address) && device.addresses.contains { neighbours[$0] == hardware }
        }
        return seen.count == 1 ? seen[0] : nil
    }
}
