import Directory

/// Devices for which the same addresses are closed.
package struct Rejection: Hashable, Sendable {
    package var devices: Set<DeviceID>
    /// Each closed address, in canonical text, with the name for which it was answered.
    package var addresses: [String: String]
}

/// Decides which addresses a gateway closes for which enrolled device: those that were answered for a name that is
/// blocked on the device now, unless they were also answered for an allowed name within the last hour, because services
/// share addresses.
package struct Rejections: Sendable {
    private var prepared: [NameRule: PreparedNames] = [:]
    private let standsBeforeRules: @Sendable (String) -> Bool

    /// - Parameter standsBeforeRules: names of the server and of the home, which nothing blocks.
    package init(standsBeforeRules: @escaping @Sendable (String) -> Bool) {
        self.standsBeforeRules = standsBeforeRules
    }

    /// One entry for each rule with devices, even if it closes nothing.
    /// - Parameter now: the end of the hour that counts; the snapshot may be older if nothing changed since.
    package mutating func all(
        _ answered: AnsweredNames, in snapshot: Snapshot, at now: ContinuousClock.Instant
    ) -> [Rejection] {
        var devices: [NameRule: Set<DeviceID>] = [:]
        for device in snapshot.household.devices {
            for rule in snapshot.ruling(device).compactMap({ NameRule($0, in: snapshot) }) {
                devices[rule, default: []].insert(device.id)
            }
        }
        prepared = prepared.filter { devices[$0.key] != nil }
        var found: [(first: Int64, Rejection)] = []
        for (rule, devices) in devices {
            let closed = addresses(under: rule, answered, snapshot.catalog, now)
            let first = devices.map(\.rawValue).min() ?? 0
            found.append((first, Rejection(devices: devices, addresses: closed)))
        }
        return found.sorted { $0.first < $1.first }.map(\.1)
    }

    private mutating func addresses(
        under rule: NameRule, _ answered: AnsweredNames, _ catalog: Catalog, _ now: ContinuousClock.Instant
    ) -> [String: String] {
        if rule.blocksNothing { return [:] }
        var names = prepared[rule] ?? rule.prepared(in: catalog)
        var closed: [String: String] = [:]
        var open: Set<String> = []
        for (name, known) in answered.names {
            if !standsBeforeRules(name), names.blocks(name) {
                // The first in the alphabet, so that equal facts give equal rules.
                for address in known.addresses.keys { closed[address] = min(closed[address] ?? name, name) }
            } else {
                for (address, at) in known.addresses where AnsweredNames.isRecent(at, at: now) {
                    open.insert(address)
                }
            }
        }
        prepared[rule] = names
        return closed.filter { !open.contains($0.key) }
    }
}

extension Snapshot {
    /// Everybody whose rules hold for a device: itself, or everybody that it may be.
    fileprivate func ruling(_ device: Device) -> [Device] {
        guard device.isUnplaced, let place = device.places.first else { return [device] }
        var newcomer = device
        newcomer.person = household.newDevicesBelongTo
        return household.devices(directory.answer(place, device.hardware.first)) + [newcomer]
    }
}

extension AnsweredNames {
    /// The addresses that were answered within the hour only for names that `isMeant` picks.
    package func addresses(ofOnly isMeant: (String) -> Bool, at now: ContinuousClock.Instant) -> Set<String> {
        var found: Set<String> = []
        var others: Set<String> = []
        for (name, known) in names {
            if isMeant(name) {
                found.formUnion(known.addresses.keys)
            } else {
                others.formUnion(known.addresses.filter { Self.isRecent($0.value, at: now) }.keys)
            }
        }
        return found.subtracting(others)
    }
}
