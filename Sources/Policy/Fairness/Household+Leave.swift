package import Foundation

// An adult can ask to leave at any time, without a passcode or permission. The request is never
// refused, but it is no shortcut: the adult leaves when the last of the layers that block now has had its time
// (`LeaveHold`). Until then it can be taken back, and Help and Emergency Reset work as always.

extension Household {
    /// Leaves on one device, or from it on all devices of its person, after the layers that block there had their time.
    ///
    /// A device that enrolled itself can leave only by itself. A child's device stays. Returns those that left at once.
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
            devices[index].departure = Departure(askedAt: now, due: .distantFuture)
        }
        for index in leaving { settleDeparture(index, at: now) }
        return leaving.map { devices[$0] }.filter { $0.left != nil }.map(\.id)
    }

    /// Takes a waiting departure back, on the same devices. Does nothing if none waits.
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

    /// Releases a device when nothing holds its departure any longer. What ended early, such as a session that was
    /// reset, stops holding it; what began after the request does not hold it.
    mutating func settleDeparture(_ index: Int, at now: Date) {
        guard var departure = devices[index].departure else { return }
        guard let owner = devices[index].person.flatMap({ self[person: $0] }), owner.role == .adult else {
            devices[index].departure = nil
            return
        }
        let holds = leaveHolds(devices[index], askedAt: departure.askedAt, at: now)
        departure.due = min(departure.due, holds.map(\.until).max() ?? now)
        devices[index].departure = departure
        guard departure.due <= now else { return }
        devices[index].departure = nil
        devices[index].person = nil
        let left = Left(person: owner.id, at: now)
        devices[index].left = left
        devices[index].leaves = devices[index].leaves.filter { $0.isRecent(at: now) } + [left]
    }
}
