package import Foundation

/// What this machine and this server know about themselves at an instant. Nil: unknown, so nothing is said about it.
package struct HouseFacts: Sendable {
    package struct Upstream: Hashable, Sendable {
        package enum Trouble: Hashable, Sendable {
            case silent(since: Date)
            /// It answers, but without the data that was asked for.
            case fruitless(since: Date)
            /// It asks this server in turn.
            case loops
        }

        package var address: String
        /// Nil: it did well when it was last asked.
        package var trouble: Trouble?

        package init(address: String, _ trouble: Trouble? = nil) {
            self.address = address
            self.trouble = trouble
        }
    }

    package enum Unusable: Hashable, Sendable {
        /// A line of `resolv.conf`: `nameserver router`.
        case line(String)
        case upstream(String, missingInterface: String)
    }

    /// In bytes.
    package struct Disk: Hashable, Sendable {
        package var free: UInt64
        package var total: UInt64
        package var isReadOnly: Bool

        package init(free: UInt64, total: UInt64, isReadOnly: Bool = false) {
            self.free = free
            self.total = total
            self.isReadOnly = isReadOnly
        }
    }

    package struct Backup: Hashable, Sendable {
        /// The UTC day of the newest daily backup; nil if there is none.
        package var latest: CivilDate?
        /// Why the last try failed.
        package var failure: String?

        package init(latest: CivilDate?, failure: String? = nil) {
            self.latest = latest
            self.failure = failure
        }
    }

    /// The household's machines; nil: there is only this one.
    package var machines: HouseMachines?
    package var now: Date
    /// When this server was started; nil if it does not run.
    package var runningSince: Date?
    /// What was noted before, up to now.
    package var place: KnownPlace
    package var isPlaceKnown: Bool
    /// The servers that look allowed names up; nil if none was asked yet.
    package var upstreams: [Upstream]?
    /// What this machine was told of its network but cannot be used; nil: unknown.
    package var unusable: [Unusable]?
    /// Servers on this network that answer and that devices may have been given.
    package var otherServers: [String]?
    /// Routers that name the device they ask for, without being configured as forwarders.
    package var unbelieved: [String]?
    package var disk: Disk?
    package var isClockSynchronised: Bool?
    package var backup: Backup?
    /// Damage that was found in stored data, one paragraph each.
    package var damage: [String]?
    /// What could not be opened, one text each.
    package var refused: [String]?
    /// Why a gateway's rules are not in force, in sentences; nil if this machine is not a gateway.
    package var gateway: [String]?

    package init(
        now: Date, runningSince: Date? = nil, place: KnownPlace? = nil, upstreams: [Upstream]? = nil,
        otherServers: [String]? = nil, disk: Disk? = nil,
        isClockSynchronised: Bool? = nil, backup: Backup? = nil, refused: [String]? = nil
    ) {
        self.now = now
        self.runningSince = runningSince
        self.place = place ?? KnownPlace()
        isPlaceKnown = place != nil
        self.upstreams = upstreams
        self.otherServers = otherServers
        self.disk = disk
        self.isClockSynchronised = isClockSynchronised
        self.backup = backup
        self.refused = refused
    }

    /// Seconds since the start, never negative: a clock that was set back delays nothing for ever.
    private var running: TimeInterval? { runningSince.map { abs(now.timeIntervalSince($0)) } }

    /// Whether the server has run so long. A clock is set within minutes of a boot, and the first backup is made within
    /// seconds; a device that was switched off together with the server needs time to come back.
    private func hasRun(_ seconds: TimeInterval) -> Bool { running.map { $0 >= seconds } ?? true }

    /// The kinds that can be judged now. For the others, the last judgement still holds.
    package var judged: Set<Finding.Kind> {
        var kinds: Set<Finding.Kind> = []
        if damage != nil { kinds.insert(.damage) }
        if refused != nil { kinds.insert(.refused) }
        if gateway != nil { kinds.insert(.gateway) }
        if unusable != nil { kinds.insert(.networkSettings) }
        if isPlaceKnown { kinds.formUnion([.address, .upstreamChanged]) }
        if upstreams != nil { kinds.insert(.upstreamSilent) }
        if disk != nil { kinds.insert(.disk) }
        if let isClockSynchronised, isClockSynchronised || hasRun(600) { kinds.insert(.clock) }
        if let backup, backup.latest != nil || backup.failure != nil || hasRun(600) { kinds.insert(.backup) }
        if otherServers != nil { kinds.insert(.otherServer) }
        if unbelieved != nil { kinds.insert(.forwarder) }
        if running != nil, hasRun(3600) { kinds.insert(.quietDevice) }
        if running != nil { kinds.formUnion([.returned, .wayOut]) }
        if machines != nil { kinds.insert(.machines) }
        return kinds
    }
}
