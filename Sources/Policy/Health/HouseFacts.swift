package import Foundation

/// What this machine and this server know of themselves at an instant. Nil is what nobody could tell: nothing is said
/// of it then.
package struct HouseFacts: Sendable {
    package struct Upstream: Hashable, Sendable {
        package enum Trouble: Hashable, Sendable {
            case silent(since: Date)
            /// It answers, but not with what was asked for.
            case fruitless(since: Date)
            /// It asks this server in turn.
            case loops
        }

        package var address: String
        /// Nil: it did well when it was asked last.
        package var trouble: Trouble?

        package init(address: String, _ trouble: Trouble? = nil) {
            self.address = address
            self.trouble = trouble
        }
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
        /// The UTC day of the newest daily one; nil: there is none.
        package var latest: CivilDate?
        /// Why the last try failed.
        package var failure: String?

        package init(latest: CivilDate?, failure: String? = nil) {
            self.latest = latest
            self.failure = failure
        }
    }

    package var now: Date
    /// When this server was started; nil: none runs.
    package var runningSince: Date?
    /// As it was noted before, up to now.
    package var place: KnownPlace
    package var isPlaceKnown: Bool
    /// Where allowed names are looked up; nil: nobody was asked yet.
    package var upstreams: [Upstream]?
    /// The servers that the network tells this machine to use, where it follows them and uses others; else empty.
    package var offered: [String]
    /// Servers on this network that devices may have been told of, and that answer.
    package var otherServers: [String]?
    /// Routers that name the device which they ask for, without being among the forwarders that are believed.
    package var unbelieved: [String]?
    package var disk: Disk?
    package var isClockSynchronised: Bool?
    package var backup: Backup?
    /// What was found damaged in what is stored, each in a paragraph.
    package var damage: [String]?
    /// What could not be opened, each in words.
    package var refused: [String]?
    /// What keeps the rules of a gateway from being in force, in sentences; nil: this machine is none.
    package var gateway: [String]?

    package init(
        now: Date, runningSince: Date? = nil, place: KnownPlace? = nil, upstreams: [Upstream]? = nil,
        offered: [String] = [], otherServers: [String]? = nil, disk: Disk? = nil,
        isClockSynchronised: Bool? = nil, backup: Backup? = nil, refused: [String]? = nil
    ) {
        self.now = now
        self.runningSince = runningSince
        self.place = place ?? KnownPlace()
        isPlaceKnown = place != nil
        self.upstreams = upstreams
        self.offered = offered
        self.otherServers = otherServers
        self.disk = disk
        self.isClockSynchronised = isClockSynchronised
        self.backup = backup
        self.refused = refused
    }

    /// Seconds since the start, never negative; a clock that was set back makes nobody wait for ever.
    private var running: TimeInterval? { runningSince.map { abs(now.timeIntervalSince($0)) } }

    /// A clock is set within minutes of a boot, and the first backup made within seconds; a device that went away
    /// with the server needs time to come back.
    private func hasRun(_ seconds: TimeInterval) -> Bool { running.map { $0 >= seconds } ?? true }

    /// What can be judged now. Of the rest, what was said before still holds.
    package var judged: Set<Finding.Kind> {
        var kinds: Set<Finding.Kind> = []
        if damage != nil { kinds.insert(.damage) }
        if refused != nil { kinds.insert(.refused) }
        if gateway != nil { kinds.insert(.gateway) }
        if isPlaceKnown { kinds.formUnion([.address, .upstreamChanged]) }
        if upstreams != nil { kinds.insert(.upstreamSilent) }
        if disk != nil { kinds.insert(.disk) }
        if let isClockSynchronised, isClockSynchronised || hasRun(600) { kinds.insert(.clock) }
        if let backup, backup.latest != nil || backup.failure != nil || hasRun(600) { kinds.insert(.backup) }
        if otherServers != nil { kinds.insert(.otherServer) }
        if unbelieved != nil { kinds.insert(.forwarder) }
        if running != nil, hasRun(3600) { kinds.insert(.quietDevice) }
        if running != nil { kinds.insert(.returned) }
        return kinds
    }
}
