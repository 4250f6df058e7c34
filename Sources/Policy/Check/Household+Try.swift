package import Foundation

// "Try it for two minutes" blocks the asking device as a night would, and nothing else: no session, limit, count or log
// knows of it. It belongs to the device, so that somebody whose device it is not yet can try it too.

extension Household {
    /// Begins a try, or begins it anew.
    package mutating func beginTry(_ id: DeviceID, at now: Date) throws(Refusal) {
        guard let index = devices.firstIndex(where: { $0.id == id }) else { throw .unknownDevice }
        guard !devices[index].kind.isExempt else { throw .tryOnExempt }
        if let owner = devices[index].person.flatMap({ self[person: $0] }),
            owner.session?.isRunning(at: now) == true
        {
            throw .sessionRunning
        }
        devices[index].tryUntil = now.addingTimeInterval(Device.tryDuration)
    }

    /// Ends it before its time; anybody on the device may, and nothing happens when none runs.
    package mutating func endTry(_ id: DeviceID) {
        guard let index = devices.firstIndex(where: { $0.id == id }) else { return }
        devices[index].tryUntil = nil
    }

    /// What a try holds back on a device: everything but what its person allows, or the first selection where it is
    /// nobody's yet. Nil: none runs, or the person's night has begun meanwhile.
    package func tryBlock(on device: Device, at now: Date) -> Block? {
        guard let until = device.tryUntil, until > now else { return nil }
        let owner = device.person.flatMap { self[person: $0] }
        if owner?.session?.isRunning(at: now) == true { return nil }
        let allowed = owner.map(allowedSnapshot) ?? .first
        return Block(
            layer: .sleep, scope: .everythingBut(allowed), since: until - Device.tryDuration, until: until,
            isTry: true)
    }
}

extension Device {
    /// How long a try lasts, in seconds.
    package static let tryDuration: TimeInterval = 120

    /// It ends at its instant; a clock that went back does not make it longer than it is.
    mutating func settleTry(at now: Date) {
        guard let until = tryUntil else { return }
        tryUntil = until <= now ? nil : min(until, now.addingTimeInterval(Self.tryDuration))
    }
}
