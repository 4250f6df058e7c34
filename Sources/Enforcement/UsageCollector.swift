package import DNS
package import Foundation
package import Logging
package import Policy
package import Store
import Synchronization

/// Turns what DNS counts into minutes of use: in memory at once, on the disk once a minute.
package final class UsageCollector: Sendable {
    /// Seconds between two writes, at the most a minute is lost.
    private static let writing: TimeInterval = 60

    fileprivate struct State {
        var recorder = UsageRecorder()
        var meter = RelayMeter()
        var spans: RelayedSpans
        var ledger: UsageLedger
        var latest = LatestTotals()
        var devices: [Device] = []
        var owners: [ClientAddress: Owner] = [:]
        var writtenAt: Date
    }

    fileprivate struct Owner {
        var device: DeviceID
        var person: PersonID
        var isTrying: Bool
    }

    private let store: HouseholdStore
    private let catalog: Catalog
    private let clock: WallClock
    private let tags: TagBook
    private let logger: Logger
    private let state: Mutex<State>

    /// Begins with what is stored, and takes up what was in use when the server went down.
    package init(
        store: HouseholdStore, catalog: Catalog, clock: WallClock, tags: TagBook, logger: Logger
    ) {
        self.store = store
        self.catalog = catalog
        self.clock = clock
        self.tags = tags
        self.logger = logger
        let now = clock.now()
        // By a clock that is ahead, today's minutes would be too old to be taken up.
        let trusted = store.trusted(at: now)
        let hour = Int((trusted.timeIntervalSince1970 / 3600).rounded(.down))
        var stored: [HourMask] = []
        do { stored = try store.usageHours(since: hour - UsageLedger.hoursKept) } catch {
            logger.warning("Usage could not be read", metadata: ["error": "\(error)"])
        }
        let all = catalog.adding(store.household.ownApps).counting(store.household.productiveDomains)
        var state = State(
            spans: RelayedSpans(at: now), ledger: UsageLedger(stored), writtenAt: now)
        state.recorder.resume(state.ledger, in: all, at: now)
        self.state = Mutex(state)
    }

    /// What was used of the household's limits; cheap, from any thread.
    package func totals(for household: Household, catalog: Catalog, at now: Date) -> UsageTotals {
        state.withLock { state in
            state.latest.totals(of: state.ledger, for: household, catalog: catalog, at: now)
        }
    }

    /// The minutes of the last nine days as they are in memory, up to the second.
    package var ledger: UsageLedger { state.withLock { $0.ledger } }

    /// Takes what was counted since the last time; returns whether anybody's minutes are different now.
    package func note(_ counts: [Count]) -> Bool {
        let now = clock.now()
        let household = store.household
        let zone = CivilZone(household.timeZone) ?? .utc
        return state.withLock { state in
            state.follow(household, in: catalog, at: now, trusted: store.trusted(at: now))
            var differs = false
            for count in counts {
                guard let owner = state.owners[count.client], let entry = tags.entry(of: count.tag) else {
                    continue
                }
                // A domain is nobody's but theirs who chose it.
                if entry.category == Category.domain.id,
                    household[person: owner.person]?.verified.productive?.counts(domain: entry.app) != true
                {
                    continue
                }
                // Whoever tries it reaches for something on purpose.
                if count.blocked, owner.isTrying { continue }
                let outcome = state.recorder.note(
                    UsageHit(
                        device: owner.device, person: owner.person, app: entry.app, category: entry.category,
                        kind: entry.kind, isBlocked: count.blocked, instant: now))
                switch outcome {
                case .nothing: continue
                case .use(let change): if state.use(change) { differs = true }
                case .attempt: state.ledger.attempt(on: entry.app, by: owner.person, on: zone.date(of: now))
                }
            }
            return differs
        }
    }

    /// Takes what was relayed since the last time; returns whether anybody's minutes are different now.
    ///
    /// Of apps that a person has relayed: of all others only what comes by an old answer passes here, and a part of what
    /// flows says nothing of an hour.
    package func note(_ relayed: [Relayed]) -> Bool {
        guard !relayed.isEmpty else { return false }
        let now = clock.now()
        let household = store.household
        return state.withLock { state in
            state.follow(household, in: catalog, at: now, trusted: store.trusted(at: now))
            var differs = false
            for moved in relayed {
                guard let owner = state.owners[moved.client],
                    state.spans.contains(moved.app, of: owner.person),
                    let change = state.meter.note(
                        moved.bytes, of: moved.app, on: owner.device, by: owner.person, at: now)
                else { continue }
                if state.ledger.apply(change, source: .relay) { differs = true }
            }
            return differs
        }
    }

    /// Writes what is new, if the last time is a minute ago.
    package func writeIfDue() {
        let now = clock.now()
        let isDue = state.withLock { abs(now.timeIntervalSince($0.writtenAt)) >= Self.writing }
        if isDue { write() }
    }

    /// Writes what is new. What a disk refuses is counted on in memory, and written when the disk takes it.
    package func write() {
        let now = clock.now()
        let zone = CivilZone(store.household.timeZone) ?? .utc
        let batch = state.withLock { state in
            state.writtenAt = now
            return state.ledger.takeUnwritten(in: zone)
        }
        guard !batch.isEmpty else { return }
        do { try store.recordUsage(batch, at: now) } catch {
            state.withLock { $0.ledger.putBack(batch) }
            logger.warning("Usage could not be written; it counts on", metadata: ["error": "\(error)"])
        }
    }
}

extension UsageCollector.State {
    /// Whose addresses are whose and what is relayed, by the latest household.
    fileprivate mutating func follow(
        _ household: Household, in catalog: Catalog, at now: Date, trusted: Date
    ) {
        spans.follow(household, in: catalog, at: now)
        ledger.prune(people: Set(household.people.map(\.id)), at: trusted)
        guard household.devices != devices else { return }
        devices = household.devices
        owners = household.deviceByClient().compactMapValues { device in
            device.person.map {
                UsageCollector.Owner(device: device.id, person: $0, isTrying: device.tryUntil != nil)
            }
        }
    }
}

extension UsageCollector.State {
    /// Where look-ups begin to count again in an hour in which something was relayed, what they say is put to what that
    /// said, or it would count for nothing before the next hour; no minute counts twice.
    fileprivate mutating func use(_ change: UsageChange) -> Bool {
        let differs = ledger.apply(change)
        guard let rest = spans.rest(of: change) else { return differs }
        return ledger.apply(rest, source: .relay, where: true) || differs
    }
}

extension UsageRecorder {
    /// Takes up every run that could still go on.
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
