import Foundation

/// Minutes that an adult gives for today without being asked: for one limit, or for all limits of a person.
package struct Bonus: Hashable, Sendable {
    /// Whole minutes.
    package static let range = 1...720
    /// The buttons.
    package static let proposed = [15, 30, 60]

    package var minutes: Int
    /// Nil: every limit.
    package var target: LimitTarget?

    package init(minutes: Int, target: LimitTarget? = nil) {
        self.minutes = minutes
        self.target = target
    }
}

extension Household {
    /// Gives minutes from now on, for the rest of the day of limits, as a grant does. An adult who chose to wait before
    /// rules get easier waits.
    mutating func give(
        _ bonus: Bonus, to id: PersonID, usage: UsageTotals, at now: Date
    ) throws(Refusal) {
        let index = try index(of: id)
        let person = people[index]
        guard Bonus.range.contains(bonus.minutes) else { throw .bonusOutOfRange }
        if person.role == .adult { try guardWaiting { $0.id == id } }
        let states = person.limitStates(at: now, in: zone, usage: usage).filter {
            bonus.target == nil || $0.limit.target == bonus.target
        }
        guard !states.isEmpty else { throw .unknownLimit }
        let day = person.limits.day(at: now, in: zone).date
        for state in states { people[index].limits.grant(bonus.minutes, over: state, on: day) }
    }
}

extension Person {
    /// Whether somebody can give them minutes: they have a limit, and it may get easier at once.
    package var takesBonus: Bool {
        !limits.list.isEmpty && (role == .child || looseningDelay == 0)
    }
}
