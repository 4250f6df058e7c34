package import DNS
package import Directory
package import Foundation
package import Logging
package import Policy
package import Store
import Synchronization

/// Turns DNS counts into minutes of use: in memory at once, on disk when it is told to.
package final class UsageCollector: Sendable {
    struct State {
        var recorder = UsageRecorder()
        var meter = RelayMeter()
        var spans: RelayedSpans
        var ledger: UsageLedger
        var latest = LatestTotals()
        /// The household's revision that is known here.
        var followed: Int?
        var devices: [Device] = []
        var directory = DeviceDirectory()
        var owners: [Int64: Owner] = [:]
        /// What the household's other machines are told of next; nil: there are none.
        var untold: [UsageHit.Kept: UsageHit]?
        /// When what they were told lately was asked.
        var told: [UsageHit.Kept: Date] = [:]
        var limits: [PersonID: [UsageLimit]] = [:]
    }

    struct Owner {
        var device: DeviceID
        var person: PersonID
        var isTrying: Bool
    }

    let store: HouseholdStore
    let catalog: Catalog
    let clock: WallClock
    private let tags: TagBook
    private let neighbours: @Sendable () -> Neighbours
    private let logger: Logger
    let state: Mutex<State>
    /// Held while rows are written: what another machine counted must not fall between taking and writing them.
    let writing = Mutex(())

    /// Loads the stored minutes and continues the runs of use that were going on when the server stopped.
    ///
    /// - Parameter neighbours: who has which hardware address.
    package init(
        store: HouseholdStore, catalog: Catalog, clock: WallClock, tags: TagBook,
        neighbours: @escaping @Sendable () -> Neighbours = { Neighbours() }, logger: Logger
    ) {
        self.neighbours = neighbours
        self.store = store
        self.catalog = catalog
        self.clock = clock
        self.tags = tags
        self.logger = logger
        let now = clock.now()
        var stored: [[HourMask]] = []
        do { stored = try store.usageHours(latest: UsageLedger.hoursKept, at: now) } catch {
            logger.warning("Usage could not be read", metadata: ["error": "\(error)"])
        }
        let all = catalog.adding(store.household.ownApps).counting(store.household.productiveDomains)
        var state = State(
            spans: RelayedSpans(at: now), ledger: UsageLedger(stored))
        state.recorder.resume(state.ledger, in: all, at: now)
        self.state = Mutex(state)
    }

    /// The use of the household's limits; cheap, callable from any thread.
    package func totals(for household: Household, catalog: Catalog, at now: Date) -> UsageTotals {
        state.withLock { state in
            state.latest.totals(of: state.ledger, for: household, catalog: catalog, at: now)
        }
    }

    /// The minutes that limits ask for, from memory, up to date to the second.
    package var ledger: UsageLedger { state.withLock { $0.ledger } }

    /// Whether the household changed since this last followed it.
    var isOutdated: Bool {
        let revision = store.revision
        return state.withLock { $0.followed != revision }
    }

    /// Adds new counts; returns whether any person's minutes changed.
    package func note(_ counts: [Count]) -> Bool {
        if counts.isEmpty, !isOutdated { return false }
        let (household, revision) = store.numbered
        let now = clock.now()
        let zone = CivilZone(household.timeZone) ?? .utc
        let neighbours = neighbours()
        return state.withLock { state in
            state.follow(household, revision, in: catalog, at: now)
            var differs = false
            for count in counts {
                guard let entry = tags.entry(of: count.tag) else { continue }
                for owner in state.owners(of: count.client, neighbours) {
                    // A domain counts only for people who chose it.
                    if entry.category == Category.domain.id,
                        household[person: owner.person]?.verified.productive?.counts(domain: entry.app)
                            != true
                    {
                        continue
                    }
                    // During a try, people open blocked names on purpose.
                    if count.blocked, owner.isTrying { continue }
                    let hit = UsageHit(
                        device: owner.device, person: owner.person, app: entry.app, category: entry.category,
                        kind: entry.kind, isBlocked: count.blocked, instant: now)
                    state.keep(hit)
                    if state.count(hit, in: zone) { differs = true }
                }
            }
            return differs
        }
    }

    /// Adds newly relayed bytes; returns whether any person's minutes changed.
    ///
    /// Counts only apps that a person has relayed as a whole. Of other apps, only connections from an old answer or for
    /// a part of the app pass here, which says nothing about an hour.
    package func note(_ relayed: [Relayed]) -> Bool {
        guard !relayed.isEmpty else { return false }
        let now = clock.now()
        let (household, revision) = store.numbered
        let neighbours = neighbours()
        return state.withLock { state in
            state.follow(household, revision, in: catalog, at: now)
            var differs = false
            for moved in relayed {
                for owner in state.owners(of: moved.client, neighbours)
                where state.spans.contains(moved.app, of: owner.person) {
                    let change = state.meter.note(
                        moved.bytes, of: moved.app, on: owner.device, by: owner.person, at: now)
                    if let change, state.ledger.apply(change, source: .relay) { differs = true }
                }
            }
            return differs
        }
    }

    /// Forgets what no limit needs any more.
    package func forget(at now: Date, isSynchronised: Bool) {
        state.withLock { $0.ledger.forget(at: now, isSynchronised: isSynchronised) }
    }

    /// Writes what is new. What the disk refuses stays in memory, and is written when the disk works again.
    package func write() {
        let zone = CivilZone(store.household.timeZone) ?? .utc
        writing.withLock { _ in
            let batch = state.withLock { $0.ledger.takeUnwritten(in: zone) }
            guard !batch.isEmpty else { return }
            do { try store.recordUsage(batch, at: clock.now()) } catch {
                state.withLock { $0.ledger.putBack(batch) }
                logger.warning(
                    "Usage could not be written; counting goes on", metadata: ["error": "\(error)"])
            }
        }
    }
}

extension UsageCollector.State {
    /// Counts a look-up, of this machine or of another; returns whether any person's minutes changed.
    mutating func count(_ hit: UsageHit, in zone: CivilZone) -> Bool {
        switch recorder.note(hit) {
        case .nothing: return false
        case .use(let change): return use(change)
        case .attempt:
            ledger.attempt(on: hit.app, by: hit.person, on: zone.date(of: hit.instant))
            return false
        }
    }

    /// Follows the latest household: who owns which address, and what is relayed.
    mutating func follow(_ household: Household, _ revision: Int, in catalog: Catalog, at now: Date) {
        guard revision != followed else { return }
        followed = revision
        spans.follow(household, in: catalog, at: now)
        ledger.follow(Set(household.people.map(\.id)))
        limits = Dictionary(household.people.map { ($0.id, $0.limits.list) }) { first, _ in first }
        guard household.devices != devices else { return }
        devices = household.devices
        directory = household.directory
        owners = devices.reduce(into: [:]) { owners, device in
            owners[device.id.rawValue] = device.countsFor.map {
                UsageCollector.Owner(device: device.id, person: $0, isTrying: device.tryUntil != nil)
            }
        }
    }

    /// The people whose use it is: the person of the device; if that is unknown, everybody whose device it may be, because all of
    /// their rules apply.
    fileprivate func owners(of client: ClientAddress, _ neighbours: Neighbours) -> [UsageCollector.Owner] {
        let answer = directory.answer(client, neighbours[client])
        if let own = answer.device.flatMap({ owners[$0] }) { return [own] }
        var people: Set<PersonID> = []
        return answer.rules.compactMap { owners[$0] }.filter { people.insert($0.person).inserted }
    }
}

extension UsageCollector.State {
    /// Applies a change from look-ups. In an hour with relayed minutes, look-ups from after relaying are added to
    /// those, or they would count for nothing until the next hour; no minute counts twice.
    fileprivate mutating func use(_ change: UsageChange) -> Bool {
        let differs = ledger.apply(change)
        guard let rest = spans.rest(of: change) else { return differs }
        return ledger.apply(rest, source: .relay, where: true) || differs
    }
}

extension UsageRecorder {
    /// Continues every run that may still go on.
    fileprivate mutating func resume(_ ledger: UsageLedger, in catalog: Catalog, at now: Date) {
        for (mask, minute) in ledger.lastMinutes() where mask.source == .dns {
            guard let category = catalog.app(id: mask.app)?.category,
                now.timeIntervalSince1970 - Double(minute * 60) <= Double(UsageRule.pause(in: category)) + 60
            else { continue }
            resume(
                device: mask.device, person: mask.person, app: mask.app, category: category,
                lastMinute: minute)
        }
    }
}
