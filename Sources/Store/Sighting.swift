package import Foundation
import Policy
import Synchronization

/// A device that was just seen on the network.
package struct Sighting: Hashable, Sendable {
    /// Canonical text, IPv4 or IPv6.
    package var address: String
    /// Lower-case `aa:bb:cc:dd:ee:ff`, where the neighbour table knows it.
    package var hardwareAddress: String?
    /// What it calls itself, from a stranger; used for a new device only.
    package var name: String?

    package init(address: String, hardwareAddress: String? = nil, name: String? = nil) {
        self.address = address
        self.hardwareAddress = hardwareAddress
        self.name = name
    }
}

/// What was seen since the last write.
struct Sightings {
    /// How often the last sighting of known devices is written, in seconds.
    static let interval: TimeInterval = 60
    /// More new devices than this in one batch are a scan or a forgery; the rest waits for the next.
    static let newcomers = 64

    /// When each address was seen last; those older than `Neighbourhood.recent` are dropped.
    var addresses: [String: Date] = [:]
    var unwritten: [DeviceID: Date] = [:]
    var writtenAt = Date.distantPast
}

extension HouseholdStore {
    /// Takes note of devices that were seen. New devices and new addresses are stored at once and under the
    /// household's rule for new ones; for known devices it is one write a minute at most.
    package func saw(_ seen: [Sighting], at now: Date) throws {
        let batch = Batch(
            known: household, seen: seen, at: now, addresses: sightings.withLock { $0.addresses })
        let due = sightings.withLock { state in
            state.addresses = batch.addresses
            for device in batch.known { state.unwritten[device] = now }
            let elapsed = now.timeIntervalSince(state.writtenAt)
            return !state.unwritten.isEmpty && !(0..<Sightings.interval).contains(elapsed)
        }
        guard due || !batch.changes.isEmpty else { return }
        let unwritten = sightings.withLock { $0.unwritten }
        let ids = batch.changes.isEmpty ? 1 : try reserveDeviceIDs(Sightings.newcomers)
        try change { household in
            for index in household.devices.indices {
                guard let instant = unwritten[household.devices[index].id] else { continue }
                household.devices[index].lastSeen = max(instant, household.devices[index].lastSeen)
            }
            batch.apply(to: &household, firstID: ids, at: now)
        }
        sightings.withLock { state in
            state.unwritten = state.unwritten.filter { unwritten[$0.key] != $0.value }
            state.writtenAt = now
        }
    }
}

/// Sightings sorted into devices that are known as they are, and those that change something.
private struct Batch {
    var known: Set<DeviceID> = []
    var changes: [Sighting] = []
    var addresses: [String: Date]

    init(known household: Household, seen: [Sighting], at now: Date, addresses: [String: Date]) {
        self.addresses = addresses.filter { abs(now.timeIntervalSince($0.value)) < Neighbourhood.recent }
        let neighbourhood = Neighbourhood(household, seenAt: self.addresses, now: now)
        for sighting in seen {
            switch neighbourhood.place(of: sighting) {
            case .known(let device): known.insert(device)
            default: changes.append(sighting)
            }
        }
        for sighting in seen { self.addresses[sighting.address] = now }
    }

    func apply(to household: inout Household, firstID: Int64, at now: Date) {
        var nextID = firstID
        for sighting in changes {
            // Asked again for each, because the one before may have changed the answer.
            let place = Neighbourhood(household, seenAt: addresses, now: now).place(of: sighting)
            if case .newcomer = place {
                guard nextID < firstID + Int64(Sightings.newcomers) else { continue }
                household.makeRoomForDevice()
                guard household.devices.count < Neighbourhood.limit else { continue }
            }
            household.put(sighting, at: place, newID: DeviceID(rawValue: nextID), now: now)
            if case .newcomer = place { nextID += 1 }
        }
    }
}
