/// Who it is when an IP address says one device and a hardware address another: somebody took the IP address, or somebody
/// roamed to a Wi-Fi repeater that nobody has found yet. The stricter of both is believed.
extension Household {
    /// The device that uses an IP address, or the one whose hardware address comes with it; nil where the IP address is
    /// nobody's.
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

    /// Whether a device that comes with another's hardware address is held more strictly than that one. A child at an adult's
    /// address stays a child, whatever the adult is held by: what is open to the one may be closed to the other.
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

    /// How strictly somebody is held: first by what is blocked now, then by whether they are a child. Nobody's device is
    /// held by nothing.
    package func strictness(of id: PersonID?, under verdicts: [PersonID: Verdict]) -> Int {
        guard let id, let person = self[person: id] else { return 0 }
        let blocks = verdicts[id]?.blocks ?? []
        let isShut = blocks.contains { if case .everythingBut = $0.scope { true } else { false } }
        return (isShut ? 6 : blocks.isEmpty ? 0 : 3) + (person.role == .child ? 2 : 1)
    }
}
