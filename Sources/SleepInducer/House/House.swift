import Cluster
import DNS
import Dashboard
import Directory
import Enforcement
import Identity
import LocalNetwork
import Logging
import Outbound
import Policy
import Shield
import Store

/// The composition root: the one place that builds live dependencies, for `main` and for the tests alike.
struct House: Sendable {
    let ground: Ground
    let shelf: SocketShelf
    let freshStart: FreshStart
    let resolver: DNS.Resolver
    let latest: LatestSnapshot
    let blocked: BlockedLately
    let authorities: AuthorityKeeper
    let site: HomeSite
    let door: FrontDoor
    let gateway: Gateway?
    let usage: UsageCollector
    let monitor: Monitor
    let webhooks: WebhookDelivery
    let watch: HouseWatch
    let names: NameRounds
    let upkeep: StoreUpkeep
    let presence: Presence
    /// Nil: the household is on this machine alone.
    let replica: Replica?

    /// Builds every room, by the map in Docs/developing.md; nothing listens yet.
    init(
        _ options: ServeCommand, machine: Machine, logger: Logger = .house,
        shelf: SocketShelf = SocketShelf()
    ) async throws {
        self.shelf = shelf
        let ground = try await Ground(options, machine: machine, logger: logger)
        self.ground = ground
        // Reads days of use while the other rooms are built.
        async let usage = UsageCollector(ground)
        freshStart = FreshStart(ground.store, in: ground.directory)
        // DNS
        resolver = DNS.Resolver(
            configuration: try DNS.Resolver.Configuration(ground), eventLoopGroup: ground.group,
            logger: logger, kept: shelf.names)
        ground.neighbours.onReading { [weak resolver] in resolver?.apply($0) }
        // The present rules
        latest = LatestSnapshot(ground, resolver: resolver)
        blocked = BlockedLately(
            clock: ground.clock, neighbours: { [neighbours = ground.neighbours] in neighbours.newest },
            snapshot: { [latest] in latest.value })
        let applied = AppliedRevision(logger: logger)
        let mornings = Mornings(ground.store)
        // Identity
        authorities = AuthorityKeeper(directory: ground.directory, logger: logger)
        // Cluster: the other machines, if there are any
        replica = try Replica(ground, authorities: authorities)
        try replica?.start()
        if replica == nil { try await FirstRules.apply(options, to: ground.store, at: ground.clock.now()) }
        // Enforcement: the upkeep
        watch = HouseWatch(ground, resolver: resolver)
        names = NameRounds(ground, resolver: resolver)
        // Dashboard, and Shield before it
        site = HomeSite(
            ground, resolver: resolver, authorities: authorities, blocked: blocked, applied: applied,
            watch: watch, replica: replica, freshStart: freshStart)
        door = FrontDoor(
            ground, facts: ShieldFacts(ground, latest: latest, mornings: mornings, applied: applied),
            relay: RelayFacts(ground, resolver: resolver, latest: latest), resolver: resolver,
            mint: LeafMint(authorities).shieldLeaves(latest: latest, clock: ground.clock),
            kept: shelf.doors, dashboard: site.adopter())
        // Enforcement
        gateway = Gateway(ground, resolver: resolver, latest: latest)
        let desk = NameDesk(ground, resolver: resolver)
        self.usage = await usage
        let effects = Monitor.Effects(
            desk: desk, latest: latest, mornings: mornings, site: site, door: door, gateway: gateway,
            applied: applied)
        monitor = Monitor(ground, usage: self.usage, effects: effects)
        // Outbound and upkeep
        webhooks = WebhookDelivery(ground, resolver: resolver)
        upkeep = StoreUpkeep(ground, usage: self.usage)
        presence = Presence(ground, desk: desk, door: door, resolver: resolver, authorities: authorities)
    }
}

extension Monitor.Effects {
    /// What follows from a change, in this order: DNS answers by it, the shield and the pages show it, and requests
    /// that wait for it go on.
    fileprivate init(
        desk: NameDesk, latest: LatestSnapshot, mornings: Mornings, site: HomeSite, door: FrontDoor,
        gateway: Gateway?, applied: AppliedRevision
    ) {
        self.init(
            enforce: { filter in await desk.enforce(filter) },
            onChange: { snapshot in
                latest.replace(with: snapshot)
                gateway?.wake()
                site.publish(snapshot)
                await onSharedThreads { mornings.read(snapshot) }
                door.changed(revision: snapshot.revision)
            },
            onApplied: { applied.note($0) })
    }
}

extension Condition: ServerCondition {}

/// Why the server cannot start, in one line.
struct NoDoor: Error, CustomStringConvertible {
    let reasons: [String]

    var description: String { reasons.first ?? "There is no address to listen on." }
}
