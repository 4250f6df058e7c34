package import DNS
import Directory
package import Foundation
package import NIOCore
package import Policy

/// Turns a snapshot into a filter for DNS: which client, which sets of names, which answer (design.md, "Verdict").
package struct FilterCompiler: Sendable {
    /// Everything on which a filter depends; equal inputs need no new filter.
    package struct Input: Equatable, Sendable {
        var household: Household
        var verdicts: [PersonID: Verdict]
        /// The people with a bedtime or a window's end less than five minutes away: answers for them live at most 15 s.
        var nearing: Set<PersonID>
        /// How often the clock was set: each time, every deadline moves.
        var clockSteps: Int

        package init(_ snapshot: Snapshot, clockSteps: Int = 0) {
            self.clockSteps = clockSteps
            household = snapshot.household
            verdicts = snapshot.verdicts
            nearing = Set(
                snapshot.verdicts.values.filter { verdict in
                    verdict.nextBlock.map { $0.timeIntervalSince(snapshot.instant) <= FilterCompiler.nearing }
                        ?? false
                }.map(\.person))
        }
    }

    /// How long before a planned block answers become short-lived, in seconds.
    static let nearing: TimeInterval = 300

    private var compiled: CompiledNames
    /// A device's name in DNS over HTTPS; called once for each device.
    private let queryName: @Sendable (DeviceID) -> String?
    private var queryNames: [DeviceID: String] = [:]
    private var named: (devices: [Device], names: [String: ClientAddress]) = ([], [:])
    private var sharing = DeviceGroups()

    /// - Parameters:
    ///   - tags: the meaning of the names' tags, shared with the reader of the counts.
    ///   - queryName: a device's name in DNS over HTTPS, which nobody can guess.
    package init(
        tags: TagBook = TagBook(), queryName: @escaping @Sendable (DeviceID) -> String? = { _ in nil }
    ) {
        compiled = CompiledNames(tags: tags)
        self.queryName = queryName
    }

    /// Every device by its name in DNS over HTTPS, also devices without an owner: their questions are forwarded. Made
    /// again only if devices changed.
    private mutating func names(of devices: [Device]) -> [String: ClientAddress] {
        if devices == named.devices { return named.names }
        let known = queryNames
        var names: [String: ClientAddress] = [:]
        queryNames = [:]
        for id in devices.indices.lazy.map({ devices[$0].id }) {
            guard let name = known[id] ?? queryName(id) else { continue }
            queryNames[id] = name
            names[name] = ClientAddress(device: id.rawValue)
        }
        named = (devices, names)
        return names
    }

    /// The instants at which the filter can change without new input.
    package static func dueInstants(of snapshot: Snapshot) -> [Date] {
        snapshot.household.devices.indices.compactMap { snapshot.household.devices[$0].tryUntil }
            + snapshot.verdicts.values.flatMap { verdict in
                [verdict.validUntil, verdict.nextBlock?.addingTimeInterval(-nearing)].compactMap { $0 }
            }
    }

    /// A filter for everybody; linear in people and devices. The table of names is kept while its names stay the same,
    /// so that a bedtime compiles in microseconds, however many names there are.
    package mutating func compile(_ snapshot: Snapshot, monotonic: NIODeadline = .now()) -> Filter {
        let sets = NameSets(snapshot)
        let names = compiled.table(for: sets, in: snapshot.catalog)
        sharing.follow(snapshot)
        var keys = sharing.keys
        let newcomers = DeviceGroups.Key(holders: snapshot.household.holdersOfNew)
        if !newcomers.holders.isNobody, !keys.contains(newcomers) { keys.append(newcomers) }
        let groups = keys.map { key in
            Self.group(key, sets, snapshot, monotonic)
        }
        return Filter(
            table: names, groups: groups, directory: snapshot.directory, groupOfDevice: sharing.places,
            newcomers: newcomers.holders.isNobody ? nil : keys.firstIndex(of: newcomers),
            mayBePrivate: sets.mayBePrivate,
            devices: self.names(of: snapshot.household.devices))
    }

    /// The rules of a group's devices, with what DNS alone knows of: canaries, encrypted DNS servers and relayed names.
    private static func group(
        _ key: DeviceGroups.Key, _ sets: NameSets, _ snapshot: Snapshot, _ monotonic: NIODeadline
    ) -> Filter.Group {
        let household = snapshot.household
        let verdicts = key.holders.people.compactMap { snapshot.verdicts[$0] }
        var rules: [Filter.Rule] = []
        var isBlocked = false
        for rule in NameRules(key.holders, help: key.help, trial: key.trial, in: snapshot).ordered {
            switch rule {
            case .reachable:
                // With the upstream's TTL: a phone that misses its connectivity check leaves the Wi-Fi.
                rules.append(Filter.Rule(set: sets.alwaysReachable, action: .forwardUncapped))
                // With these names, browsers and systems ask whether they may bypass this server.
                rules.append(Filter.Rule(set: sets.canaries, action: .nameError))
            case .help(let help):
                if let set = sets.index(of: help) { rules.append(Filter.Rule(set: set, action: .forward)) }
            case .block(let block, _):
                let text = reason(block, in: household)
                // While anything is blocked, names of encrypted DNS servers are blocked too.
                if !isBlocked { rules.append(Filter.Rule(set: sets.encryptedDNS, action: .null(text: text))) }
                isBlocked = true
                guard let set = sets.index(of: block) else { continue }
                let inside = if case .only = block.scope { true } else { false }
                rules.append(Filter.Rule(set: set, inside: inside, action: .block(text: text)))
            }
        }
        if let set = sets.relayed(of: key.holders.owner.flatMap { household[person: $0] }) {
            rules.append(Filter.Rule(set: set, action: .relay))
        }
        let isNear = verdicts.compactMap(\.nextBlock).contains {
            $0.timeIntervalSince(snapshot.instant) <= nearing
        }
        let ends = verdicts.map(\.validUntil) + [key.trial?.until]
        let end = ends.compactMap { $0 }.min().map { until in
            monotonic + .milliseconds(Int64(until.timeIntervalSince(snapshot.instant) * 1000))
        }
        return Filter.Group(
            rules: rules, ttlCeiling: isNear ? 15 : 60, answersEnd: end,
            shieldless: key.holders.owner.flatMap { sets.sitesRelayed(to: $0) })
    }

    /// The text of the Extended DNS Error (RFC 8914): "asleep until 07:00".
    private static func reason(_ block: Block, in household: Household) -> String {
        let time = block.until.map { household.zone.time(of: $0).description }
        let word =
            switch block.layer {
            case .sleep: "asleep"
            case .windows where block.isWaysOut: "a way around the rules"
            case .windows: "outside the allowed windows"
            case .limits: "limit reached"
            case .focus: "focusing"
            }
        return time.map { "\(word) until \($0)" } ?? word
    }
}
