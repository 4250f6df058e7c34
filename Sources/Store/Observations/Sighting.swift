package import Foundation
import Policy
import Synchronization

/// A device that was just seen on the network.
package struct Sighting: Hashable, Sendable {
    /// Canonical text, IPv4 or IPv6; nil: a forwarder asked for the device and named its hardware address only.
    package var address: String?
    /// Lower-case `aa:bb:cc:dd:ee:ff`, where the neighbour table knows it.
    package var hardwareAddress: String?
    /// Whether it is a router of this network.
    package var isRouter: Bool

    package init(address: String?, hardwareAddress: String? = nil, isRouter: Bool = false) {
        self.address = address
        self.hardwareAddress = hardwareAddress
        self.isRouter = isRouter
    }
}

/// What was seen since the last write.
struct Sightings {
    /// How often the last sighting of known devices is written, in seconds.
    static let interval: TimeInterval = 60
    /// More new devices than this in one batch are a scan or a forgery; the rest waits for the next.
    static let newcomers = 64

    var seen = SeenAddresses()
    var repeaters = RepeaterWatch()
    /// What is older than days.
    var stale = StaleAddresses()
    var unwritten: [DeviceID: Date] = [:]
    var writtenAt = Date.distantPast
    /// When a disk refused; nothing is written for `pause` seconds.
    var refusedAt = Date.distantPast
    static let pause: TimeInterval = 10
}

extension HouseholdStore {
    /// Takes note of devices that were seen. New devices and new addresses are stored at once and under the
    /// household's rule for new ones; so is that a device asks for the first time, or again after 10 minutes. For
    /// the others it is one write a minute at most.
    package func saw(_ seen: [Sighting], at now: Date) throws {
        let (before, isPaused, repeaters) = sightings.withLock {
            let isPaused = abs(now.timeIntervalSince($0.refusedAt)) < Sightings.pause
            return ($0.seen, isPaused, $0.repeaters.note(seen, at: now))
        }
        var batch = Batch(household, seen: seen, at: now, before: before)
        batch.repeaters = repeaters.filter { [household] in
            !household.repeaters.contains($0.key) && household.believesRepeater($0.key)
        }
        let due = sightings.withLock { state in
            state.stale.note(seen.lazy.compactMap(\.address), at: now)
            for device in batch.known { state.unwritten[device] = now }
            let elapsed = now.timeIntervalSince(state.writtenAt)
            let isTime = !(0..<Sightings.interval).contains(elapsed)
            return batch.someCameBack || isTime && !state.unwritten.isEmpty
        }
        defer { sightings.withLock { $0.seen.note(seen, in: household, at: now) } }
        guard due || !batch.changes.isEmpty || !batch.repeaters.isEmpty, !isPaused else { return }
        do {
            try write(batch, at: now)
        } catch {
            sightings.withLock { $0.refusedAt = now }
            throw error
        }
    }

    /// Those who are back at an address that another took for a while, though they ask for nothing: what goes through a
    /// gateway would stay closed by the other's rules until they do.
    ///
    /// - Parameter hardware: the neighbour table, by canonical address; asked for where any address was taken.
    package func returns(by hardware: () -> [String: String]) -> [Sighting] {
        let seen = sightings.withLock { $0.seen }
        return seen.hasTaken ? seen.returns(by: hardware(), in: household) : []
    }

    private func write(_ batch: Batch, at now: Date) throws {
        let unwritten = sightings.withLock { $0.unwritten }
        let trusted = trusted(at: now)
        let needed = batch.newcomers(in: household, at: now)
        let firstID = needed == 0 ? 1 : try reserveDeviceIDs(needed)
        // Who is there is shown also while the disk is full; a new device waits for its row.
        try change(keeping: .evenInMemory) { household in
            for index in household.devices.indices {
                guard let instant = unwritten[household.devices[index].id] else { continue }
                household.devices[index].asked(at: instant, now: now)
            }
            let holders = household.holders(of: batch.changes)
            batch.apply(to: &household, ids: firstID..<firstID + Int64(needed), at: now)
            let lost = household.lost(holders)
            sightings.withLock { state in
                state.seen.note(moved: lost, in: household)
                RepeaterWatch.takeApart(batch.repeaters, in: &household, by: &state.seen)
                state.stale.drop(from: &household, at: now, trusted: trusted)
            }
        }
        sightings.withLock { state in
            state.unwritten = state.unwritten.filter { unwritten[$0.key] != $0.value }
            state.writtenAt = now
        }
    }
}

extension Device {
    /// What is written is never later than now: what a clock that was ahead wrote would stand until that day comes.
    fileprivate mutating func asked(at instant: Date, now: Date) {
        let seen = min(instant, now)
        lastSeen = lastSeen > now ? seen : max(seen, lastSeen)
    }
}

/// Sightings sorted into devices that are known as they are, and those that change something.
private struct Batch {
    var known: Set<DeviceID> = []
    var changes: [Sighting] = []
    /// Whether a known device asks that had not for `Neighbourhood.recent`, or never: pages wait for it.
    let someCameBack: Bool
    let before: SeenAddresses
    /// Found in this round, with the addresses that take turns.
    var repeaters: [String: Set<String>] = [:]

    init(_ household: Household, seen: [Sighting], at now: Date, before: SeenAddresses) {
        self.before = before
        let neighbourhood = Neighbourhood(household, seen: before, now: now)
        var allowance = NewcomerAllowance(household, at: now)
        for sighting in seen {
            switch neighbourhood.place(of: sighting) {
            case .known(let device): known.insert(device)
            case .newcomer where !allowance.admits(sighting): continue
            default: changes.append(sighting)
            }
        }
        someCameBack = household.devices.contains { [known] device in
            known.contains(device.id)
                && now.timeIntervalSince(device.lastSeen) >= Neighbourhood.recent
        }
    }

    /// How many new devices it brings, tried on a copy: an id that is reserved is gone, and devices without a
    /// name are called after theirs.
    func newcomers(in household: Household, at now: Date) -> Int {
        guard !changes.isEmpty else { return 0 }
        var copy = household
        // Ids that no device has.
        return apply(to: &copy, ids: Int64.min..<Int64.min + Int64(Sightings.newcomers), at: now)
    }

    /// Writes down what changed, with new devices while there are ids for them; returns how many took one.
    @discardableResult
    func apply(to household: inout Household, ids: Range<Int64>, at now: Date) -> Int {
        var ids = ids
        let offered = ids.count
        for sighting in changes {
            // Asked again for each, because the one before may have changed the answer.
            let place = Neighbourhood(household, seen: before, now: now).place(of: sighting)
            if case .newcomer = place {
                guard !ids.isEmpty else { continue }
                household.makeRoomForDevice(at: now)
                guard household.devices.count < Neighbourhood.limit else { continue }
            }
            household.put(sighting, at: place, newID: DeviceID(rawValue: ids.lowerBound), now: now)
            if case .newcomer = place { ids = ids.dropFirst() }
        }
        return offered - ids.count
    }
}
