import Assets
import DNS
import Dashboard
import Enforcement
import Foundation
import LocalNetwork
import Logging
import NIOCore
import NIOPosix
import Outbound
import Pages
import Policy
import ServiceLifecycle
import Shield
import Store

/// The composition root: the one place that builds live dependencies, for `main` and for the tests alike.
struct House: Sendable {
    let options: ServeCommand
    let machine: Machine
    let ports: Ports
    let store: HouseholdStore
    let clock: WallClock
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
    let gauges = Gauges()
    let snapshot: LatestSnapshot
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
        _ options: ServeCommand, machine: Machine, clock: WallClock? = nil, logger: Logger = .house,
        shelf: SocketShelf = SocketShelf()
    ) async throws {
        self.shelf = shelf
        self.options = options
        self.machine = machine
        self.logger = logger
        group = MultiThreadedEventLoopGroup.singleton
        ports = Ports(options, mayOpenLowPorts: machine.mayOpenLowPorts)
        listening = Listening(machine: machine.addresses(), bind: options.bind, advertised: options.address)

        store = try HouseholdStore(
            directory: options.place.directory, now: MachineClock.instant(),
            timeZone: options.timeZone ?? MachineClock.zoneName, log: logger)
        self.clock =
            clock
            ?? MachineClock.wall(notBefore: store.lastInstant, isSynchronised: machine.isClockSynchronised)
        try await FirstRules.apply(options, to: store, at: self.clock.now())

        erasure = Erasure(store)
        let assets = AssetLibrary(directory: options.assets)
        let catalog = try ShippedCatalog.load(from: assets)
        let renderer = PageRenderer(assets: assets)
        suggestions = SuggestedTasksFile(
            directory: options.place.directory, shipped: ShippedSuggestions.load(from: assets), log: logger)
        let resolution = try Self.resolution(options, machine)
        snapshot = LatestSnapshot(standsBeforeRules: resolution.standsBeforeRules())
        resolver = DNS.Resolver(
            configuration: resolution, eventLoopGroup: group, logger: logger, kept: shelf.names)
        authorities = AuthorityKeeper(directory: options.place.directory, logger: logger)
        leaves = LeafKeeper(
            directory: options.place.directory, authorities: authorities, logger: logger)
        mint = LeafMint(authorities)
        desk = NameDesk(
            resolver: resolver, port: ports.dns, dotPort: ports.dot, listening: listening,
            condition: condition, logger: logger)
        let blocked = BlockedLately(clock: self.clock) { [snapshot] in snapshot.value }
        self.blocked = blocked
        let address = "http://\(listening.shown)" + (ports.http == 80 ? "" : ":\(ports.http)")
        site = HomeSite(
            store: store, clock: self.clock, catalog: catalog, renderer: renderer,
            configuration: .init(
                hosts: OwnHosts(name: options.name, machine: machine.hostName), address: address,
                version: Release.version),
            surroundings: Surroundings.of(
                assets, condition, machine, suggestions, erasure,
                Surroundings.courier(resolver, machine, logger), gauges, blocked,
                Surroundings.network(machine, resolver, ports, options, key: store.secret),
                Surroundings.trust(authorities, machine, ports, options, catalog)))
        door = FrontDoor(
            configuration: DoorConfiguration(
                httpPort: ports.http, httpsPort: ports.https,
                ownNames: OwnNames(name: options.name, hostName: machine.hostName),
                advertisedAddress: options.address),
            facts: Surroundings.facts(
                snapshot, self.clock,
                ShieldFace(latest: snapshot, renderer: renderer, suggestions: suggestions),
                ShieldPresses(store: store, clock: self.clock, latest: snapshot, logger: logger),
                key: store.secret, assets), eventLoopGroup: group,
            logger: logger, queries: ports.dns == nil ? nil : Surroundings.queries(resolver),
            relay: Surroundings.relay(machine, resolver),
            mint: Self.shieldLeaves(mint, snapshot, self.clock), kept: shelf.doors,
            dashboard: Surroundings.dashboard(site))
        let gateway = Gateway.of(
            options, resolver, resolution, machine, ports, snapshot, assets, clock: self.clock,
            condition: condition, logger: logger)
        self.gateway = gateway
        let tags = TagBook()
        let usage = UsageCollector(
            store: store, catalog: catalog, clock: self.clock, tags: tags, logger: logger)
        monitor = Monitor(
            store: store, catalog: catalog, clock: self.clock,
            effects: Self.effects(desk, snapshot, site, door, gateway, gauges), logger: logger, tags: tags,
            usage: usage.totals, ledger: { usage.ledger },
            queryName: { [key = store.secret] in QueryName.of($0, key: key) })
        self.usage = usage
        webhooks = Self.webhooks(store, catalog, self.clock, resolver, machine, logger)
        watch = HouseWatch(
            store: store, clock: self.clock, machine: machine, options: options, condition: condition,
            upstreams: resolution.upstreams + resolution.localUpstreams,
            foundSilent: { [resolver] in await resolver.silentUpstreams() }, group: group)
        names = NameRounds(
            store: store, clock: self.clock, machine: machine,
            localUpstreams: resolution.localUpstreams.compactMap(\.address), group: group, logger: logger)
    }

    /// What follows from a change, in this order: DNS answers by it, then the shield and the pages show it.
    private static func effects(
        _ desk: NameDesk, _ latest: LatestSnapshot, _ site: HomeSite, _ door: FrontDoor,
        _ gateway: Gateway?, _ gauges: Gauges
    ) -> Monitor.Effects {
        Monitor.Effects(
            enforce: { filter in await desk.enforce(filter) },
            onChange: { snapshot in
                latest.replace(with: snapshot)
                gateway?.wake()
                site.publish(snapshot)
                door.changed(revision: snapshot.revision)
            },
            onCompile: { gauges.note(filterSeconds: $0) })
    }

    private static func resolution(_ options: ServeCommand, _ machine: Machine) throws
        -> DNS.Resolver.Configuration
    {
        let servers = try Upstreams.servers(options.upstream, machine: machine)
        var configuration = DNS.Resolver.Configuration(
            upstreams: servers,
            localUpstreams: try options.localUpstream.map { UpstreamServer(try Upstreams.socket($0)) },
            ownNames: [options.name, machine.hostName, "\(machine.hostName).local"].filter { !$0.isEmpty },
            searchDomains: machine.searchDomains)
        configuration.bootstrapServers = try Upstreams.bootstrap(servers, machine: machine)
        configuration.notesAnswers = !options.gateway.isEmpty
        configuration.upstreamTLS = try Upstreams.tls(for: servers)
        return configuration
    }

    /// Opens the doors, tells people where, and serves until it is told to stop, or everything was erased.
    func run(until signal: StopSignal) async throws {
        let address = listening
        presentItself(address)
        // A new authority is seen on the next connection, not on the next look at the addresses.
        authorities.whenMade { presentItself(listeningNow) }
        // DNS has its filter, and answers, before anything else is said.
        await gateway?.takeOver()
        await monitor.step()
        await gateway?.look()
        let opening = await door.start(addresses: address.addresses)
        note(opening)
        let strangers = shelf.forgetUnclaimed()
        if strangers > 0 {
            logger.notice("Closed sockets that fit no address", metadata: ["count": "\(strangers)"])
        }
        guard !opening.opened.isEmpty else { throw Fault.noDoor(opening.refused.map(\.description)) }
        condition.becomeReady()
        try Announcement(self, listening: address).print()
        machine.notify(.ready)
        var configuration = ServiceGroupConfiguration(
            services: services().map { .init(service: $0) }, logger: .quiet)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        let services = ServiceGroup(configuration: configuration)
        let end: @Sendable () async -> Void = { await services.triggerGracefulShutdown() }
        let endings = [
            Task { await signal.stops(end) },
            Task { [erasure, clock] in await erasure.wait(clock: clock, end: end) },
        ]
        defer { for ending in endings { ending.cancel() } }
        try await services.run()
        store.flush()
        store.finishErasing()
    }

    /// In the order of dependence; shutdown goes the other way round.
    private func services() -> [any Service] {
        let rounds = Rounds(
            clock: clock,
            collect: { [resolver, gauges] in
                let collected = await resolver.collect()
                gauges.note(collected.metrics)
                return collected
            },
            relayed: { [door] in await Surroundings.relayed(door) },
            sightings: Sightings(
                store: store, clock: clock, hardwareAddresses: machine.neighbours,
                routers: { [machine] in Surroundings.routers(machine) }, logger: logger),
            usage: usage, blocked: blocked, onUse: { [monitor] in await monitor.step() },
            onCheck: { [site, clock] traces in
                site.checks.note(traces.questions, signs: traces.signs, at: clock.now())
            })
        let answer: @Sendable (ControlRequest) async -> ControlReply = { [store, options, watch] request in
            if case .health = request { return .health(await watch.lookNow()) }
            return await ControlDesk(store: store, directory: options.place.directory).answer(request)
        }
        let door = door
        let machine = machine
        let close: @Sendable () async -> Void = { [erasure] in
            // Whoever begins anew does not stop, and systemd would take it at its word.
            if !erasure.isDone { machine.notify(.stopping) }
            await door.stop(within: .seconds(2))
        }
        let gatewayWork = gateway.map { gateway in
            OngoingWork({ await gateway.run() }, atStop: { await gateway.close() })
        }
        return [gatewayWork].compactMap { $0 } + [
            OngoingWork(
                { [monitor] in await monitor.run() },
                atStop: { [resolver] in
                    await resolver.drain(within: .seconds(2))
                    await resolver.stop()
                }),
            OngoingWork({ await rounds.run() }, atStop: { await rounds.finish() }),
            OngoingWork({ [site] in await site.run() }, atStop: close),
            OngoingWork({ [webhooks] in await webhooks.run() }),
            OngoingWork({ await watchAddresses() }),
            OngoingWork({ await keepHouse() }),
            OngoingWork({ [watch] in await watch.run() }),
            OngoingWork({ [names] in await names.run() }),
            ControlListener(
                path: "\(options.place.directory)/\(ControlWire.socketName)", group: group, logger: logger,
                answer: answer),
        ]
    }

    func note(_ opening: FrontDoor.Opening) {
        let reasons = opening.refused.map(\.description)
        for reason in condition.report(reasons, from: "pages") { logger.error("\(reason)") }
    }
}

/// Why the server cannot start, in one line.
enum Fault: Error, CustomStringConvertible {
    case noDoor([String])

    var description: String {
        switch self {
        case .noDoor(let reasons): reasons.first ?? "There is no address to listen on."
        }
    }
}
