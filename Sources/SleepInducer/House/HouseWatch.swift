import DNS
import Directory
import Enforcement
import Foundation
import LocalNetwork
import Logging
import NIOCore
import Policy
import Sockets
import Store

/// Looks after what changes behind a household's back, and says it on the store's board (issue 5, "When things change").
actor HouseWatch {
    private let store: HouseholdStore
    private let clock: WallClock
    private let machine: Machine
    private let options: ServeCommand
    private let condition: Condition
    private let resolver: DNS.Resolver
    private let startedAt: Date

    private var hasAsked = false
    private var otherServers: [String]?

    init(
        store: HouseholdStore, clock: WallClock, machine: Machine, options: ServeCommand,
        condition: Condition, resolver: DNS.Resolver
    ) {
        self.store = store
        self.clock = clock
        self.machine = machine
        self.options = options
        self.condition = condition
        self.resolver = resolver
        startedAt = clock.now()
    }

    /// Everything anew, for `doctor`.
    func lookNow() async -> [HealthLine] {
        resolver.lookForLoops()
        await ask()
        await search()
        await look()
        return store.notices.lines
    }

    /// Asks the upstreams.
    func ask() async {
        await resolver.checkUpstreams()
        hasAsked = true
    }

    /// Who is known by this network as a DNS server and answers. Those that were named with `--upstream` are meant, and a
    /// forwarder asks here.
    func search() async {
        let meant =
            options.upstream.compactMap { $0.server.address?.ipAddress } + options.localUpstream.map(\.host)
            + options.forwarder.compactMap { ClientAddress($0)?.text }
        let told = machine.otherServers().filter { !meant.contains($0) }
        let addresses = told.compactMap { text in
            (try? SocketAddress(ipAddress: text, port: 53)).map { (text: text, address: $0) }
        }
        let answering = await resolver.answering(addresses.map(\.address))
        otherServers = addresses.filter { answering.contains($0.address) }.map(\.text)
    }

    /// Looks at the machine, and says on the board what is known of everything.
    func look() async {
        let now = clock.now()
        let upstreams = resolver.upstreamTroubles.map { HouseFacts.Upstream($0.server, $0.trouble, at: now) }
        let shown = Listening(machine.addresses(), options).shown
        // Without a network there is only loopback left, which is no address of anybody.
        let isTold = options.address != nil || !(shown.hasPrefix("127.") || shown == "::1")
        let place = store.notePlace(
            address: isTold ? shown : nil, upstreams: upstreams.map(\.address), at: now)
        store.take(facts(at: now, place: place, upstreams))
    }

    private func facts(
        at now: Date, place: KnownPlace, _ upstreams: [HouseFacts.Upstream]
    ) -> HouseFacts {
        var facts = MachineFacts.of(machine, directory: options.place.directory, at: now)
        facts.runningSince = startedAt
        facts.place = place
        facts.isPlaceKnown = true
        if hasAsked { facts.upstreams = upstreams }
        let offered = machine.resolversNow()
        if options.upstream.isEmpty, !offered.isEmpty, offered != machine.resolvers {
            facts.offered = offered
        }
        facts.otherServers = otherServers
        // Only a router may have been meant to be believed; anybody can claim to ask for another.
        facts.unbelieved = condition.unbelieved.intersection(Surroundings.routers(machine)).sorted()
        facts.damage = [store.damage(at: now)].compactMap { $0 }
        facts.backup?.failure = condition.backupFailure
        facts.gateway = condition.refused(by: Gateway.part)
        facts.refused = condition.refused.filter { facts.gateway?.contains($0) != true }
        return facts
    }
}

/// What can be known without a server.
enum MachineFacts {
    static func of(_ machine: Machine, directory: String, at now: Date) -> HouseFacts {
        HouseFacts(
            now: now,
            disk: DiskSpace.at(directory).map {
                HouseFacts.Disk(free: $0.free, total: $0.total, isReadOnly: $0.isReadOnly)
            },
            isClockSynchronised: machine.isClockSynchronised(),
            backup: HouseFacts.Backup(latest: HouseholdStore.latestBackup(in: directory, at: now)))
    }
}

extension HouseFacts.Upstream {
    /// What DNS knows of a server, with instants instead of durations.
    fileprivate init(_ server: UpstreamServer, _ trouble: UpstreamTrouble?, at now: Date) {
        func since(_ lasts: TimeAmount) -> Date { now - TimeInterval(lasts.nanoseconds / 1_000_000_000) }
        let known: Trouble? =
            switch trouble {
            case .silent(let lasts): .silent(since: since(lasts))
            case .fruitless(let lasts): .fruitless(since: since(lasts))
            case .loops: .loops
            case nil: nil
            }
        self.init(address: server.description, known)
    }
}
