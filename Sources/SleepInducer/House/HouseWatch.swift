import DNS
import Foundation
import LocalNetwork
import Logging
import NIOCore
import Policy
import Store

/// Looks after what changes behind a household's back, every few seconds, and says it on the store's board (issue 5,
/// "When things change"). Servers are asked once a minute, other servers of the network once an hour.
actor HouseWatch {
    private let store: HouseholdStore
    private let clock: WallClock
    private let machine: Machine
    private let options: ServeCommand
    private let condition: Condition
    private let resolver: DNS.Resolver
    private let startedAt: Date

    private var probedAt: Date?
    private var searchedAt: Date?
    private var otherServers: [String]?

    /// Seconds between two looks, two questions to an upstream, two searches for other servers.
    private static let pause: TimeInterval = 10
    private static let probing: TimeInterval = 60
    private static let searching: TimeInterval = 3600

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

    /// Works until its task is cancelled.
    func run() async {
        var looked = Date.distantPast
        while !Task.isCancelled {
            await clock.sleep(clock.now().addingTimeInterval(1))
            let now = clock.now()
            guard abs(now.timeIntervalSince(looked)) >= Self.pause, !Task.isCancelled else { continue }
            looked = now
            let isDue = Self.isDue(probedAt ?? startedAt, after: Self.probing, at: now)
            if isDue { await ask() }
            await look()
        }
    }

    /// Everything anew, for `doctor`.
    func lookNow() async -> [HealthLine] {
        resolver.lookForLoops()
        await ask()
        await search()
        await look()
        return store.notices.lines
    }

    /// A clock that was set makes nobody wait longer.
    private static func isDue(_ last: Date, after seconds: TimeInterval, at now: Date) -> Bool {
        abs(now.timeIntervalSince(last)) >= seconds
    }

    private func ask() async {
        await resolver.checkUpstreams()
        let now = clock.now()
        probedAt = now
        if searchedAt.map({ Self.isDue($0, after: Self.searching, at: now) }) ?? true { await search() }
    }

    /// Who is known by this network as a DNS server and answers. Those that were named with `--upstream` are meant, and a
    /// forwarder asks here.
    private func search() async {
        let meant =
            options.upstream.compactMap { $0.server.address?.ipAddress } + options.localUpstream.map(\.host)
            + options.forwarder.compactMap { ClientAddress($0)?.text }
        let told = machine.otherServers().filter { !meant.contains($0) }
        let addresses = told.compactMap { text in
            (try? SocketAddress(ipAddress: text, port: 53)).map { (text: text, address: $0) }
        }
        let answering = await resolver.answering(addresses.map(\.address))
        otherServers = addresses.filter { answering.contains($0.address) }.map(\.text)
        searchedAt = clock.now()
    }

    private func look() async {
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
        if probedAt != nil { facts.upstreams = upstreams }
        let offered = machine.resolversNow()
        if options.upstream.isEmpty, !offered.isEmpty, offered != machine.resolvers {
            facts.offered = offered
        }
        facts.otherServers = otherServers
        // Only a router may have been meant to be believed; anybody can claim to ask for another.
        facts.unbelieved = condition.unbelieved(at: now).intersection(Surroundings.routers(machine)).sorted()
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
