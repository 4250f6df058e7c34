package import Foundation

/// Which addresses were answered for which names to which enrolled devices within the last hour. It lives in memory
/// only, and a gateway only has it; names that are in force are kept for as long as they are.
package struct AnsweredNames: Sendable {
    /// One name.
    struct Known: Sendable {
        /// When each address was answered last.
        var addresses: [String: Date] = [:]
        /// When each device asked last; nil stands for those of which nothing is known any more.
        var askers: [DeviceID?: Date] = [:]
    }

    /// For how long an answer counts, in seconds.
    package static let lifetime: TimeInterval = 3600
    /// Of all names together. The kernel takes over so many in a fraction of a second, for several groups of devices too.
    package static let mostAddresses = 20_000
    /// Of one name; the one that was answered longest ago makes room.
    package static let mostOfOne = 64

    private(set) var names: [String: Known] = [:]
    /// How many addresses there are, of all names.
    private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { names.isEmpty }
    package var isFull: Bool { count > Self.mostAddresses }

    /// Takes the addresses of an answer, in canonical text, for a folded name.
    package mutating func note(
        _ name: String, _ addresses: some Sequence<String>, to device: DeviceID?, at now: Date
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

    /// Forgets what is older than an hour, or comes from a clock that was ahead, and what is too much.
    /// - Parameters:
    ///   - kept: addresses that are rejected by names; they stay until nothing rejects them, or there are too many.
    ///   - isAnApps: names that go last where there are too many, because rules speak of them.
    package mutating func forget(
        at now: Date, keeping kept: [String: Set<String>] = [:], isAnApps: (String) -> Bool = { _ in false }
    ) {
        for (name, known) in names {
            let held = kept[name] ?? []
            let left = known.addresses.filter { held.contains($0.key) || Self.isRecent($0.value, at: now) }
            let askers = known.askers.filter { Self.isRecent($0.value, at: now) }
            guard left.count < known.addresses.count || askers.count < known.askers.count else { continue }
            count -= known.addresses.count - left.count
            // What is in force for longer than the hour is still theirs who asked last.
            names[name] =
                left.isEmpty ? nil : Known(addresses: left, askers: askers.isEmpty ? known.askers : askers)
        }
        if isFull { shrink(keeping: kept, isAnApps) }
    }

    /// A name in its turn to be forgotten.
    private struct Turn {
        var name: String
        var rank: Int
        /// How many addresses the device has of names with the same last two labels.
        var zone: Int
        var at: Date

        func comes(before other: Turn) -> Bool {
            (rank, -zone, at, name) < (other.rank, -other.zone, other.at, other.name)
        }
    }

    /// Takes from whoever has most, until a tenth of the room is free: first what no app owns, of that what closes
    /// nothing, of that the zones with the most addresses, so that who makes up names pushes out those, and then what was
    /// asked longest ago. A name that somebody else asked for as well stays.
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
        // The next one stands last.
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

    static func isRecent(_ at: Date, at now: Date) -> Bool {
        (-1..<lifetime).contains(now.timeIntervalSince(at))
    }
}
