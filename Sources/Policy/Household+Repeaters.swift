package import Foundation

extension Household {
    /// Whether what looks like a repeater is taken for one without being asked about: not where somebody said that it is
    /// none, nor where it is a child's device, whose user could have made it look so.
    package func believesRepeater(_ hardware: String) -> Bool {
        if notRepeaters.contains(hardware) { return false }
        return possibleRepeaters.contains(hardware) || !isChilds(hardware)
    }

    /// Whether a repeater could be behind a child's device: several IPv4 addresses came by it, and nobody said anything.
    package func mayHideRepeater(_ device: Device) -> Bool {
        guard let hardware = device.hardwareAddress, !repeaters.contains(hardware),
            !believesRepeater(hardware), !notRepeaters.contains(hardware)
        else { return false }
        return device.addresses.count { !$0.contains(":") } > 1
    }

    private func isChilds(_ hardware: String) -> Bool {
        devices.contains { $0.has(hardware: hardware) && isChilds($0) }
    }

    /// "There is no repeater": a computer whose user gives it two addresses at once looks like one. Whoever comes by its
    /// hardware address is this device from now on.
    ///
    /// Refused where that may take another device out of a strict session or past a wait (`StrictGuard`,
    /// `LooseningGuard`): one that has no hardware address of its own may be behind it. Refused as well where no repeater
    /// was found, nor could be.
    package mutating func ruleOutRepeater(behind id: DeviceID, at now: Date) throws(Refusal) {
        let (device, hardware) = try hardware(of: id) {
            $0.repeaters.contains($1) || $0.possibleRepeaters.contains($1)
        }
        for other in devices where other.id != id && other.hardwareAddress == nil {
            let isFreed = device.kind.isExempt && !other.kind.isExempt
            guard isFreed || other.person != device.person else { continue }
            try guardStrict(device: other, at: now)
            try guardWaiting(device: other)
        }
        forgetRepeater(hardware)
        notRepeaters.insert(hardware)
    }

    /// "There may be a repeater": it is found as soon as it shows. Refused where that may take this device out of a strict
    /// session or past a wait, and where it is so already.
    package mutating func allowForRepeater(behind id: DeviceID, at now: Date) throws(Refusal) {
        let (device, hardware) = try hardware(of: id) {
            !$0.repeaters.contains($1) && !$0.believesRepeater($1)
        }
        try guardStrict(device: device, at: now)
        try guardWaiting(device: device)
        forgetRepeater(hardware)
        possibleRepeaters.insert(hardware)
    }

    /// Takes a device away, with what was found or said of its hardware address; whoever lets it go was asked before
    /// (`release`).
    package mutating func remove(_ id: DeviceID) {
        guard let device = self[device: id] else { return }
        devices.removeAll { $0.id == id }
        for hardware in device.formerHardwareAddresses + [device.hardwareAddress].compactMap({ $0 })
        where !devices.contains(where: { $0.has(hardware: hardware) }) { forgetRepeater(hardware) }
    }

    private mutating func forgetRepeater(_ hardware: String) {
        repeaters.remove(hardware)
        notRepeaters.remove(hardware)
        possibleRepeaters.remove(hardware)
    }

    private func hardware(
        of id: DeviceID, where isMeant: (Household, String) -> Bool
    ) throws(Refusal) -> (Device, String) {
        guard let device = self[device: id] else { throw .unknownDevice }
        guard let hardware = device.hardwareAddress, isMeant(self, hardware) else { throw .undoOvertaken }
        return (device, hardware)
    }
}
