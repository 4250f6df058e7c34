import Assets
import Cluster
import DNS
import Dashboard
import Directory
import Enforcement
import Identity
import LocalNetwork
import NIOCore
import Policy
import Shield
import Store

// How each room is built from the ground.

extension DNS.Resolver.Configuration {
    init(_ ground: Ground) throws {
        let (options, network) = (ground.options, ground.network.now)
        self.init(
            network, privateAnswersAllowed: options.privateAnswers.compactMap { DomainName($0)?.text })
        bounds = ground.shares.names
        meet = { [neighbours = ground.neighbours] in await neighbours.look() }
        forwarders = Set(options.forwarder.compactMap { ClientAddress($0) })
        notesAnswers = !options.gateway.isEmpty
        upstreamTLS = try ChosenUpstreams.tls(for: network.upstreams)
    }
}

extension LatestSnapshot {
    convenience init(_ ground: Ground, resolver: DNS.Resolver) {
        self.init(
            standsBeforeRules: { resolver.standsBeforeRules($0) },
            neighbours: { [neighbours = ground.neighbours] in neighbours.newest })
    }
}

extension HomeSite {
    init(
        _ ground: Ground, resolver: DNS.Resolver, authorities: AuthorityKeeper, blocked: BlockedLately,
        applied: AppliedRevision, watch: HouseWatch, replica: Replica?, freshStart: FreshStart
    ) {
        let options = ground.options
        self.init(
            store: ground.store, clock: ground.clock, catalog: ground.catalog, renderer: ground.renderer,
            configuration: .init(
                ownNames: ground.network.ownNames,
                proxies: options.proxies,
                address: Announcement.server(at: ground.listening.shown, port: ground.ports.http),
                version: Release.version, viewers: .init(total: ground.shares.viewers),
                loop: HouseThread.shared.loop),
            surroundings: Surroundings(
                assets: ground.assets, condition: ground.condition,
                network: NetworkFacts(ground, resolver: resolver),
                trust: TrustFacts(ground, authorities: authorities), suggestions: ground.suggestions,
                courier: Courier(ground, resolver: resolver), justBlocked: blocked.names,
                readForeign: ForeignReader.result,
                applied: applied.reach, look: watch.lookSoon,
                machineActs: replica.map { MachineActs($0, ground) } ?? .none, erase: freshStart.erase,
                restore: freshStart.restore))
    }
}

extension FrontDoor {
    init(
        _ ground: Ground, facts: ShieldFacts, relay: RelayFacts, resolver: DNS.Resolver,
        mint: @escaping Mint, kept: KeptListeners, dashboard: @escaping Dashboard
    ) {
        let (options, ports) = (ground.options, ground.ports)
        var configuration = DoorConfiguration(
            httpPort: ports.http, httpsPort: ports.https,
            ownNames: ground.network.ownNames,
            advertisedAddress: options.address, waysOut: HomeSite.waysOut, limits: ground.shares.door)
        configuration.proxies = options.proxies
        configuration.shownAddress = { ground.listening.shown }
        self.init(
            configuration: configuration, facts: facts, eventLoopGroup: ground.group, logger: ground.logger,
            queries: ports.dns == nil ? nil : FrontDoor.Queries(resolver), relay: relay, mint: mint,
            kept: kept, dashboard: dashboard)
    }
}

extension Gateway {
    /// Nil if this machine is no gateway, or answers no DNS.
    init?(
        _ ground: Ground, resolver: DNS.Resolver, latest: LatestSnapshot
    ) {
        let interfaces = ground.options.gateway
        guard !interfaces.isEmpty, let port = ground.ports.dns else { return nil }
        self.init(
            interfaces: interfaces,
            encryptedResolvers: EncryptedResolvers.addresses(
                in: ground.assets.asset(at: EncryptedResolvers.path)?.bytes ?? []),
            resolver: resolver, latest: latest,
            desk: { ground.listening.desk(towards: interfaces, port: port) },
            condition: ground.condition, logger: ground.logger)
    }
}

extension NameDesk {
    init(_ ground: Ground, resolver: DNS.Resolver) {
        self.init(
            resolver: resolver, places: Places(ground.firstListening, ground.ports),
            condition: ground.condition,
            logger: ground.logger)
    }
}

extension NameDesk.Places {
    /// Nil: DNS is off.
    init?(_ listening: Listening, _ ports: Ports) {
        guard let port = ports.dns else { return nil }
        self.init(endpoints: listening.endpoints(port: port, dotPort: ports.dot), home: listening.home)
    }
}

extension UsageCollector {
    convenience init(_ ground: Ground) {
        self.init(
            store: ground.store, catalog: ground.catalog, clock: ground.clock, tags: ground.tags,
            neighbours: { [neighbours = ground.neighbours] in neighbours.newest }, logger: ground.logger)
    }
}

extension Monitor {
    init(_ ground: Ground, usage: UsageCollector, effects: Effects) {
        var effects = effects
        effects.onCompile = { [gauges = ground.condition.gauges] in gauges.note(filterSeconds: $0) }
        self.init(
            store: ground.store, catalog: ground.catalog, clock: ground.clock, effects: effects,
            logger: ground.logger, tags: ground.tags, usage: usage.totals, ledger: { usage.ledger },
            relays: { [condition = ground.condition] in condition.relayFault == nil },
            queryName: { [key = ground.store.secret] in QueryName.of($0, key: key) },
            executor: HouseThread.shared)
    }
}

extension HouseWatch {
    init(_ ground: Ground, resolver: DNS.Resolver) {
        let options = ground.options
        let intent = Intent(
            servers: options.upstream.compactMap { $0.server.fixed?.ip.text }
                + options.localUpstream.map(\.host)
                + options.forwarder.compactMap { ClientAddress($0)?.text },
            asksMachinesResolvers: ChosenUpstreams.asksOwn(options), directory: ground.directory,
            address: { ground.reachable })
        self.init(
            store: ground.store, clock: ground.clock, machine: ground.machine, intent: intent,
            condition: ground.condition, resolver: resolver)
    }
}

extension NameRounds {
    init(_ ground: Ground, resolver: DNS.Resolver) {
        self.init(
            store: ground.store, clock: ground.clock, machine: ground.machine,
            localUpstreams: ground.network.now.localUpstreams,
            resolver: resolver, logger: ground.logger)
    }
}

extension StoreUpkeep {
    convenience init(_ ground: Ground, usage: UsageCollector) {
        self.init(
            store: ground.store, clock: ground.clock, machine: ground.machine, usage: usage,
            condition: ground.condition, logger: ground.logger)
    }
}
