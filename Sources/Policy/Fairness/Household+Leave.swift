package import Foundation

// An adult can leave at any time, without a passcode and without anybody's leave (issue 5, Fairness). What they promised
// for a time is kept for that time: a strict session is not loosened while it runs (SI-086, design.md, "Sleep
// sessions"), and loosening waits as long as it does for everything else. So leaving is never refused: it takes effect
// when that session is over and that wait is, and until then Help, and Emergency Reset, work as ever.

extension Household {
    /// Leaves on a device, or from it on all devices of its person; what was promised before holds to its end first.
    ///
    /// One that enrolled itself speaks for itself only. A child's stays. Returns the devices that left at once.
    @discardableResult
    package mutating func leave(
        _ id: DeviceID, everywhere: Bool = false, at now: Date
    ) throws(Refusal) -> [DeviceID] {
        let device = try enrolled(id)
        guard let owner = device.person.flatMap({ self[person: $0] }) else { throw .deviceNotEnrolled }
        guard owner.role == .adult else { throw .childrenStay }
        guard device.isConfirmed || !everywhere else { throw .deviceUnconfirmed }
        let leaving = devices.indices.filter {
            devices[$0].id == id || everywhere && devices[$0].person == owner.id
        }
        for index in leaving where devices[index].departure == nil {
            devices[index].departure = departure(of: devices[index], from: owner, at: now)
        }
        for index in leaving { settleDeparture(index, at: now) }
        return leaving.map { devices[$0] }.filter { $0.left != nil }.map(\.id)
    }

    /// Stays after all: takes back a departure that waits, on the same devices. Nothing happens where none waits.
    package mutating func stay(_ id: DeviceID, everywhere: Bool = false) throws(Refusal) {
        let device = try enrolled(id)
        guard device.isConfirmed || !everywhere else { throw .deviceUnconfirmed }
        for index in devices.indices
        where devices[index].id == id || everywhere && devices[index].person == device.person {
            devices[index].departure = nil
        }
    }

    private func enrolled(_ id: DeviceID) throws(Refusal) -> Device {
        guard let device = self[device: id] else { throw .unknownDevice }
        guard device.person != nil else { throw .deviceNotEnrolled }
        return device
    }

    private func departure(of device: Device, from owner: Person, at now: Date) -> Departure {
        // Not what `StrictGuard` lets the owner release: no login stands behind this, and a phone that takes a new
        // address would be first seen during the session.
        let isHeld = owner.isStrict(at: now) && !device.kind.isExempt
        let waits = (try? guardWaiting(device: device)) == nil
        return Departure(
            askedAt: now,
            due: waits ? now.addingTimeInterval(TimeInterval(owner.looseningDelay) * 3_600) : now,
            session: isHeld ? owner.session?.id : nil)
    }

    /// Lets a device go whose departure nothing holds back any more.
    mutating func settleDeparture(_ index: Int, at now: Date) {
        guard var departure = devices[index].departure else { return }
        guard let owner = devices[index].person.flatMap({ self[person: $0] }), owner.role == .adult else {
            devices[index].departure = nil
            return
        }
        departure.due = min(departure.due, now.addingTimeInterval(PendingChange.longestDelay))
        devices[index].departure = departure
        guard departure.due <= now, !isHeld(departure, by: owner, at: now) else { return }
        devices[index].departure = nil
        devices[index].person = nil
        devices[index].left = Left(person: owner.id, at: now)
    }

    private func isHeld(_ departure: Departure, by owner: Person, at now: Date) -> Bool {
        guard let session = owner.session, session.id == departure.session else { return false }
        return session.isRunning(at: now)
    }

    /// When a departure takes effect, as far as it is known now; nil: none waits.
    package func departs(_ device: Device, at now: Date) -> Date? {
        guard let departure = device.departure, let owner = device.person.flatMap({ self[person: $0] }) else {
            return nil
        }
        let end = isHeld(departure, by: owner, at: now) ? owner.session?.endsAt : nil
        return max(departure.due, end ?? departure.due)
    }
}
