import Assets
import DNS
import Dashboard
import Directory
import Enforcement
import Foundation
import Identity
import LocalNetwork
import Logging
import NIOCore
import NIOPosix
import Outbound
import Pages
import Policy
import ServiceLifecycle
import Shield
import Sockets
import Store

/// The composition root: the one place that builds live dependencies, for `main` and for the tests alike.
struct House: Sendable {
    let options: ServeCommand
    let machine: Machine
    let ports: Ports
    let store: HouseholdStore
    let clock: WallClock
    let steadyClock: SteadyClock
    let site: HomeSite
    let monitor: Monitor
    let usage: UsageCollector
    let blocked: BlockedLately
    let resolver: DNS.Resolver
    let door: FrontDoor
    let webhooks: WebhookDelivery
    let watch: HouseWatch
    let names: NameRounds
    let gateway: Gateway?
    let erasure: Erasure
    let condition = Condition()
    let snapshot: LatestSnapshot
    let neighbours: NeighbourWatch
    let suggestions: SuggestedTasksFile
    let logger: Logger
    let group: any EventLoopGroup

    let desk: NameDesk
    let listening: Listening
    let authorities: AuthorityKeeper
    let leaves: LeafKeeper
    let mint: LeafMint
    let shelf: SocketShelf

    /// Opens the store and puts every room in its place; nothing listens yet.
    init(
        _ options: ServeCommand, machine: Machine, logger: Logger = .house,
        shelf: SocketShelf = SocketShelf()
    ) async throws {
        self.shelf = shelf
        self.options = options
        self.machine = machine
        self.logger = logger
        group = MultiThreadedEventLoopGroup.singleton
        ports = Ports(options, mayOpenLowPorts: machine.mayOpenLowPorts)
        listening = Listening(machine.addresses(), options)
        let shares = FileShares(
            limit: machine.openFiles, loops: group.makeIterator().reduce(0) { count, _ in count + 1 },
            addresses: listening.addresses.count)
        try shares.check()
        condition.relayFault = RelayDoors.fault(ports, listening)

        store = try HouseholdStore(
            directory: options.place.directory, now: MachineClock.instant(),
            timeZone: options.timeZone ?? MachineClock.zoneName, log: logger)
        steadyClock = Self.steadyClock(store, machine)
        clock = steadyClock.wall
        try await FirstRules.apply(options, to: store, at: clock.now())

        erasure = Erasure(store)
        let assets = AssetLibrary(directory: options.assets)
        let catalog = try ShippedCatalog.load(from: assets)
        let renderer = PageRenderer(assets: assets)
        suggestions = SuggestedTasksFile(
            directory: options.place.directory, shipped: ShippedSuggestions.load(from: assets), log: logger)
        let neighbours = NeighbourWatch(machine.neighbours)
        self.neighbours = neighbours
        let resolution = try Self.resolution(options, machine, neighbours, shares)
        let applied = AppliedRevision(logger: logger)
        snapshot = LatestSnapshot(
            standsBeforeRules: resolution.standsBeforeRules(),
            neighbours: { neighbours.newest })
        resolver = DNS.Resolver(
            configuration: resolution, eventLoopGroup: group, logger: logger, kept: shelf.names)
        neighbours.onReading { [resolver] in resolver.apply($0) }
        authorities = AuthorityKeeper(directory: options.place.directory, logger: logger)
        leaves = LeafKeeper(
            directory: options.place.directory, authorities: authorities, logger: logger)
        mint = LeafMint(authorities)
        desk = NameDesk(
            resolver: resolver, port: ports.dns, dotPort: ports.dot, listening: listening,
            condition: condition, logger: logger)
        let blocked = BlockedLately(
            clock: clock, neighbours: { neighbours.newest }, snapshot: { [snapshot] in snapshot.value })
        self.blocked = blocked
        let address = "http://\(listening.shown)" + (ports.http == 80 ? "" : ":\(ports.http)")
        site = HomeSite(
            store: store, clock: clock, catalog: catalog, renderer: renderer,
            configuration: .init(
                hosts: OwnHosts(name: options.name, machine: machine.hostName), address: address,
                version: Release.version),
            surroundings: .init(
                assets: assets, condition: condition,
                network: Surroundings.network(
                    machine, neighbours, resolver, ports, options, key: store.secret),
                trust: Surroundings.trust(authorities, machine, ports, options, catalog),
                suggestions: suggestions, courier: Surroundings.courier(resolver, machine, logger),
                justBlocked: blocked.names, applied: applied.reach, erase: erasure.erase))
        door = FrontDoor(
            configuration: DoorConfiguration(
                httpPort: ports.http, httpsPort: ports.https,
                ownNames: OwnNames(name: options.name, hostName: machine.hostName),
                advertisedAddress: options.address, waysOut: HomeSite.waysOut, limits: shares.door),
            facts: Surroundings.facts(
                snapshot, neighbours, clock,
                ShieldFace(latest: snapshot, renderer: renderer, suggestions: suggestions),
                ShieldPresses(
                    store: store, clock: clock, latest: snapshot, applied: applied, logger: logger),
                key: store.secret, assets), eventLoopGroup: group,
            logger: logger, queries: ports.dns == nil ? nil : Surroundings.queries(resolver),
            relay: Surroundings.relay(machine, resolver, snapshot),
            mint: Self.shieldLeaves(mint, snapshot, clock), kept: shelf.doors,
            dashboard: Surroundings.dashboard(site))
        let gateway = ports.dns.flatMap { port -> Gateway? in
            guard !options.gateway.isEmpty else { return nil }
            return Gateway(
                interfaces: options.gateway,
                encryptedResolvers: EncryptedResolvers.addresses(
                    in: assets.asset(at: EncryptedResolvers.path)?.bytes ?? []),
                resolver: resolver, resolution: resolution, latest: snapshot,
                desk: {
                    Listening(machine.addresses(), options).desk(towards: options.gateway, port: port)
                }, condition: condition, logger: logger)
        }
        self.gateway = gateway
        let tags = TagBook()
        let usage = UsageCollector(
            store: store, catalog: catalog, clock: clock, tags: tags,
            neighbours: { neighbours.newest }, logger: logger)
        monitor = Monitor(
            store: store, catalog: catalog, clock: clock,
            effects: Self.effects(desk, snapshot, site, door, gateway, applied, condition.gauges),
            logger: logger,
            tags: tags,
            usage: usage.totals, ledger: { usage.ledger },
            relays: { [condition] in condition.relayFault == nil },
            queryName: { [key = store.secret] in QueryName.of($0, key: key) })
        self.usage = usage
        webhooks = Self.webhooks(store, catalog, clock, resolver, machine, logger)
        watch = HouseWatch(
            store: store, clock: clock, machine: machine, options: options, condition: condition,
            resolver: resolver)
        names = NameRounds(
            store: store, clock: clock, machine: machine,
            localUpstreams: resolution.localUpstreams.compactMap(\.address), resolver: resolver,
            logger: logger)
    }

    /// What follows from a change, in this order: DNS answers by it, the shield and the pages show it, and whoever waits
    /// for that goes on.
    private static func effects(
        _ desk: NameDesk, _ latest: LatestSnapshot, _ site: HomeSite, _ door: FrontDoor,
        _ gateway: Gateway?, _ applied: AppliedRevision, _ gauges: Gauges
    ) -> Monitor.Effects {
        Monitor.Effects(
            enforce: { filter in await desk.enforce(filter) },
            onChange: { snapshot in
                latest.replace(with: snapshot)
                gateway?.wake()
                site.publish(snapshot)
                door.changed(revision: snapshot.revision)
            },
            onApplied: { applied.note($0) },
            onCompile: { gauges.note(filterSeconds: $0) })
    }

    private static func resolution(
        _ options: ServeCommand, _ machine: Machine, _ neighbours: NeighbourWatch, _ shares: FileShares
    ) throws -> DNS.Resolver.Configuration {
        let servers = try Upstreams.servers(options, machine: machine)
        var configuration = DNS.Resolver.Configuration(
            upstreams: servers,
            localUpstreams: try options.localUpstream.map { UpstreamServer(try Upstreams.socket($0)) },
            ownNames: [options.name, machine.hostName, "\(machine.hostName).local"].filter { !$0.isEmpty },
            searchDomains: machine.searchDomains)
        configuration.bounds = shares.names
        configuration.meet = { await neighbours.look() }
        configuration.forwarders = Set(options.forwarder.compactMap { ClientAddress($0) })
        configuration.bootstrapServers = try Upstreams.bootstrap(servers, options, machine: machine)
        configuration.notesAnswers = !options.gateway.isEmpty
        configuration.upstreamTLS = try Upstreams.tls(for: servers)
        return configuration
    }
}

extension Condition: ServerCondition {}

/// Why the server cannot start, in one line.
enum Fault: Error, CustomStringConvertible {
    case noDoor([String])

    var description: String {
        switch self {
        case .noDoor(let reasons): reasons.first ?? "There is no address to listen on."
        }
    }
}
