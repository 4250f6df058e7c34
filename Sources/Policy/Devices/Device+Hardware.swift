extension Device {
    /// How many IP addresses of each version are kept: devices take a new IPv6 address every day (RFC 8981); older ones go.
    package static let mostAddresses = 16
    /// How many hardware addresses are kept beside the one in use.
    package static let mostFormerHardware = 8

    /// Whether a hardware address is this device's, or was.
    package func has(hardware address: String) -> Bool {
        address == hardwareAddress || formerHardwareAddresses.contains(address)
    }

    /// Whether the device made up its hardware address (the locally administered bit of IEEE 802). Phones call it a
    /// private Wi-Fi address and may change it.
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
