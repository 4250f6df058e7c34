import Foundation
import Pages
import Policy
import Store

/// What every feature uses to reach the household: read it, change it by a command, render a page.
struct Desk: Sendable {
    let store: HouseholdStore
    let clock: WallClock
    /// As shipped, without the household's own apps.
    let catalog: Catalog
    let renderer: PageRenderer
    let configuration: HomeSite.Configuration
    /// The latest snapshot, and all viewers.
    let feed: LiveFeed
    /// Seconds of a clock that never goes back, for pauses.
    let uptime: @Sendable () -> Double
    let answers = AnswerPresses()
    let keptForms = KeptForms()
}

extension Desk {
    /// The origin for links in this answer: the reverse proxy's if the reader came by its name, else this machine's,
    /// which every phone at home reaches.
    var pages: String { Caller.current?.through?.pages ?? configuration.address }

    /// Runs one rule as one transaction. The household is brought to the present before and after it. The log notes
    /// which rules it changed, and who did it. Throws `Overtaken` if the request was made for another revision.
    @discardableResult
    func command<T>(keeping: Keeping = .onDisk, _ rule: Rule<T>) throws -> T {
        let (now, usage, basis) = (clock.now(), feed.snapshot.usage, Caller.current?.basis)
        let result = try store.change(keeping: keeping) { household, log in
            try basis?.check(store.revision)
            return try run(rule, at: now, usage, &household, &log)
        }
        basis?.passed()
        return result
    }

    typealias Rule<T> = (inout Household, inout [LogEntry], Date) throws -> T

    private func run<T>(
        _ rule: Rule<T>, at now: Date, _ usage: UsageTotals, _ household: inout Household,
        _ log: inout [LogEntry]
    ) throws -> T {
        household.settle(at: now, usage: usage, log: &log, newID: UUID.init)
        let (before, start) = (household, log.count)
        let result = try rule(&household, &log, now)
        log.attribute(
            from: start, to: Caller.current.map { Hand($0, in: before) },
            changes: household.ruleChanges(since: before), at: now)
        // A schedule that was saved during its own night takes effect at once, and not before.
        household.settle(
            at: now, usage: usage, before: before, log: &log, newID: UUID.init)
        return result
    }
}
