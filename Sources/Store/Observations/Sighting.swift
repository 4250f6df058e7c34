package import Directory
package import Foundation
package import Policy
import Synchronization

/// What was seen since the last write, and what is known of the present only; losing it loses no rule.
struct Sightings {
    /// How often the last sighting of known devices is written, in seconds.
    static let interval: TimeInterval = 60
    /// More new devices than this in one batch are a scan or a forgery; the rest waits for the next.
    static let newcomers = 64
    /// Who was not seen for so many seconds comes back: pages wait for it.
    static let recent: TimeInterval = 600
    /// When a disk refused; nothing is written for so many seconds.
    static let pause: TimeInterval = 10

    var use = SameTime()
    var directory: (devices: [Device], made: DeviceDirectory)?
    /// By device, another's hardware address that came with its IP address.
    var doubts: [DeviceID: (hardware: MACAddress, at: Date)] = [:]
    var unwritten: [DeviceID: Date] = [:]
    var writtenAt = Date.distantPast
    var refusedAt = Date.distantPast
}

extension HouseholdStore {
    /// Takes note of devices that were seen. New devices and new addresses are stored at once and under the
    /// household's rule for new ones; so is that a device asks for the first time, or again after 10 minutes. For
    /// the others it is one write a minute at most.
    package func saw(_ seen: [Sighting], at now: Date) throws {
        let (use, isPaused) = sightings.withLock { state in
            for sighting in seen where !sighting.address.isStandIn {
                guard let hardware = sighting.hardware else { continue }
                state.use.note(sighting.address, hardware, at: now.timeIntervalSince1970)
            }
            return (state.use, abs(now.timeIntervalSince(state.refusedAt)) < Sightings.pause)
        }
        // Tried on a copy first: most of the time nothing changes, and a number that is reserved is gone.
        let household = household
        var copy = household
        var batch = Batch(seen, use, at: now)
        batch.apply(
            to: &copy, deviceDirectory(of: household), ids: Int64.min..<Int64.min + Int64(Sightings.newcomers)
        )
        let isDue = sightings.withLock { state in
            for (device, hardware) in batch.doubts { state.doubts[device] = (hardware, now) }
            for device in batch.met { state.unwritten[device] = now }
            let elapsed = now.timeIntervalSince(state.writtenAt)
            let isTime = !(0..<Sightings.interval).contains(elapsed)
            return batch.someCameBack(in: household) || isTime && !state.unwritten.isEmpty
        }
        guard isDue || batch.changes, !isPaused else { return }
        do {
            try write(batch, at: now)
        } catch {
            sightings.withLock { $0.refusedAt = now }
            throw error
        }
    }

    /// Who is who, as of what is stored.
    package var deviceDirectory: DeviceDirectory { deviceDirectory(of: household) }

    /// Made anew where the devices are not the same.
    private func deviceDirectory(of household: Household) -> DeviceDirectory {
        sightings.withLock { state in
            if state.directory?.devices != household.devices {
                state.directory = (household.devices, household.directory)
            }
            return state.directory?.made ?? household.directory
        }
    }

    /// By device, another's hardware address that came with its IP address in the last day.
    package func doubts(at now: Date) -> [DeviceID: String] {
        sightings.withLock { state in
            state.doubts = state.doubts.filter { abs(now.timeIntervalSince($0.value.at)) < 86_400 }
            return state.doubts.mapValues(\.hardware.text)
        }
    }

    private func write(_ tried: Batch, at now: Date) throws {
        let unwritten = sightings.withLock { $0.unwritten }
        let firstID = tried.added == 0 ? 1 : try reserveDeviceIDs(tried.added)
        // Who is there is shown also while the disk is full; a new device waits for its row.
        try change(keeping: .evenInMemory) { household in
            for index in household.devices.indices {
                guard let instant = unwritten[household.devices[index].id] else { continue }
                household.devices[index].asked(at: instant, now: now)
            }
            var batch = Batch(tried.seen, tried.use, at: now)
            batch.apply(
                to: &household, household.directory, ids: firstID..<firstID + Int64(tried.added))
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

/// The sightings of one round, and what they make of a household.
private struct Batch {
    let seen: [Sighting]
    let use: SameTime
    let now: Date
    /// How many new devices it brought.
    private(set) var added = 0
    /// Whether anything else than a time is different.
    private(set) var changes = false
    private(set) var met: Set<DeviceID> = []
    private(set) var doubts: [DeviceID: MACAddress] = [:]

    init(_ seen: [Sighting], _ use: SameTime, at now: Date) {
        self.seen = seen
        self.use = use
        self.now = now
    }

    /// - Parameter ids: for new devices; there are no more of them.
    mutating func apply(to household: inout Household, _ known: DeviceDirectory, ids: Range<Int64>) {
        var directory = known
        var allowance = NewcomerAllowance(household, at: now)
        var left = ids
        func newID(_ sighting: Sighting) -> DeviceID? {
            guard let next = left.first, allowance.admits(sighting) else { return nil }
            left = left.dropFirst()
            return DeviceID(rawValue: next)
        }
        for sighting in seen {
            let outcome = household.meet(sighting, directory, use, newID: newID, at: now)
            if outcome.isChange { directory = household.directory }
            changes = changes || outcome.isChange
            if let device = outcome.device { met.insert(device) }
            note(sighting, directory)
        }
        for hardware in Set(seen.compactMap(\.hardware)) where !directory.isShared(hardware) {
            let places = use.addresses(behind: hardware)
            guard !places.isEmpty, household.part(hardware, places, newID: newID, at: now) else { continue }
            changes = true
        }
        added = ids.count - left.count
    }

    /// Somebody comes from a device's address and is, or may be, another by the hardware address.
    private mutating func note(_ sighting: Sighting, _ directory: DeviceDirectory) {
        guard let hardware = sighting.hardware, let holder = directory.device(listing: sighting.address),
            directory.answer(sighting.address, hardware).isDoubtful,
            !directory.devices(having: hardware).contains(holder)
        else { return }
        doubts[DeviceID(rawValue: holder)] = hardware
    }

    /// Whether a known device asks that had not for a while, or never.
    func someCameBack(in household: Household) -> Bool {
        household.devices.contains {
            met.contains($0.id) && now.timeIntervalSince($0.lastSeen) >= Sightings.recent
        }
    }
}
