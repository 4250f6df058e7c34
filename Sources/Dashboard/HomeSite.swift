import Foundation
import NIOCore
package import Pages
package import Policy
package import Store

/// The household's own pages, forms, events and API, served to its own Hosts; everything it needs is handed in.
package struct HomeSite: Sendable {
    package struct Configuration: Sendable {
        package var hosts: OwnHosts
        /// What people type, for example `http://sleep.home.arpa`.
        package var address: String
        package var version: String
        package var viewers: Viewers.Limits

        package init(
            hosts: OwnHosts, address: String, version: String, viewers: Viewers.Limits = Viewers.Limits()
        ) {
            self.hosts = hosts
            self.address = address
            self.version = version
            self.viewers = viewers
        }
    }

    /// Whether the server works, as `/healthz` says it.
    package struct Health: Sendable {
        /// The filter is compiled and every bind was tried.
        package var isReady: Bool
        /// What could not be had, for example `DNS on port 53: permission denied`.
        package var refused: [String]

        package init(isReady: Bool, refused: [String] = []) {
            self.isReady = isReady
            self.refused = refused
        }
    }

    /// What the executable knows and pages ask for.
    package struct Surroundings: Sendable {
        /// A file of `Public/` by its path there.
        package var file: @Sendable (String) -> StaticFile?
        package var health: @Sendable () -> Health
        /// The hardware address of a neighbour by its canonical address; nil where none is known.
        package var hardwareAddress: @Sendable (String) -> String?
        /// Whose share counts for whoever has connected from an address.
        package var holder: @Sendable (String) -> Holder
        /// More lines for `/metrics`, in Prometheus' text format.
        package var metrics: @Sendable () -> String
        package var suggestions: SuggestedTasksFile
        /// Takes uploads to other servers.
        package var courier: Courier
        /// This machine's own addresses, to which nothing may be sent.
        package var ownAddresses: @Sendable () -> [String]
        package var network: NetworkFacts
        package var trust: TrustFacts
        /// Why no app can be relayed, in a sentence; nil: they can.
        package var relayFault: @Sendable () -> String?
        /// Seconds of a clock that never goes back.
        package var uptime: @Sendable () -> Double
        /// What was refused to a device under a person's rules in the last ten minutes, newest first.
        package var justBlocked: @Sendable (DeviceID, PersonID) -> [JustBlocked.Name]
        /// Returns when DNS answers by a revision of the store's household, or after a time that nobody notices.
        package var applied: @Sendable (_ revision: Int) async -> Void
        /// Erases everything and begins anew as soon as the answer is on its way.
        package var erase: @Sendable () throws -> Void

        package init(
            file: @escaping @Sendable (String) -> StaticFile?, health: @escaping @Sendable () -> Health,
            hardwareAddress: @escaping @Sendable (String) -> String? = { _ in nil },
            holder: @escaping @Sendable (String) -> Holder = { Holder($0) },
            metrics: @escaping @Sendable () -> String = { "" },
            suggestions: SuggestedTasksFile = SuggestedTasksFile(directory: nil, shipped: .lastResort),
            courier: Courier = .none, ownAddresses: @escaping @Sendable () -> [String] = { [] },
            network: NetworkFacts = NetworkFacts(), trust: TrustFacts = TrustFacts(),
            relayFault: @escaping @Sendable () -> String? = { nil },
            uptime: @escaping @Sendable () -> Double = {
                Double(NIODeadline.now().uptimeNanoseconds) / 1e9
            },
            justBlocked: @escaping @Sendable (DeviceID, PersonID) -> [JustBlocked.Name] = { _, _ in [] },
            applied: @escaping @Sendable (_ revision: Int) async -> Void = { _ in },
            erase: @escaping @Sendable () throws -> Void = {}
        ) {
            self.file = file
            self.health = health
            self.hardwareAddress = hardwareAddress
            self.holder = holder
            self.metrics = metrics
            self.suggestions = suggestions
            self.courier = courier
            self.ownAddresses = ownAddresses
            self.network = network
            self.trust = trust
            self.relayFault = relayFault
            self.uptime = uptime
            self.justBlocked = justBlocked
            self.applied = applied
            self.erase = erase
        }
    }

    let store: HouseholdStore
    let clock: WallClock
    let renderer: PageRenderer
    let configuration: Configuration
    let surroundings: Surroundings
    /// As shipped; the household's own apps come on top.
    let catalog: Catalog
    package let feed: LiveFeed
    let passcodes = PasscodeThread()
    let backOff = BackOff()
    let counters = RequestCounters()
    let removedWindows = RecentlyRemoved<TimeWindow>()
    let removedLimits = RecentlyRemoved<UsageLimit>()
    let removedSessions = RecentlyRemoved<FocusSession>()
    let removedWebhooks = RecentlyRemoved<HouseholdStore.RemovedWebhook>()
    let presses = OneTapPresses()
    let merges = Merges()
    let uploadRate = TokenBuckets()
    /// Where Enforcement's rounds put what live checks left with DNS.
    package let checks = CheckBook()
    let statics: StaticFiles
    let startedAt: Date

    package init(
        store: HouseholdStore, clock: WallClock, catalog: Catalog, renderer: PageRenderer,
        configuration: Configuration, surroundings: Surroundings
    ) {
        self.store = store
        self.clock = clock
        self.catalog = catalog
        self.renderer = renderer
        self.configuration = configuration
        self.surroundings = surroundings
        statics = StaticFiles(file: surroundings.file)
        let now = clock.now()
        startedAt = now
        var household = store.household
        _ = household.settle(at: now, newID: UUID.init)
        let first = Snapshot(
            revision: 0, instant: now, household: household, catalog: catalog.adding(household.ownApps),
            verdicts: household.evaluate(at: now))
        feed = LiveFeed(
            clock: clock, viewers: Viewers(limits: configuration.viewers), first: first,
            lastFocus: store.latestFocusSession)
    }

    /// Takes what Enforcement says on every change.
    package func publish(_ snapshot: Snapshot) { feed.publish(snapshot) }

    /// Ticks and comments for every open page, until the task is cancelled; then all streams end.
    package func run() async { await feed.run() }
}
