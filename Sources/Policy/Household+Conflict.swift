/// What happens when the IP address and the hardware address belong to different devices: either somebody took the IP
/// address, or a device roamed to a Wi-Fi repeater that is not known yet. The stricter device counts.
extension Household {
    /// The device with this IP address, or the one with this hardware address; nil if no device has the IP address.
    ///
    /// - Parameter verdicts: what holds for everybody now.
    package func device(
        at address: String, having hardware: String?, verdicts: [PersonID: Verdict]
    ) -> Device? {
        guard let device = device(at: address) else { return nil }
        guard let hardware, !device.has(hardware: hardware), !repeaters.contains(hardware),
            let owner = deviceByHardware()[hardware]
        else { return device }
        return isStricter(device, than: owner, under: verdicts) ? device : owner
    }

    /// Whether the device with the IP address is held more strictly than the owner of the hardware address. A child is
    /// stricter than an adult, whatever blocks the adult now: what one may open can be closed to the other.
    package func isStricter(
        _ device: Device, than owner: Device, under verdicts: [PersonID: Verdict]
    ) -> Bool {
        if isChilds(owner), !isChilds(device) { return false }
        return strictness(of: device.person, under: verdicts) > strictness(of: owner.person, under: verdicts)
    }

    /// Whether a device belongs to a child.
    package func isChilds(_ device: Device) -> Bool {
        device.person.flatMap { self[person: $0] }?.role == .child
    }

    /// How strictly a person is held: first by what is blocked now, then by whether they are a child. 0 for no person.
    package func strictness(of id: PersonID?, under verdicts: [PersonID: Verdict]) -> Int {
        guard let id, let person = self[person: id] else { return 0 }
        let blocks = verdicts[id]?.blocks ?? []
        let isShut = blocks.contains { if case .everythingBut = $0.scope { true } else { false } }
        return (isShut ? 6 : blocks.isEmpty ? 0 : 3) + (person.role == .child ? 2 : 1)
    }
}
