import Directory
package import Foundation

extension Household {
    package subscript(device id: DeviceID) -> Device? {
        devices.indices.first { devices[$0].id == id }.map { devices[$0] }
    }

    /// "This is my device": takes a device that nobody has yet. Only the owner can assign somebody else's.
    package mutating func enroll(_ id: DeviceID, for person: PersonID) throws(Refusal) {
        let device = try index(of: id)
        try guardMember(person)
        // Everybody behind a repeater could press the button.
        guard !devices[device].isUnplaced else { throw .deviceUnplaced }
        if let owner = devices[device].person, owner != person {
            throw .deviceTaken(by: self[person: owner]?.name ?? "another person")
        }
        try guardFamilys(devices[device])
        // A person who left on this device and comes back is as confirmed as before.
        if devices[device].person != person, devices[device].left?.person != person {
            devices[device].isConfirmed = false
        }
        devices[device].belongs(to: person)
    }

    /// Gives a device to a person; needs the passcode. Refused while another person's strict session holds the device.
    package mutating func assign(_ id: DeviceID, to person: PersonID, at now: Date) throws(Refusal) {
        let device = try index(of: id)
        try guardMember(person)
        if devices[device].person != person {
            try guardLeaving(devices[device], for: person, at: now)
            let isCalledAfterOwner = devices[device].name == ownersName(for: devices[device])
            devices[device].belongs(to: person)
            if isCalledAfterOwner {
                devices[device].isNamed = false
                nameAfterOwner(id)
            }
        }
        devices[device].isConfirmed = true
    }

    /// Gives the device that opened an invitation to a person. An invitation comes from somebody with the passcode, so
    /// a child's device is confirmed. An adult's is not until the passcode: the code on a screen can be photographed,
    /// and an adult's pages are for that adult alone. It takes no device away from another person to whom somebody
    /// confirmed it.
    package mutating func admit(_ id: DeviceID, for person: PersonID, at now: Date) throws(Refusal) {
        let device = devices[try index(of: id)]
        guard !device.isUnplaced else { throw .deviceUnplaced }
        if device.isConfirmed, let owner = device.person, owner != person {
            throw .deviceTaken(by: self[person: owner]?.name ?? "somebody else")
        }
        try guardFamilys(device)
        guard self[person: person]?.role == .child else { return try enroll(id, for: person) }
        try assign(id, to: person, at: now)
    }

    /// A device that somebody gave to the family is nobody's to take.
    private func guardFamilys(_ device: Device) throws(Refusal) {
        if device.family != nil, device.isConfirmed { throw .deviceTaken(by: "the family") }
    }

    /// Calls a device "Mia’s phone" after its person, unless a person or the network named it or another is called so.
    package mutating func nameAfterOwner(_ id: DeviceID) {
        guard let index = devices.firstIndex(where: { $0.id == id }), !devices[index].isNamed,
            devices[index].networkName == nil, let name = ownersName(for: devices[index]),
            !devices.contains(where: { $0.name == name }), let clean = try? CleanName.checked(name)
        else { return }
        devices[index].name = clean
        devices[index].isNamed = true
    }

    /// "Mia’s phone"; nil for a device that is nobody's.
    private func ownersName(for device: Device) -> String? {
        guard let owner = device.person.flatMap({ self[person: $0] }) else { return nil }
        let noun = [.phone, .tablet, .computer].contains(device.kind) ? device.kind.rawValue : "device"
        return owner.name == "Me" ? "My \(noun)" : "\(owner.name)’s \(noun)"
    }

    /// Makes a device nobody's, so that nothing blocks it.
    package mutating func release(_ id: DeviceID, at now: Date) throws(Refusal) {
        let device = try index(of: id)
        try guardLeaving(devices[device], for: nil, at: now)
        devices[device].belongs(to: nil)
    }

    /// Refuses to let a device go from those whose rules hold for it: its own person's, and as long as nobody has said whose
    /// it is those of everybody behind its hardware address (`StrictGuard`, `LooseningGuard`).
    func guardLeaving(_ device: Device, for person: PersonID?, at now: Date) throws(Refusal) {
        try guardStrict(device: device, at: now)
        try guardWaiting(device: device)
        guard device.isUnplaced else { return }
        let holders = RuleHolders(owner: person)
        for hardware in device.hardware { try guardShared(hardware, for: holders, at: now) }
    }

    /// The same for every device with this hardware address on which others' rules hold.
    func guardShared(_ hardware: MACAddress, for mine: RuleHolders, at now: Date) throws(Refusal) {
        for other in devices where other.has(hardware: hardware.text) && holders(of: other) != mine {
            try guardStrict(device: other, at: now)
            try guardWaiting(device: other)
        }
    }

    /// Removes a device without a check; the caller checks that it may go (`release`).
    package mutating func remove(_ id: DeviceID) { devices.removeAll { $0.id == id } }

    /// Somebody gave the passcode on it: it is whose it says.
    package mutating func confirm(_ id: DeviceID) throws(Refusal) {
        devices[try index(of: id)].isConfirmed = true
    }

    package mutating func renameDevice(_ id: DeviceID, to name: String) throws(Refusal) {
        let device = try index(of: id)
        let given = try CleanName.checked(name)
        // A form that was sent with the name that stood in it names nothing.
        if given != devices[device].name { devices[device].isNamed = true }
        devices[device].name = given
    }

    /// Says what a device is; a mark that would free it from a running strict session is refused (`StrictGuard`).
    package mutating func setKind(_ id: DeviceID, to kind: Device.Kind, at now: Date) throws(Refusal) {
        let device = try index(of: id)
        if kind.isExempt { try guardStrict(device: devices[device], at: now) }
        devices[device].kind = kind
        if kind != .tablet { devices[device].hasNoMobileData = false }
    }

    /// Says of a tablet whether it has no mobile data; refused for everything else, because a phone that is told that
    /// the network is closed takes its mobile data instead.
    package mutating func setHasNoMobileData(_ id: DeviceID, to isSo: Bool) throws(Refusal) {
        let device = try index(of: id)
        guard !isSo || devices[device].kind == .tablet else { throw .onlyTablets }
        devices[device].hasNoMobileData = isSo
    }

    /// A device is a person's or the family's: who stands for the family's devices has none.
    func guardMember(_ person: PersonID) throws(Refusal) {
        let index = try index(of: person)
        guard people[index].role != .shared else { throw .roleOfDevices }
    }

    func index(of id: DeviceID) throws(Refusal) -> Int {
        guard let index = devices.firstIndex(where: { $0.id == id }) else { throw .unknownDevice }
        return index
    }
}

extension Device {
    /// Gives it to somebody or nobody; who was about to leave, or has left, is a thing of before.
    mutating func belongs(to owner: PersonID?) {
        if person != owner { departure = nil }
        person = owner
        family = nil
        // Somebody decided that nobody has it, which differs from a device of which nothing was said.
        if owner == nil { isConfirmed = true }
        left = nil
    }
}
