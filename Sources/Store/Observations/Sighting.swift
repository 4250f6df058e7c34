package import Directory
package import Foundation
package import Policy
import Synchronization

/// Sightings since the last write, and facts about the present only; losing them loses no rule.
struct UnwrittenSightings {
    /// How often the last sighting of known devices is written, in seconds. Rarely, because SD cards wear out.
    static let interval: TimeInterval = 300
    /// The most new devices of one batch. More are a scan or a forgery; they wait for the next batch.
    static let newcomers = 64
    /// A device that was not seen for so many seconds comes back: pages wait for its sighting, so it is written at
    /// once.
    static let recent: TimeInterval = 600
    /// After the disk refused, nothing is written for so many seconds.
    static let pause: TimeInterval = 10

    var use = SameTime()
    var directory: (devices: [Device], made: DeviceDirectory)?
    /// By device, the hardware address of another device that came with its IP address.
    var doubts: [DeviceID: (hardware: MACAddress, at: Date)] = [:]
    var unwritten: [DeviceID: Date] = [:]
    /// Of children's devices, the pages that they opened without asking for a name.
    var silent: [DeviceID: SilentSpan] = [:]
    var writtenAt = Date.distantPast
    var refusedAt = Date.distantPast
}

extension HouseholdStore {
    /// Notes devices that were seen. New devices and new addresses must be written at once, under the household's rule for
    /// new ones, and so must devices that ask for the first time, or again after 10 minutes; other times every five
    /// minutes at most.
    ///
    /// - Returns: what must be written now; nil: nothing, which is so most of the time.
    package func note(_ seen: [Sighting], at now: Date) -> SightingBatch? {
        let (use, isPaused) = sightings.withLock { state in
            for sighting in seen where !sighting.address.isStandIn {
                guard let hardware = sighting.hardware else { continue }
                state.use.note(sighting.address, hardware, at: now.timeIntervalSince1970)
            }
            return (state.use, abs(now.timeIntervalSince(state.refusedAt)) < UnwrittenSightings.pause)
        }
        // Tried on a copy first: most of the time nothing changes, and a reserved number is used up.
        let household = household
        var copy = household
        var batch = SightingBatch(seen, use, at: now)
        batch.apply(
            to: &copy, deviceDirectory(of: household),
            ids: Int64.min..<Int64.min + Int64(UnwrittenSightings.newcomers)
        )
        let isDue = sightings.withLock { state in
            for (device, hardware) in batch.doubts { state.doubts[device] = (hardware, now) }
            for device in batch.met { state.unwritten[device] = now }
            let elapsed = now.timeIntervalSince(state.writtenAt)
            let isTime = !(0..<UnwrittenSightings.interval).contains(elapsed)
            return batch.someCameBack(in: household) || isTime && !state.unwritten.isEmpty
        }
        return (isDue || batch.changes) && !isPaused ? batch : nil
    }

    /// Writes a batch, and waits for the disk. After a refusal nothing is written for a while.
    package func write(_ batch: SightingBatch) throws {
        do {
            try change(for: batch)
        } catch {
            sightings.withLock { $0.refusedAt = batch.now }
            throw error
        }
    }

    /// The device that an address belongs to, by the stored household.
    package var deviceDirectory: DeviceDirectory { deviceDirectory(of: household) }

    /// Made again only if the devices changed.
    private func deviceDirectory(of household: Household) -> DeviceDirectory {
        sightings.withLock { state in
            if state.directory?.devices != household.devices {
                state.directory = (household.devices, household.directory)
            }
            return state.directory?.made ?? household.directory
        }
    }

    /// By device, the hardware address of another that came with its IP address in the last day.
    package func doubts(at now: Date) -> [DeviceID: String] {
        sightings.withLock { state in
            state.doubts = state.doubts.filter { abs(now.timeIntervalSince($0.value.at)) < 86_400 }
            return state.doubts.mapValues(\.hardware.text)
        }
    }

    private func change(for tried: SightingBatch) throws {
        let now = tried.now
        let unwritten = sightings.withLock { $0.unwritten }
        let firstID = tried.added == 0 ? 1 : try reserveDeviceIDs(tried.added)
        // Last sightings hold while the disk is full; a new device waits for its row.
        try change(keeping: .evenInMemory) { household in
            for index in household.devices.indices {
                guard let instant = unwritten[household.devices[index].id] else { continue }
                household.devices[index].asked(at: instant, now: now)
            }
            var batch = SightingBatch(tried.seen, tried.use, at: now)
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
    /// Never writes a time later than now: a fast clock's time would stay until that day comes.
    fileprivate mutating func asked(at instant: Date, now: Date) {
        let seen = min(instant, now)
        lastSeen = lastSeen > now ? seen : max(seen, lastSeen)
    }
}

/// The sightings of one round, and what they make of a household.
package struct SightingBatch: Sendable {
    fileprivate let seen: [Sighting]
    fileprivate let use: SameTime
    fileprivate let now: Date
    /// How many new devices the batch has.
    fileprivate private(set) var added = 0
    /// Whether more than times changed.
    fileprivate private(set) var changes = false
    fileprivate private(set) var met: Set<DeviceID> = []
    fileprivate private(set) var doubts: [DeviceID: MACAddress] = [:]

    fileprivate init(_ seen: [Sighting], _ use: SameTime, at now: Date) {
        self.seen = seen
        self.use = use
        self.now = now
    }

    /// - Parameter ids: the ids for new devices; when they are used up, no more are added.
    fileprivate mutating func apply(
        to household: inout Household, _ known: DeviceDirectory, ids: Range<Int64>
    ) {
        var directory = known
        let before = household
        // Counted only when somebody new comes, which is seldom.
        lazy var newcomers = Allowance(newIn: before, at: now)
        var left = ids
        func newID(_ sighting: Sighting) -> DeviceID? {
            guard let next = left.first, newcomers.take(sighting.holder) else { return nil }
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

    /// Notes that a device's IP address came with a hardware address that is, or may be, another device's.
    private mutating func note(_ sighting: Sighting, _ directory: DeviceDirectory) {
        guard let hardware = sighting.hardware, let holder = directory.device(listing: sighting.address),
            directory.answer(sighting.address, hardware).isDoubtful,
            !directory.devices(having: hardware).contains(holder)
        else { return }
        doubts[DeviceID(rawValue: holder)] = hardware
    }

    /// Whether a known device asks for the first time, or for the first time in a while.
    fileprivate func someCameBack(in household: Household) -> Bool {
        household.devices.contains {
            met.contains($0.id) && now.timeIntervalSince($0.lastSeen) >= UnwrittenSightings.recent
        }
    }
}

extension Allowance where Key == Holder {
    /// How many new devices each holder may bring in a day. Addresses cost nothing to make up, and each would stay a
    /// device for good. High enough for a repeater, which lends its hardware address to a whole home, and for a routed
    /// room with one IPv6 network.
    static var newcomersADay: Int { 64 }

    /// The new devices of the last day.
    fileprivate init(newIn household: Household, at now: Date) {
        self.init(each: Self.newcomersADay)
        for device in household.devices where abs(now.timeIntervalSince(device.firstSeen)) < 86_400 {
            add(1, to: Holder(device.places.first, device.hardware.first))
        }
    }
}
