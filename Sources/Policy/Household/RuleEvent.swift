package import Foundation

/// What settling changed in a person's rules, apart from their sessions, for their log.
package struct RuleEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A target's minutes were used up.
        case limitReached(LimitTarget)
        /// A change that waited holds from now on.
        case tookEffect(PendingChange.Change)
        /// The person left on a device, after a wait.
        case left(DeviceID)
        /// Adults are told of a way out on their device.
        case wayOut(SeenWayOut.Kind, DeviceID)
    }

    package var kind: Kind
    package var person: PersonID
    /// When it was due, which can be before the server noticed.
    package var instant: Date
}

extension Household {
    /// What a `settle` at `now` changed in the rules, compared with the household before it. A limit that was reached
    /// before is not told again, nor is a weekly limit that stays used up.
    package func ruleEvents(since old: Household, at now: Date) -> [RuleEvent] {
        changedPeople(since: old).flatMap { before, person -> [RuleEvent] in
            let waiting = Set(person.pending.map(\.id))
            let changes = before.pending.filter { !waiting.contains($0.id) }.map {
                RuleEvent(kind: .tookEffect($0.change), person: person.id, instant: min($0.due, now))
            }
            let reached = person.limits.reached.filter { entry in
                !before.limits.reached.contains { $0.target == entry.target && $0.since == entry.since }
            }
            return changes
                + reached.map {
                    RuleEvent(kind: .limitReached($0.target), person: person.id, instant: $0.since)
                }
        } + departures(since: old) + told(since: old, at: now)
    }

    private func told(since old: Household, at now: Date) -> [RuleEvent] {
        waysOutTold(since: old).compactMap { device, seen in
            device.person.map {
                RuleEvent(kind: .wayOut(seen.kind, device.id), person: $0, instant: min(seen.due, now))
            }
        }
    }

    private func departures(since old: Household) -> [RuleEvent] {
        // By index: to copy ten thousand devices takes longer than to look at them.
        devices.indices.compactMap { index in
            let id = devices[index].id
            guard let left = devices[index].left, let before = old[device: id], before.left == nil,
                before.departure != nil
            else { return nil }
            return RuleEvent(kind: .left(id), person: left.person, instant: left.at)
        }
    }
}
