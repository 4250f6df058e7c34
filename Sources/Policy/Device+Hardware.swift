extension Device {
    /// How many IP addresses of each version are kept: devices take a new IPv6 address every day (RFC 8981); older ones go.
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

    /// An IP address that it has from now on, before all others.
    package mutating func take(_ address: String) {
        addresses = Self.kept([address] + addresses.filter { $0 != address })
    }

    /// The first of each version, as many as are kept; `old` ones come behind, and are left half of the room at least.
    package static func kept(_ new: [String], before old: [String] = []) -> [String] {
        let parts = [true, false].map { isIPv6 in
            let (new, old) = (
                new.filter { $0.contains(":") == isIPv6 }, old.filter { $0.contains(":") == isIPv6 }
            )
            let left = old.prefix(max(mostAddresses / 2, mostAddresses - new.count))
            return (new.prefix(mostAddresses - left.count), left)
        }
        let kept = Set(parts.flatMap { $0.0 + $0.1 })
        return (new + old).filter(kept.contains)
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
        if let holder = holder(of: hardware, at: address) { return holder }
        let seen = devices.filter { device in
            let isAlone = address.contains(":") || device.addresses.allSatisfy { $0.contains(":") }
            return isAlone && device.addresses.contains { neighbours[$0] == hardware }
        }
        return seen.count == 1 ? seen[0] : nil
    }

    /// The device that has a hardware address, if that tells who is at an IP address that nobody is known to have: behind a
    /// Wi-Fi repeater it does so over IPv6 only, for want of anything better.
    package func holder(of hardware: String, at address: String) -> Device? {
        repeaters.contains(hardware) && !address.contains(":") ? nil : deviceByHardware()[hardware]
    }

    /// Devices by their hardware addresses. What a device has now counts more than what another one had.
    package func deviceByHardware() -> [String: Device] {
        var owners: [String: Device] = [:]
        for device in devices {
            for former in device.formerHardwareAddresses { owners[former] = device }
        }
        for device in devices { if let hardware = device.hardwareAddress { owners[hardware] = device } }
        return owners
    }

    /// Devices by their IP addresses, in canonical text, and by their hardware addresses.
    package func deviceByAddress() -> [String: Device] {
        var owners = deviceByHardware()
        for device in devices {
            for address in device.addresses { owners[address] = device }
        }
        return owners
    }
}
