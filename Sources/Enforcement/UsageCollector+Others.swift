package import Foundation
package import Policy
import Store
import Synchronization

/// A device may ask another machine of the household at any time. Each machine counts what all of them were asked, so that
/// each knows every minute once.
extension UsageCollector {
    /// How old a look-up of another machine may be and still count at its own instant, in seconds.
    private static let patience: TimeInterval = 35
    /// For how many seconds a look-up says all that the same one says later: use goes on over such a pause.
    fileprivate static let echo: TimeInterval = 50
    /// A bound on what is told at once.
    static let mostTold = 2_000

    /// From now on `takeHits` tells what was asked here.
    package func beginTelling() { state.withLock { $0.untold = [:] } }

    /// What was asked here and the other machines do not know; nil: nothing. Call it every half minute: each time, the disk
    /// of every member of etcd is written on.
    package func takeHits() -> Data? {
        let now = clock.now()
        let hits = state.withLock { state -> [UsageHit] in
            guard let hits = state.untold, !hits.isEmpty else { return [] }
            // What goes on is told once a minute.
            let isNew = hits.keys.contains { state.told[$0] == nil }
            let latest = state.told.values.max() ?? .distantPast
            guard isNew || now.timeIntervalSince(latest) >= Self.echo else { return [] }
            state.untold = [:]
            state.told = state.told.filter { now.timeIntervalSince($0.value) < 3 * Self.echo }
                .merging(hits.mapValues(\.instant)) { $1 }
            return hits.values.sorted { $0.instant < $1.instant }
        }
        return hits.isEmpty ? nil : try? JSONEncoder().encode(hits)
    }

    /// Counts what another machine was asked; returns whether any person's minutes changed. What cannot be read is
    /// nothing.
    package func hear(_ told: Data) -> Bool {
        guard let hits = try? JSONDecoder().decode([UsageHit].self, from: told) else { return false }
        let now = clock.now()
        let (household, revision) = store.numbered
        let zone = CivilZone(household.timeZone) ?? .utc
        let people = Set(household.people.map(\.id))
        return state.withLock { state in
            state.follow(household, revision, in: catalog, at: now)
            var differs = false
            for var hit in hits.prefix(Self.mostTold) where people.contains(hit.person) {
                // A wrong clock there, or a delay, must not begin the count anew here.
                hit.instant = min(max(hit.instant, now - Self.patience), now)
                if state.count(hit, in: zone) { differs = true }
            }
            return differs
        }
    }
}

extension UsageCollector {
    /// Takes minutes that another machine counted; returns whether any of those changed that limits ask for.
    package func join(_ masks: [HourMask]) throws -> Bool {
        let now = clock.now()
        let (household, revision) = store.numbered
        let people = Set(household.people.map(\.id))
        let oldest = Int(now.timeIntervalSince1970) / 3600 - UsageLedger.hoursKept
        return try writing.withLock { _ in
            try store.joinUsage(masks)
            return state.withLock { state in
                state.follow(household, revision, in: catalog, at: now)
                return state.ledger.join(masks.filter { $0.hour >= oldest && people.contains($0.person) })
            }
        }
    }
}

extension UsageCollector.State {
    /// Only what a limit counts can end anything on another machine. The first of several look-ups of a name says that use
    /// begins, and the last one that it goes on.
    mutating func keep(_ hit: UsageHit) {
        if hit.kind == .other { return }
        guard let count = untold?.count, count < UsageCollector.mostTold,
            limits[hit.person]?.contains(where: { $0.counts(hit.app, in: hit.category) }) == true
        else { return }
        let kept = UsageHit.Kept(hit)
        if let known = told[kept] {
            guard abs(hit.instant.timeIntervalSince(known)) >= UsageCollector.echo else { return }
            untold?[kept] = hit
        } else if untold?[kept] == nil {
            untold?[kept] = hit
        }
    }
}

extension UsageHit {
    /// What tells look-ups apart but for their instants.
    struct Kept: Hashable {
        private let hit: UsageHit

        init(_ hit: UsageHit) {
            var hit = hit
            hit.instant = .distantPast
            self.hit = hit
        }
    }
}
