package import Foundation

// "Try it for two minutes" blocks the asking device as a night would. It has no session, limit, count or log entry. It
// belongs to the device, so that it also works on a device without an owner.

extension Household {
    /// Starts or restarts a try.
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

    /// Ends a try early. Everybody on the device may; does nothing if none runs.
    package mutating func endTry(_ id: DeviceID) {
        guard let index = devices.firstIndex(where: { $0.id == id }) else { return }
        devices[index].tryUntil = nil
    }

    /// What a try blocks on a device: everything but what its person allows, or but the first selection if the device
    /// has no owner. Nil if no try runs, or the person's night has begun meanwhile.
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

    /// Ends a try when it is over; a clock that went back does not make it longer.
    mutating func settleTry(at now: Date) {
        guard let until = tryUntil else { return }
        tryUntil = until <= now ? nil : min(until, now.addingTimeInterval(Self.tryDuration))
    }
}
