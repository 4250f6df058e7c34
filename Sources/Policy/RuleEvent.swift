package import Foundation

/// What settling did to a person's rules beside their sessions, for their log.
package struct RuleEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The minutes of a target were used up (TH-008).
        case limitReached(LimitTarget)
        /// A change that waited holds from now on.
        case tookEffect(PendingChange.Change)
        /// They left on a device; it had waited.
        case left(DeviceID)
    }

    package var kind: Kind
    package var person: PersonID
    /// When it was due, which can be before it was noticed.
    package var instant: Date

    package init(kind: Kind, person: PersonID, instant: Date) {
        self.kind = kind
        self.person = person
        self.instant = instant
    }
}

extension Household {
    /// What a `settle` at `now` did to the rules, told from the household as it was before. A limit that was reached
    /// already, and one whose week goes on being used up, is not told again.
    package func ruleEvents(since old: Household, at now: Date) -> [RuleEvent] {
        people.flatMap { person -> [RuleEvent] in
            guard let before = old[person: person.id] else { return [] }
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
        } + departures(since: old)
    }

    private func departures(since old: Household) -> [RuleEvent] {
        devices.compactMap { device in
            guard let left = device.left, let before = old[device: device.id], before.left == nil,
                before.departure != nil
            else { return nil }
            return RuleEvent(kind: .left(device.id), person: left.person, instant: left.at)
        }
    }
}
