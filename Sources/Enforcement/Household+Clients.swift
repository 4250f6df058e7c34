import DNS
import Policy

extension Household {
    /// Whom a question is of: a device has its addresses, and its hardware addresses where a forwarder names them.
    func deviceByClient() -> [ClientAddress: Device] {
        var owners: [ClientAddress: Device] = [:]
        for (hardware, device) in deviceByHardware() {
            if let client = ClientAddress(hardware: hardware) { owners[client] = device }
        }
        for device in devices {
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
