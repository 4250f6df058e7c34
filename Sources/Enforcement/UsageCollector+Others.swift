package import Foundation
package import Policy
import Store
import Synchronization

/// A device may ask another machine of the household at any time. Each machine counts what all of them were asked, so that
/// each knows every minute once.
extension UsageCollector {
    /// How old a look-up of another machine may be and still count at its own instant, in seconds.
    private static let patience: TimeInterval = 12
    /// A bound on what is told at once.
    static let mostTold = 2_000

    /// From now on `takeHits` tells what was asked here.
    package func beginTelling() { state.withLock { $0.untold = [:] } }

    /// What was asked here since the last call, for the other machines; nil: nothing. Call it every ten seconds.
    package func takeHits() -> Data? {
        let hits = state.withLock { state -> [UsageHit] in
            guard let hits = state.untold, !hits.isEmpty else { return [] }
            state.untold = [:]
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
    /// The first of several look-ups of a name within seconds says all.
    mutating func keep(_ hit: UsageHit) {
        if hit.kind == .other { return }
        guard let count = untold?.count, count < UsageCollector.mostTold else { return }
        let kept = UsageHit.Kept(hit)
        if untold?[kept] == nil { untold?[kept] = hit }
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
