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
    private let resolver: UpstreamWatch.Resolver
    private let group: any EventLoopGroup
    private let startedAt: Date

    private var probedAt: Date?
    private var searchedAt: Date?
    private var upstreams: UpstreamWatch
    private var otherServers: [String]?

    /// Seconds between two looks, two questions to an upstream, two searches for other servers.
    private static let pause: TimeInterval = 10
    private static let probing: TimeInterval = 60
    private static let searching: TimeInterval = 3600

    init(
        store: HouseholdStore, clock: WallClock, machine: Machine, options: ServeCommand,
        condition: Condition, upstreams: [UpstreamServer],
        resolver: UpstreamWatch.Resolver, group: any EventLoopGroup
    ) {
        self.store = store
        self.clock = clock
        self.machine = machine
        self.options = options
        self.condition = condition
        self.upstreams = UpstreamWatch(upstreams)
        self.resolver = resolver
        self.group = group
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
        await resolver.lookForLoops()
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
        if upstreams.mayLoop { await resolver.lookForLoops() }
        async let mute = resolver.silent()
        let answers = await ServerProbe.ask(upstreams.plain, group: group)
        let now = clock.now()
        upstreams.take(answers, mute: await mute, use: await resolver.use(), at: now)
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
        let answers = await ServerProbe.ask(addresses.map(\.address), group: group)
        otherServers = addresses.filter { answers[$0.address] != nil }.map(\.text)
        searchedAt = clock.now()
    }

    private func look() async {
        upstreams.take(looping: await resolver.looping())
        let now = clock.now()
        let texts = upstreams.all.map(UpstreamWatch.text)
        let shown = Listening(machine.addresses(), options)
            .shown
        // Without a network there is only loopback left, which is no address of anybody.
        let isTold = options.address != nil || !(shown.hasPrefix("127.") || shown == "::1")
        let place = store.notePlace(address: isTold ? shown : nil, upstreams: texts, at: now)
        store.take(facts(at: now, place: place))
    }

    private func facts(at now: Date, place: KnownPlace) -> HouseFacts {
        var facts = MachineFacts.of(machine, directory: options.place.directory, at: now)
        facts.runningSince = startedAt
        facts.place = place
        facts.isPlaceKnown = true
        if probedAt != nil { facts.upstreams = upstreams.facts }
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
