import Foundation

extension Snapshot {
    /// A verdict as people are told it. Behind the end of a reached limit another layer may hold the name, as a night
    /// does at midnight: then `until` is the instant at which nothing does, if nobody changes anything; nil if no such
    /// instant is planned. `resetsAt` is the bedtime or the window's end, if that comes first.
    package func told(_ verdict: NameVerdict, of name: String) -> NameVerdict {
        guard let person = verdict.person else { return verdict }
        var told = verdict
        if verdict.block?.layer == .windows, household[person: person]?.antiRot.otherSets.isEmpty == false {
            told.block?.until = windowsOpening(of: name, person: person)
        }
        guard verdict.block?.layer == .limits else { return told }
        told.block?.until = opening(of: name, person: person)
        if let limit = told.limit, let closing = closing(of: name, person: person), closing < limit.resetsAt {
            told.limit?.resetsAt = closing
        }
        return told
    }

    private func opening(of name: String, person id: PersonID) -> Date? {
        let folded = DomainName.folded(name)
        let held =
            verdicts[id]?.blocks.filter { $0.layer == .limits && covers(.block($0, of: id), folded) } ?? []
        var end = held.compactMap(\.until).max()
        // A night, a window, and the next night: more than that is no plan.
        for _ in 0..<8 {
            guard let instant = end, instant > self.instant else { return nil }
            guard let block = future(instant, usage: .none).verdict(of: name, person: id).block else {
                return instant
            }
            end = block.until.flatMap { $0 > instant ? $0 : nil }
        }
        return nil
    }

    /// When the last set with the name opens; nil if the sets that have it are never open together.
    private func windowsOpening(of name: String, person id: PersonID) -> Date? {
        let folded = DomainName.folded(name)
        var (later, end) = (self, Date?.none)
        // A week of two windows a day: more than that is no plan.
        for _ in 0..<14 {
            let held = later.verdicts[id]?.blocks.filter {
                $0.layer == .windows && covers(.block($0, of: id), folded)
            }
            guard let last = held?.first else { return end }
            guard let until = last.until, until > later.instant else { return nil }
            end = until
            later = future(until, usage: .none)
        }
        return nil
    }

    private func closing(of name: String, person id: PersonID) -> Date? {
        [verdicts[id]?.nextBlock, verdicts[id]?.nextStart].compactMap { $0 }.sorted().first { next in
            let block = future(next, usage: usage).verdict(of: name, person: id).block
            return block.map { $0.layer < .limits } ?? false
        }
    }

    /// The same household at a later instant, if nobody changes anything.
    private func future(_ later: Date, usage: UsageTotals) -> Snapshot {
        var household = household
        _ = household.settle(at: later, usage: usage, newID: UUID.init)
        return Snapshot(
            revision: revision, instant: later, household: household, catalog: catalog,
            verdicts: household.evaluate(at: later, usage: usage), usage: usage, after: self)
    }
}
