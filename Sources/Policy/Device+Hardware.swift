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

    /// A hardware address that it has from now on; the one before is remembered.
    package mutating func use(hardware address: String) {
        guard address != hardwareAddress else { return }
        let before = [hardwareAddress].compactMap { $0 } + formerHardwareAddresses.filter { $0 != address }
        hardwareAddress = address
        formerHardwareAddresses = Array(before.prefix(Self.mostFormerHardware))
    }
}
