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
    /// Rules with their names, and the names that they were asked for before.
    private typealias Known = (rules: PreparedRules, isBlocked: [String: Bool])

    /// How many answers of one device's rules are remembered before all are dropped.
    private static let mostKnown = 2 * AnsweredNames.mostAddresses

    private var known: [NameRules: Known] = [:]
    private var knownFor: (unreachable: Set<String>, apps: [App]) = ([], [])
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
        var devices: [NameRules: Set<DeviceID>] = [:]
        for device in snapshot.household.devices {
            for rules in snapshot.ruling(device) where !rules.holders.isNobody || !rules.blocksNothing {
                devices[rules, default: []].insert(device.id)
            }
        }
        let (unreachable, apps) = (snapshot.household.unreachable, snapshot.household.ownApps)
        let isSame = knownFor.unreachable == unreachable && knownFor.apps == apps
        knownFor = (unreachable, apps)
        known = isSame ? known.filter { devices[$0.key] != nil } : [:]
        var found: [(first: Int64, Rejection)] = []
        for (rules, devices) in devices {
            let closed = addresses(under: rules, answered, snapshot, now)
            let first = devices.map(\.rawValue).min() ?? 0
            found.append((first, Rejection(devices: devices, addresses: closed)))
        }
        return found.sorted { $0.first < $1.first }.map(\.1)
    }

    private mutating func addresses(
        under rules: NameRules, _ answered: AnsweredNames, _ snapshot: Snapshot,
        _ now: ContinuousClock.Instant
    ) -> [String: String] {
        if rules.blocksNothing { return [:] }
        var known = known[rules] ?? (rules.prepared(in: snapshot), [:])
        if known.isBlocked.count >= Self.mostKnown { known.isBlocked.removeAll() }
        var closed: [String: String] = [:]
        var open: Set<String> = []
        for (name, answers) in answered.names {
            let isBlocked = known.isBlocked[name] ?? (known.rules.block(of: name) != nil)
            known.isBlocked[name] = isBlocked
            if isBlocked, !standsBeforeRules(name) {
                // The first in the alphabet, so that equal facts give equal rules.
                for address in answers.addresses.keys { closed[address] = min(closed[address] ?? name, name) }
            } else {
                for (address, at) in answers.addresses where AnsweredNames.isRecent(at, at: now) {
                    open.insert(address)
                }
            }
        }
        self.known[rules] = known
        return closed.filter { !open.contains($0.key) }
    }
}

extension Snapshot {
    /// The rules that hold for a device: its own, or those of everybody that it may be.
    fileprivate func ruling(_ device: Device) -> [NameRules] {
        guard device.isUnplaced, let place = device.places.first else {
            return [NameRules(device, in: self)]
        }
        return rules(for: directory.answer(place, device.hardware.first))
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
