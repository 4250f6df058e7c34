import DNS
package import Foundation
package import Logging
package import NIOCore
package import Policy
package import Store

/// The one loop: on every change and at every due instant it asks Policy what holds, compiles the
/// filter, hands it to DNS and tells the pages and the shield. It works with no page open.
package actor Monitor {
    private let store: HouseholdStore
    private let clock: WallClock
    private let effects: Effects
    private let logger: Logger
    private let uptime: @Sendable () -> NIODeadline
    private let executor: (any TaskExecutor)?
    private var compiler: FilterCompiler
    private let catalog: Catalog
    /// The catalog with the household's own apps; made again only if those change.
    private var whole: (ownApps: [App], catalog: Catalog)
    private let usage: @Sendable (Household, Catalog, Date) -> UsageTotals
    private let relays: @Sendable () -> Bool
    private let verified: VerifiedComputation

    private var snapshot: Snapshot?
    private var compiledFor: FilterCompiler.Input?
    /// The household that the store last told, and the same brought to the present. The second applies, even if the
    /// store refuses it.
    private var stored: Household?
    private var settled: Household?
    /// False from a refusal until the next `askDiskAgain`.
    private var mayWrite = true
    private var mayVerify = true
    private var timer: Task<Void, Never>?
    private var latestStep: Task<Void, Never>?
    private var setClock = SetClock()
    private var hasRelay = true
    private var jobs: Set<MonitoredJob> = []

    /// - Parameters:
    ///   - tags: the meaning of the tags by which DNS counts.
    ///   - usage: the use of the household's limits up to an instant.
    ///   - ledger: everybody's use, for verified minutes.
    ///   - relays: whether names of relayed apps may lead to this server now.
    ///   - queryName: a device's name in DNS over HTTPS.
    ///   - executor: where steps are made; nil: where Swift's tasks are.
    package init(
        store: HouseholdStore, catalog: Catalog, clock: WallClock, effects: Effects, logger: Logger,
        tags: TagBook = TagBook(),
        usage: @escaping @Sendable (Household, Catalog, Date) -> UsageTotals = { _, _, _ in .none },
        ledger: @escaping @Sendable () -> UsageLedger = { UsageLedger() },
        relays: @escaping @Sendable () -> Bool = { true },
        uptime: @escaping @Sendable () -> NIODeadline = { .now() },
        queryName: @escaping @Sendable (DeviceID) -> String? = { _ in nil },
        executor: (any TaskExecutor)? = nil
    ) {
        self.executor = executor
        verified = VerifiedComputation(store: store, ledger: ledger)
        self.usage = usage
        self.relays = relays
        self.uptime = uptime
        self.store = store
        self.catalog = catalog
        whole = ([], catalog)
        self.clock = clock
        self.effects = effects
        self.logger = logger
        compiler = FilterCompiler(tags: tags, queryName: queryName)
    }

    /// Works until its task is cancelled. Calls `onReady` after the first step, when DNS has its filter.
    package func run(onReady: @Sendable () async -> Void = {}) async {
        await step()
        await onReady()
        for await _ in store.changes() {
            if Task.isCancelled { break }
            await step()
        }
        // A step may wait for the disk; the store must not be closed under it.
        await latestStep?.value
        timer?.cancel()
    }

    /// Brings everything to the present: sessions that are due, verdicts, the filter, the open pages. Idempotent.
    ///
    /// Steps run one after the other. A change, the timer and a minute of use can ask for them at the same time, and
    /// the older filter must not reach DNS last.
    package func step() async {
        let before = latestStep
        let step = Task(executorPreference: executor) {
            await before?.value
            await self.stepNow()
        }
        latestStep = step
        await step.value
    }

    private func stepNow() async {
        let (now, monotonic) = (clock.now(), uptime())
        let (latest, revision) = store.numbered
        if whole.ownApps != latest.ownApps { whole = (latest.ownApps, catalog.adding(latest.ownApps)) }
        let all = whole.catalog
        let used = usage(latest, all, now)
        let household = await present(at: now, latest: latest, used: used)
        let begun = uptime()
        let verdicts = household.evaluate(at: now, usage: used)
        let next = Snapshot(
            revision: (snapshot?.revision ?? 0) + 1, householdRevision: revision, instant: now,
            household: household, catalog: all, verdicts: verdicts, usage: used, after: snapshot)
        await enforce(next, at: monotonic, begun: begun)
        let isNew =
            snapshot?.household != household || snapshot?.verdicts != verdicts || snapshot?.usage != used
        if isNew {
            snapshot = next
            await effects.onChange(next)
        }
        let jobs = household.jobs(at: now)
        tell(jobs)
        await verify(household, catalog: all)
        effects.onApplied(revision)
        // After a change the rules are asked again in a second.
        let isQuiet = !isNew && isQuiet(next, jobs, latest)
        // A rest can end a second late, so it is a second shorter than the time that the rules were asked about.
        arm(for: next, restingUntil: isQuiet ? now.addingTimeInterval(Household.foresight - 1) : .distantPast)
    }

    private func isQuiet(_ snapshot: Snapshot, _ jobs: [MonitoredJob], _ latest: Household) -> Bool {
        let later = snapshot.instant.addingTimeInterval(Household.foresight)
        let used = usage(latest, snapshot.catalog, later)
        return used == snapshot.usage
            && snapshot.household.isQuiet(until: later, usage: used, verdicts: snapshot.verdicts, jobs: jobs)
    }

    /// The household as of now. Due changes are written, or held in memory while the disk refuses them.
    private func present(at now: Date, latest: Household, used: UsageTotals) async -> Household {
        if latest != stored || settled == nil {
            stored = latest
            settled = latest
        }
        guard var household = settled else { return latest }
        _ = household.settle(at: now, usage: used, newID: UUID.init)
        settled = household
        // After a write the stored household applies, so that ids are those on the disk.
        if household != latest, mayWrite { await write(at: now, used: used) }
        return settled ?? household
    }

    private func write(at now: Date, used: UsageTotals) async {
        do {
            try await onSharedThreads { [store] in
                _ = try store.change(keeping: .evenInMemory) { household, log in
                    household.settle(at: now, usage: used, log: &log, newID: UUID.init)
                }
            }
            stored = store.household
            settled = stored
        } catch {
            mayWrite = false
            logger.error(
                "A change could not be written, but it is in force", metadata: ["error": "\(error)"])
        }
    }

    private func enforce(_ latest: Snapshot, at monotonic: NIODeadline, begun: NIODeadline) async {
        hasRelay = relays()
        let next = hasRelay ? latest : latest.withoutRelay
        if let seconds = setClock.note(next.instant, monotonic) {
            logger.notice("The clock was set", metadata: ["by": "\(Int(seconds)) s"])
        }
        let input = FilterCompiler.Input(next, clockSteps: setClock.count)
        guard input != compiledFor else { return }
        let filter = compiler.compile(next, monotonic: monotonic)
        compiledFor = input
        effects.onCompile(Double((uptime() - begun).nanoseconds) / 1e9)
        await effects.enforce(filter)
    }

    /// Logs what began and what ended, by the names of the sources.
    private func tell(_ running: [MonitoredJob]) {
        for job in jobs.subtracting(running) {
            logger.notice("Ended", metadata: ["job": "\(job.name)", "person": "\(job.person.rawValue)"])
        }
        for job in running where !jobs.contains(job) {
            let end = job.end.map { "\($0.formatted(.iso8601))" } ?? "further notice"
            logger.notice(
                "Began",
                metadata: ["job": "\(job.name)", "person": "\(job.person.rawValue)", "until": "\(end)"])
        }
        jobs = Set(running)
    }

    private func verify(_ household: Household, catalog: Catalog) async {
        guard household.awaitsVerifiedMinutes, mayVerify else { return }
        do {
            try await onSharedThreads { [verified, clock] in
                try verified.run(catalog: catalog, clock: clock)
            }
        } catch {
            mayVerify = false
            logger.error("Verified minutes could not be computed", metadata: ["error": "\(error)"])
        }
    }

    /// Tries again what the disk refused.
    package func askDiskAgain() async {
        if store.isBehind {
            await onSharedThreads { [store, clock] in store.catchUp(at: clock.now()) }
        }
        guard !mayWrite || !mayVerify else { return }
        (mayWrite, mayVerify) = (true, true)
        await step()
    }

    /// Steps at the next due instant, or at the first second of the clock after the rest. A clock that was set, or a relay
    /// that came or went, ends the rest within a second.
    private func arm(for snapshot: Snapshot, restingUntil end: Date) {
        timer?.cancel()
        let due =
            FilterCompiler.dueInstants(of: snapshot).filter { $0 > snapshot.instant }.min() ?? .distantFuture
        timer = Task(executorPreference: executor) { [clock, weak self] in
            repeat { await clock.sleep(due) } while await self?.isResting(until: min(due, end)) ?? false
            if !Task.isCancelled { await self?.step() }
        }
    }

    private func isResting(until end: Date) -> Bool {
        let now = clock.now()
        return !Task.isCancelled && now < end && !setClock.isSet(now, uptime()) && relays() == hasRelay
    }
}
