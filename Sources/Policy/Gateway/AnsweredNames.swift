/// The addresses that were answered for each name within the last hour, and the enrolled devices that asked. They live
/// in memory only, and only on a gateway. Names that a gateway rejects now are kept as long as they are rejected.
package struct AnsweredNames: Sendable {
    /// One name.
    struct Known: Sendable {
        /// When each address was last in an answer.
        var addresses: [String: ContinuousClock.Instant] = [:]
        /// When each device last asked; nil stands for devices that are unknown by now.
        var askers: [DeviceID?: ContinuousClock.Instant] = [:]
    }

    /// How long an answer counts.
    package static let lifetime = Duration.seconds(3600)
    /// Addresses of all names. The kernel takes so many in a fraction of a second, even for several groups of devices.
    package static let mostAddresses = 20_000
    /// Addresses of one name; the one with the oldest answer makes room.
    package static let mostOfOne = 64

    private(set) var names: [String: Known] = [:]
    /// The number of addresses of all names.
    private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { names.isEmpty }
    package var isFull: Bool { count > Self.mostAddresses }

    /// Notes the addresses of an answer, in canonical text, for a folded name.
    package mutating func note(
        _ name: String, _ addresses: some Sequence<String>, to device: DeviceID?,
        at now: ContinuousClock.Instant
    ) {
        var known = names.removeValue(forKey: name) ?? Known()
        count -= known.addresses.count
        for address in addresses { known.addresses[address] = now }
        while known.addresses.count > Self.mostOfOne,
            let oldest = known.addresses.min(by: { $0.value < $1.value })
        {
            known.addresses[oldest.key] = nil
        }
        known.askers[device] = now
        count += known.addresses.count
        names[name] = known
    }

    /// Forgets what is older than an hour, and what is too much.
    /// - Parameters:
    ///   - kept: addresses that are rejected now; they stay as long as that holds, unless there are too many.
    ///   - isAnApps: picks the names that are forgotten last, because rules use them.
    package mutating func forget(
        at now: ContinuousClock.Instant, keeping kept: [String: Set<String>] = [:],
        isAnApps: (String) -> Bool = { _ in false }
    ) {
        for (name, known) in names {
            let held = kept[name] ?? []
            let left = known.addresses.filter { held.contains($0.key) || Self.isRecent($0.value, at: now) }
            let askers = known.askers.filter { Self.isRecent($0.value, at: now) }
            guard left.count < known.addresses.count || askers.count < known.askers.count else { continue }
            count -= known.addresses.count - left.count
            // Addresses that are rejected for longer than the hour keep their last askers.
            names[name] =
                left.isEmpty ? nil : Known(addresses: left, askers: askers.isEmpty ? known.askers : askers)
        }
        if isFull { shrink(keeping: kept, isAnApps) }
    }

    /// A name and its place in the order of forgetting.
    private struct Turn {
        var name: String
        var rank: Int
        /// How many addresses the device has for names with the same last two labels.
        var zone: Int
        var at: ContinuousClock.Instant

        func comes(before other: Turn) -> Bool {
            (rank, -zone, at, name) < (other.rank, -other.zone, other.at, other.name)
        }
    }

    /// Forgets names of the device with the most addresses, until a tenth of the room is free. A name that another
    /// device asked for too stays. The order:
    ///
    /// 1. Names that no app owns go before names of apps.
    /// 2. Names that close nothing go before names that do.
    /// 3. Zones with the most addresses go first, so that a device that makes up names pushes out its own.
    /// 4. The oldest question goes first.
    private mutating func shrink(keeping kept: [String: Set<String>], _ isAnApps: (String) -> Bool) {
        var sizes: [DeviceID?: Int] = [:]
        var zones: [DeviceID?: [Substring: Int]] = [:]
        for (name, known) in names {
            for device in known.askers.keys {
                sizes[device, default: 0] += known.addresses.count
                zones[device, default: [:]][Self.zone(of: name), default: 0] += known.addresses.count
            }
        }
        var inTurn: [DeviceID?: [Turn]] = [:]
        for (name, known) in names {
            let rank = (isAnApps(name) ? 2 : 0) + (kept[name] == nil ? 0 : 1)
            for (device, at) in known.askers {
                let zone = zones[device]?[Self.zone(of: name)] ?? 0
                inTurn[device, default: []].append(Turn(name: name, rank: rank, zone: zone, at: at))
            }
        }
        // The next one to forget is last.
        inTurn = inTurn.mapValues { $0.sorted { $1.comes(before: $0) } }
        while count > Self.mostAddresses * 9 / 10, let most = sizes.max(by: { $0.value < $1.value }) {
            guard let name = inTurn[most.key]?.popLast()?.name, var known = names[name] else {
                sizes[most.key] = nil
                continue
            }
            sizes[most.key] = most.value - known.addresses.count
            known.askers[most.key] = nil
            names[name] = known.askers.isEmpty ? nil : known
            if known.askers.isEmpty { count -= known.addresses.count }
        }
    }

    /// The last two labels.
    private static func zone(of name: String) -> Substring {
        guard let last = name.lastIndex(of: "."), let before = name[..<last].lastIndex(of: ".") else {
            return name[...]
        }
        return name[name.index(after: before)...]
    }

    static func isRecent(_ at: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> Bool {
        at.duration(to: now) < lifetime
    }
}
