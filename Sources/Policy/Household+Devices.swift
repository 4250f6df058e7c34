package import Foundation

extension Household {
    package subscript(device id: DeviceID) -> Device? { devices.first { $0.id == id } }

    /// "This is my device": takes one that is nobody's yet. Somebody else's is only the owner's to assign.
    package mutating func enroll(_ id: DeviceID, for person: PersonID) throws(Refusal) {
        let device = try index(of: id)
        _ = try index(of: person)
        if let owner = devices[device].person, owner != person {
            throw .deviceTaken(by: self[person: owner]?.name ?? "somebody else")
        }
        // Whoever left on it and comes back is who they were.
        if devices[device].person != person, devices[device].left?.person != person {
            devices[device].isConfirmed = false
        }
        devices[device].belongs(to: person)
    }

    /// Gives a device to a person, by whoever holds the passcode; refused while a strict session of another one
    /// holds it.
    package mutating func assign(_ id: DeviceID, to person: PersonID, at now: Date) throws(Refusal) {
        let device = try index(of: id)
        _ = try index(of: person)
        if devices[device].person != person {
            try guardStrict(device: devices[device], at: now)
            try guardWaiting(device: devices[device])
            devices[device].belongs(to: person)
        }
        devices[device].isConfirmed = true
    }

    /// Makes a device nobody's, so that nothing blocks it.
    package mutating func release(_ id: DeviceID, at now: Date) throws(Refusal) {
        let device = try index(of: id)
        try guardStrict(device: devices[device], at: now)
        try guardWaiting(device: devices[device])
        devices[device].belongs(to: nil)
    }

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
        left = nil
    }
}
