package import Foundation

// An adult can ask to leave at any time, without a passcode and without anybody's leave (issue 5, Fairness). It is never
// refused, and it is no side door: it takes effect when the last of the layers that block now has had its time
// (`LeaveHold`, C-33). Until then it can be taken back, and Help and Emergency Reset work as ever.

extension Household {
    /// Leaves on a device, or from it on all devices of its person; what blocks there has its time first.
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
            devices[index].departure = Departure(askedAt: now, due: .distantFuture)
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

    /// Lets a device go whose departure nothing holds back any more. What is over earlier than it was to be, such as a
    /// session that was reset, holds no longer; what began since holds nobody.
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
