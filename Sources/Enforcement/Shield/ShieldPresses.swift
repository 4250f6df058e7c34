import Foundation
package import Logging
package import Policy
package import Shield
package import Store

/// Carries out the buttons of a limit's shield, one press after the other, off the event loops.
package actor ShieldPresses {
    private let store: HouseholdStore
    private let clock: WallClock
    private let latest: LatestSnapshot
    private let applied: AppliedRevision
    private let logger: Logger

    package init(
        store: HouseholdStore, clock: WallClock, latest: LatestSnapshot, applied: AppliedRevision,
        logger: Logger
    ) {
        self.store = store
        self.clock = clock
        self.latest = latest
        self.applied = applied
        self.logger = logger
    }

    /// Returns when the change is on the disk and DNS answers by it.
    package func take(_ action: ShieldAction, on page: ShieldContext) async -> ShieldOutcome {
        do {
            // Anybody can enroll a device: until it is confirmed, it presses nothing for the person whom it named.
            guard page.verdict.device.flatMap({ store.household[device: $0] })?.isConfirmed == true else {
                throw Refusal.deviceUnconfirmed
            }
            switch action {
            case .done: try noteSuggestionTaken(page)
            case .unlock: try unlock(page)
            case .ask: try ask(page)
            }
            await applied.reach(store.revision)
            return .done
        } catch Refusal.reasonTooLong {
            return .refusedReason(Refusal.reasonTooLong.message)
        } catch let refusal as Refusal {
            return .refused(refusal.message)
        } catch {
            logger.error("A press on the shield could not be saved", metadata: ["error": "\(error)"])
            return .unsaved
        }
    }

    private func noteSuggestionTaken(_ page: ShieldContext) throws {
        let app = page.verdict.limit?.targetName ?? page.verdict.app?.name ?? ""
        try store.append(
            LogEntry(
                .suggestionTaken, person: page.verdict.person, device: page.verdict.device, at: clock.now(),
                detail: app))
    }

    /// Opens the app or category whose limit the shield names, if limits are the only layer that blocks the Host.
    private func unlock(_ page: ShieldContext) throws {
        try press(page) { household, person, limit, usage, catalog, now in
            switch limit.unlock {
            case .notOffered: return nil
            case .usedUp: throw Refusal.unlocksUsedUp
            case .offered:
                try household.grantProbation(
                    person, target: limit.target, unique: UUID(), catalog: catalog, usage: usage,
                    at: now)
                return LogEntry(
                    .unlocked, person: person, device: page.verdict.device, at: now, detail: limit.targetName)
            }
        }
    }

    /// Asks for more time for the limit that blocks the app. Does not ask again while a question is open or after a no.
    private func ask(_ page: ShieldContext) throws {
        try press(page) { household, person, limit, usage, catalog, now in
            guard limit.canAsk else { return nil }
            if let known = limit.request, known.answer != .granted { return nil }
            try household.askForTime(
                person, target: limit.target, reason: page.reason, device: page.verdict.device,
                request: UUID(), catalog: catalog, usage: usage, at: now)
            return LogEntry(
                .timeAsked, person: person, device: page.verdict.device, at: now, detail: limit.targetName)
        }
    }

    private typealias Rule = (
        inout Household, PersonID, LimitShield, UsageTotals, Catalog, Date
    ) throws -> LogEntry?

    /// Runs a rule on the household as it is now, if a limit still blocks the name for the person who pressed.
    private func press(_ page: ShieldContext, _ rule: Rule) throws {
        guard let known = latest.value, let person = page.verdict.person else { return }
        let now = clock.now()
        try store.change { household, log in
            household.settle(at: now, usage: known.usage, log: &log, newID: UUID.init)
            let present = Snapshot(
                revision: known.revision, instant: now, household: household, catalog: known.catalog,
                verdicts: household.evaluate(at: now, usage: known.usage), usage: known.usage)
            let verdict = latest.verdict(of: page.name, at: page.address, in: present)
            guard verdict.person == person, let limit = verdict.limit,
                limit.app.id == page.verdict.limit?.app.id
            else { return }
            if let entry = try rule(&household, person, limit, known.usage, known.catalog, now) {
                log.append(entry)
            }
        }
    }
}
