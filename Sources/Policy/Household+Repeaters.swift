package import Foundation

extension Household {
    /// "There is no repeater": a computer whose user gives it two addresses at once looks like one. Whoever comes by its
    /// hardware address is this device from now on.
    ///
    /// Refused where that may take somebody else's device out of a strict session or past a wait (`StrictGuard`,
    /// `LooseningGuard`), and where no repeater was found.
    package mutating func ruleOutRepeater(behind id: DeviceID, at now: Date) throws(Refusal) {
        let (device, hardware) = try hardware(of: id, in: repeaters)
        for other in devices where other.person != device.person {
            try guardStrict(device: other, at: now)
            try guardWaiting(device: other)
        }
        repeaters.remove(hardware)
        notRepeaters.insert(hardware)
    }

    /// Takes that back: one may be found again. Refused where it may take this device out of a strict session or past a
    /// wait.
    package mutating func allowForRepeater(behind id: DeviceID, at now: Date) throws(Refusal) {
        let (device, hardware) = try hardware(of: id, in: notRepeaters)
        try guardStrict(device: device, at: now)
        try guardWaiting(device: device)
        notRepeaters.remove(hardware)
    }

    private func hardware(of id: DeviceID, in known: Set<String>) throws(Refusal) -> (Device, String) {
        guard let device = self[device: id] else { throw .unknownDevice }
        guard let hardware = device.hardwareAddress, known.contains(hardware) else { throw .undoOvertaken }
        return (device, hardware)
    }
}
