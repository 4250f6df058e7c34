import DNS
import Policy

extension Household {
    /// Whom a question is of: a device has its addresses, and its hardware addresses where a forwarder names them. What a
    /// device has now counts more than what another one had.
    func deviceByClient() -> [ClientAddress: Device] {
        var owners: [ClientAddress: Device] = [:]
        for device in devices {
            for former in device.formerHardwareAddresses.compactMap(ClientAddress.init(hardware:)) {
                owners[former] = device
            }
        }
        for device in devices {
            if let hardware = device.hardwareAddress.flatMap(ClientAddress.init(hardware:)) {
                owners[hardware] = device
            }
            for address in device.addresses.compactMap({ ClientAddress($0) }) { owners[address] = device }
        }
        return owners
    }
}

extension ClientAddress {
    init?(hardware text: String) {
        guard let hardware = HardwareAddress(text) else { return nil }
        self.init(hardware)
    }

    /// What the household knows this client by: its address, or the hardware address that a forwarder named.
    var household: String { hardware?.text ?? text }
}
