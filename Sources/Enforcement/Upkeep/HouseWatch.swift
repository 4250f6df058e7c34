package import DNS
package import Foundation
package import LocalNetwork
import NIOCore
package import Policy
package import Store
import Synchronization

/// Looks after what changes behind a household's back, and says it on the store's board.
package actor HouseWatch {
    /// What the command line says that the household means.
    package struct Intent: Sendable {
        /// DNS servers that may answer on this network.
        let servers: [String]
        /// Whether the resolvers that this machine was told of are asked.
        let asksMachinesResolvers: Bool
        /// The household's data.
        let directory: String
        /// The address that people are told now; nil: without a network there is none.
        let address: @Sendable () -> String?

        package init(
            servers: [String], asksMachinesResolvers: Bool, directory: String,
            address: @escaping @Sendable () -> String?
        ) {
            self.servers = servers
            self.asksMachinesResolvers = asksMachinesResolvers
            self.directory = directory
            self.address = address
        }
    }

    private let store: HouseholdStore
    private let clock: WallClock
    private let machine: Machine
    private let intent: Intent
    private let condition: Condition
    private let resolver: DNS.Resolver
    private let startedAt: Date

    /// What was known without a look at the machine, at the last look, and when that was.
    private let looked = Mutex<(known: Known, at: ContinuousClock.Instant)?>(nil)
    private var hasAsked = false
    private var otherServers: [String]?

    package init(
        store: HouseholdStore, clock: WallClock, machine: Machine, intent: Intent, condition: Condition,
        resolver: DNS.Resolver
    ) {
        self.store = store
        self.clock = clock
        self.machine = machine
        self.intent = intent
        self.condition = condition
        self.resolver = resolver
        startedAt = clock.now()
    }

    /// Everything anew, for `doctor`.
    package func lookNow() async -> [HealthLine] {
        resolver.lookForLoops()
        await ask()
        await search()
        await look()
        return store.notices.lines + (condition.machines?.lines(at: clock.now()) ?? [])
    }

    /// Asks the upstreams.
    package func ask() async {
        await resolver.checkUpstreams()
        hasAsked = true
    }

    /// Who is known by this network as a DNS server and answers. Those that the household means are left out.
    package func search() async {
        let told = machine.otherServers().filter { !intent.servers.contains($0) }
        let addresses = told.compactMap { text in
            (try? SocketAddress(ipAddress: text, port: 53)).map { (text: text, address: $0) }
        }
        let answering = await resolver.answering(addresses.map(\.address))
        otherServers = addresses.filter { answering.contains($0.address) }.map(\.text)
    }

    private struct Known: Equatable {
        let revision: Int
        let refused: [String]
        let cutOff: HouseMachines.Fault?
        let refusal: HouseMachines.Fault?
        let strangers: HouseMachines.Strangers?
    }

    private nonisolated var known: Known {
        let machines = condition.machines
        return Known(
            revision: store.revision, refused: condition.refused, cutOff: machines?.cutOff,
            refusal: machines?.refusal, strangers: machines?.strangers)
    }

    /// Whether something is known that the last look did not know, or that look was about half a minute ago.
    package nonisolated var isDue: Bool {
        guard let looked = looked.withLock({ $0 }) else { return true }
        return looked.known != known || looked.at.duration(to: .now) > .seconds(25)
    }

    /// Looks, but returns after a second at the latest: a disk that hangs must not hold a page.
    package nonisolated func lookSoon() async {
        let (end, ends) = AsyncStream<Void>.makeStream()
        Task {
            await look()
            ends.finish()
        }
        let limit = Task {
            try await Task.sleep(for: .seconds(1))
            ends.finish()
        }
        for await _ in end {}
        limit.cancel()
    }

    /// Looks at the machine, and says on the board what is known of everything.
    package func look() async {
        let known = known
        looked.withLock { $0 = (known, .now) }
        let now = clock.now()
        store.lookForWaysOut(at: now)
        let upstreams = resolver.upstreamTroubles.map { HouseFacts.Upstream($0.server, $0.trouble, at: now) }
        let place = store.notePlace(
            address: intent.address(), upstreams: upstreams.map(\.address), at: now)
        store.take(facts(at: now, place: place, upstreams))
    }

    private func facts(
        at now: Date, place: KnownPlace, _ upstreams: [HouseFacts.Upstream]
    ) -> HouseFacts {
        var facts = MachineFacts.of(machine, directory: intent.directory, at: now)
        facts.runningSince = startedAt
        facts.place = place
        facts.isPlaceKnown = true
        if hasAsked { facts.upstreams = upstreams }
        // A line of `resolv.conf` that nobody asks troubles nobody.
        if !intent.asksMachinesResolvers { facts.unusable = [] }
        facts.unusable? += resolver.unreachableUpstreams.map {
            .upstream($0.server.description, missingInterface: $0.interface)
        }
        facts.otherServers = otherServers
        // Only a router may have been meant to be believed; anybody can claim to ask for another.
        facts.unbelieved = condition.unbelieved.intersection(machine.allRouters()).sorted()
        facts.damage = [store.damage(at: now)].compactMap { $0 }
        facts.backup?.failure = condition.backupFailure
        facts.machines = condition.machines
        facts.gateway = condition.refused(by: Gateway.part)
        facts.refused = condition.refused.filter { facts.gateway?.contains($0) != true }
        return facts
    }
}

/// What can be known without a server.
package enum MachineFacts {
    package static func of(_ machine: Machine, directory: String, at now: Date) -> HouseFacts {
        var facts = HouseFacts(
            now: now,
            disk: DiskSpace.at(directory).map {
                HouseFacts.Disk(free: $0.free, total: $0.total, isReadOnly: $0.isReadOnly)
            },
            isClockSynchronised: machine.isClockSynchronised(),
            backup: HouseFacts.Backup(latest: HouseholdStore.latestBackup(in: directory, at: now)))
        facts.unusable = machine.resolution().skipped.map { .line($0) }
        return facts
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
