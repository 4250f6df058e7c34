package import Directory

extension Device {
    /// Its hardware addresses, the one in use first.
    package var hardware: [MACAddress] {
        ([hardwareAddress].compactMap { $0 } + formerHardwareAddresses).compactMap { MACAddress($0) }
    }

    /// Its IP addresses, newest first.
    package var places: [IPAddress] { addresses.compactMap { IPAddress($0) } }

    /// Whether it was met behind a shared hardware address and nobody has said whose it is: until then everything holds for
    /// it that holds for anybody there.
    package var isUnplaced: Bool { !isSomebodys && !isConfirmed }
}

extension Household {
    /// Who is who, as of what is stored.
    package var directory: DeviceDirectory {
        DeviceDirectory(
            devices.map { device in
                DeviceDirectory.Entry(
                    id: device.id.rawValue, hardware: device.hardware, addresses: device.places,
                    isUnplaced: device.isUnplaced, isVital: device.kind.isExempt)
            })
    }

    /// The device that an answer names.
    package func device(_ answer: DeviceDirectory.Answer) -> Device? {
        answer.device.flatMap { self[device: DeviceID(rawValue: $0)] }
    }

    /// Everybody whose rules hold by an answer, the device itself first.
    package func devices(_ answer: DeviceDirectory.Answer) -> [Device] {
        answer.rules.compactMap { self[device: DeviceID(rawValue: $0)] }
    }

    /// The device that uses an IP address, given as text.
    package func device(at address: String) -> Device? {
        devices.last { $0.addresses.contains(address) }
    }
}
