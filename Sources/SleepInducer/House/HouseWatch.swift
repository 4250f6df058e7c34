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
    private let upstreams: [UpstreamServer]
    /// Encrypted upstreams that the household's own questions found silent and that leave one more unanswered: their
    /// connections are the resolver's.
    private let foundSilent: @Sendable () async -> Set<UpstreamServer>
    private let group: any EventLoopGroup
    private let startedAt: Date

    private var probedAt: Date?
    private var searchedAt: Date?
    /// Since when an upstream has not answered, and how often it was asked in vain.
    private var silent: [UpstreamServer: (since: Date, times: Int)] = [:]
    private var otherServers: [String]?

    /// Seconds between two looks, two questions to an upstream, two searches for other servers.
    private static let pause: TimeInterval = 10
    private static let probing: TimeInterval = 60
    private static let searching: TimeInterval = 3600

    init(
        store: HouseholdStore, clock: WallClock, machine: Machine, options: ServeCommand,
        condition: Condition, upstreams: [UpstreamServer],
        foundSilent: @escaping @Sendable () async -> Set<UpstreamServer>, group: any EventLoopGroup
    ) {
        self.store = store
        self.clock = clock
        self.machine = machine
        self.options = options
        self.condition = condition
        self.upstreams = upstreams
        self.foundSilent = foundSilent
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
            look()
        }
    }

    /// Everything anew, for `doctor`.
    func lookNow() async -> [HealthLine] {
        await ask()
        await search()
        look()
        return store.notices.lines
    }

    /// A clock that was set makes nobody wait longer.
    private static func isDue(_ last: Date, after seconds: TimeInterval, at now: Date) -> Bool {
        abs(now.timeIntervalSince(last)) >= seconds
    }

    /// One question that is lost is no silence: it takes two looks.
    private func ask() async {
        let plain = upstreams.filter(\.isPlain).compactMap(\.address)
        async let found = foundSilent()
        let answers = await ServerProbe.ask(plain, group: group)
        let mute = await found
        let now = clock.now()
        for upstream in upstreams {
            let code = upstream.address.flatMap { answers[$0] }
            if upstream.isPlain ? code.map(ServerProbe.isUseful) == true : !mute.contains(upstream) {
                silent[upstream] = nil
            } else {
                silent[upstream] = (silent[upstream]?.since ?? now, (silent[upstream]?.times ?? 0) + 1)
            }
        }
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

    private func look() {
        let now = clock.now()
        let texts = upstreams.map(Self.text)
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
        if probedAt != nil {
            facts.upstreams = upstreams.map { upstream in
                let since = silent[upstream].flatMap { $0.times > 1 ? $0.since : nil }
                return HouseFacts.Upstream(address: Self.text(upstream), silentSince: since)
            }
        }
        let offered = machine.resolversNow()
        if options.upstream.isEmpty, !offered.isEmpty, offered != machine.resolvers {
            facts.offered = offered
        }
        facts.otherServers = otherServers
        // Only a router may have been meant to be believed; anybody can claim to ask for another.
        facts.unbelieved = condition.unbelieved(at: now).intersection(Surroundings.routers(machine)).sorted()
        facts.backup?.failure = condition.backupFailure
        facts.gateway = condition.refused(by: Gateway.part)
        facts.refused = condition.refused.filter { facts.gateway?.contains($0) != true }
        return facts
    }

    /// `9.9.9.9`, and with its port where that is another than DNS has; `tls://9.9.9.9:853`.
    private static func text(_ upstream: UpstreamServer) -> String {
        guard upstream.isPlain, let place = upstream.address else { return upstream.description }
        let address = place.ipAddress ?? ""
        guard let port = place.port, port != 53 else { return address }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}

/// What can be known without a server.
enum MachineFacts {
    static func of(_ machine: Machine, directory: String, at now: Date) -> HouseFacts {
        HouseFacts(
            now: now,
            disk: DiskSpace.at(directory).map { HouseFacts.Disk(free: $0.free, total: $0.total) },
            isClockSynchronised: machine.isClockSynchronised(),
            backup: HouseFacts.Backup(latest: HouseholdStore.latestBackup(in: directory)))
    }
}
