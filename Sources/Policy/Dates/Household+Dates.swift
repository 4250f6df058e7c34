package import Foundation

// An exception that loosens waits like a change of windows or limits (`Person.make`), and so does taking back one that
// tightened. A running session stays as it is, as with a schedule that is saved.

extension Household {
    /// Adds an exception for some people, all or none; says for each when it holds.
    @discardableResult
    package mutating func addDateException(
        _ exception: DateException, for ids: [PersonID], at now: Date
    ) throws(Refusal) -> [Applied] {
        try exception.check()
        let today = zone.date(of: now)
        guard today <= exception.last else { throw .exceptionOver }
        guard !ids.isEmpty else { throw .nobodyChosen }
        var changed = self
        var applied: [Applied] = []
        for id in ids {
            let index = try changed.index(of: id)
            changed.people[index].dropDateExceptions(before: today)
            guard changed.people[index].plannedDateExceptions.count < DateException.maximumCount else {
                throw .tooManyDateExceptions
            }
            applied.append(
                try changed.change(index, .dateException(exception), id: exception.id, at: now))
        }
        self = changed
        return applied
    }

    /// Takes an exception back, also one that waits: for one person, or for all who have it (nil).
    @discardableResult
    package mutating func removeDateException(
        _ id: UUID, of person: PersonID? = nil, at now: Date
    ) throws(Refusal) -> [PersonID: Applied] {
        var changed = self
        var applied: [PersonID: Applied] = [:]
        for index in people.indices where person == nil || people[index].id == person {
            guard people[index].plannedDateExceptions.contains(where: { $0.id == id }) else { continue }
            applied[people[index].id] = try changed.change(index, .removeDateException(id), id: id, at: now)
        }
        guard !applied.isEmpty else { throw .unknownDateException }
        self = changed
        return applied
    }

    /// Refuses what would end a strict person's sleep earlier.
    private mutating func change(
        _ index: Int, _ change: PendingChange.Change, id: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let before = people[index].asleepUntil(at: now, in: zone)
        let applied = people[index].make(change, id: id, at: now)
        if people[index].isStrict(at: now), let before,
            (people[index].asleepUntil(at: now, in: zone) ?? now) < before
        {
            throw .looseningStrict(of: people[index].name)
        }
        return applied
    }

    /// Everybody's exceptions that are not over, by their first day; each once, with all who have it.
    package func dateExceptions(at now: Date) -> [HeldException] {
        let today = zone.date(of: now)
        var held: [HeldException] = []
        for person in people {
            for exception in person.plannedDateExceptions where today <= exception.last {
                let waits = person.pending.first { $0.change == .dateException(exception) }?.due
                let goes = person.pending.first { $0.change == .removeDateException(exception.id) }?.due
                if let known = held.firstIndex(where: { $0.exception.id == exception.id }) {
                    held[known].people.append(person.id)
                    held[known].waitsUntil = [held[known].waitsUntil, waits].compactMap { $0 }.max()
                    held[known].goesAt = [held[known].goesAt, goes].compactMap { $0 }.max()
                } else {
                    held.append(
                        HeldException(
                            exception: exception, people: [person.id], waitsUntil: waits, goesAt: goes))
                }
            }
        }
        return held.sorted {
            ($0.exception.first, $0.exception.last) < ($1.exception.first, $1.exception.last)
        }
    }
}

/// An exception with the people who have it.
package struct HeldException: Hashable, Sendable {
    package var exception: DateException
    /// In the order of people.
    package var people: [PersonID]
    /// From when on it holds for all of them; nil: now.
    package var waitsUntil: Date?
    /// When the last of them is without it, if it was taken back and that waits.
    package var goesAt: Date?
}

extension Person {
    /// The exceptions as they will be: those that hold, and those that wait.
    package var plannedDateExceptions: [DateException] {
        dateExceptions
            + pending.compactMap {
                if case .dateException(let exception) = $0.change { exception } else { nil }
            }
    }

    /// Drops those whose last night, and last day of limits, is over.
    fileprivate mutating func dropDateExceptions(before today: CivilDate) {
        dateExceptions.removeAll { $0.last.adding(days: 2) < today }
    }
}
