package import DNS
import Directory
import Foundation
package import LocalNetwork
package import Logging
import Policy

/// Keeps the kernel's packet rules equal to the household's rules, on a machine that routes its packets (`--gateway`).
///
/// Blocking by DNS goes on even if the packet rules fail. After a crash they stay in force. The next start reads back
/// the rejected addresses with their names, so that nothing opens in between. The kernel keeps them just as long as
/// connections could last, and no name is written to a disk.
package actor Gateway {
    /// What it needs from the rest of the house.
    struct Facts: Sendable {
        var interfaces: [String]
        /// Addresses and prefixes of servers that speak DNS over HTTPS.
        var encryptedResolvers: Set<String>
        var isEncryptedResolver: @Sendable (String) -> Bool
        /// Addresses of this server's own upstreams: one of them in the home must not be led back here.
        var upstreams: @Sendable () -> Set<String>
        var standsBeforeRules: @Sendable (String) -> Bool
        var snapshot: @Sendable () -> Snapshot?
        /// Where the home finds this machine's DNS.
        var desk: @Sendable () -> GatewayRules.Desk
        /// Names and addresses that were answered since the last call.
        var answers: @Sendable () async -> [AnsweredName]
        /// Tells DNS which addresses are closed to whom; answers that wait for it go out.
        var closed: @Sendable ([ClientAddress: Set<ClientAddress>]) -> Void
    }

    /// What it does in the kernel.
    struct Kernel: Sendable {
        var apply: @Sendable (GatewayRules) async throws -> Void = { try await PacketFilter.apply($0) }
        var remove: @Sendable () async throws -> Void = { try await PacketFilter.remove() }
        var survey: @Sendable () async throws -> PacketFilter.Survey = { try await PacketFilter.survey() }
        var rejected: @Sendable () async throws -> [String: String] = { try await PacketFilter.rejected() }
        var clear: @Sendable (GatewayRules, _ hasDetours: Bool) async throws -> ConnectionTable.Cleared = {
            try await ConnectionTable.clear(of: $0, hasDetours: $1)
        }
        /// Whether this end is a restart.
        var isRestart: @Sendable () -> Bool = { SystemdJob.isRestart }
        /// Why the gateway cannot work, one sentence for each reason.
        var obstacles: @Sendable ([String]) -> [String] = { interfaces in
            [PacketFilter.missing(interfaces), PacketFilter.idleness].compactMap { $0 }
        }
    }

    /// Its name where parts report what was refused to them.
    package static let part = "gateway"

    private let facts: Facts
    private let kernel: Kernel
    private let now: @Sendable () -> ContinuousClock.Instant
    private let condition: Condition
    private let logger: Logger
    let cleaner: ConnectionCleaner
    private let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    private var answered = AnsweredNames()
    private var rejections: Rejections
    /// By name, the addresses that are closed to somebody.
    private var closed: [String: Set<String>] = [:]
    private var applied: GatewayRules?
    private var closedByClient: [ClientAddress: Set<ClientAddress>] = [:]
    private var settledFor: Int?
    /// Ways by which packets bypass the rules.
    private var detours: [String] = []
    /// Whether to compute all rules again and to check the kernel.
    private var isDue = true

    init(
        _ facts: Facts, kernel: Kernel = Kernel(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, condition: Condition,
        logger: Logger
    ) {
        self.facts = facts
        self.kernel = kernel
        self.now = now
        self.condition = condition
        self.logger = logger
        cleaner = ConnectionCleaner(clear: kernel.clear, now: now, logger: logger)
        rejections = Rejections(standsBeforeRules: facts.standsBeforeRules)
    }

    /// - Parameters:
    ///   - encryptedResolvers: addresses and prefixes of servers that speak DNS over HTTPS.
    ///   - desk: where the home finds this machine's DNS.
    package init(
        interfaces: [String], encryptedResolvers: Set<String>, resolver: DNS.Resolver,
        latest: LatestSnapshot,
        desk: @escaping @Sendable () -> GatewayRules.Desk, condition: Condition, logger: Logger
    ) {
        let facts = Facts(
            interfaces: interfaces, encryptedResolvers: encryptedResolvers,
            isEncryptedResolver: EncryptedResolvers.owns,
            upstreams: { Set(resolver.upstreamAddresses.map(\.text)) },
            standsBeforeRules: { resolver.standsBeforeRules($0) }, snapshot: { latest.value }, desk: desk,
            answers: { await resolver.collectAnswers() }, closed: { resolver.hold(answersThatLeadTo: $0) })
        self.init(facts, condition: condition, logger: logger)
    }

    /// Takes over the addresses that the kernel still rejects for a server that crashed.
    package func takeOver() async {
        do {
            let now = now()
            for (address, name) in try await kernel.rejected() {
                answered.note(name, [address], to: nil, at: now)
            }
        } catch { await report("\(error)") }
    }

    /// Tells that something changed; returns at once.
    package nonisolated func wake() { changes.continuation.yield() }

    /// Works until its task is cancelled.
    package func run() async {
        let cleaning = Task { [cleaner] in await cleaner.run() }
        defer { cleaning.cancel() }
        for await _ in changes.stream {
            if Task.isCancelled { break }
            await look()
        }
    }

    /// Whether an address is closed to anybody.
    package var isClosing: Bool { !closedByClient.isEmpty }

    /// Makes the next look complete, and makes it now.
    package func becomeDue() {
        isDue = true
        wake()
    }

    /// One look: at new answers and changes, and at everything if that is due.
    package func look() async {
        let news = await facts.answers()
        note(news, at: now())
        guard isDue || !news.isEmpty || facts.snapshot()?.revision != settledFor else { return }
        let isAll = isDue
        isDue = false
        if isAll { await lookAfter() }
        await settle(isDue: isAll)
        facts.closed(closedByClient)
    }

    private func note(_ news: [AnsweredName], at now: ContinuousClock.Instant) {
        if news.isEmpty { return }
        let directory = facts.snapshot()?.directory ?? DeviceDirectory()
        for answer in news {
            let who = directory.answer(answer.client, answer.holder.hardware)
            let device = (who.device ?? who.rules.first).map(DeviceID.init)
            answered.note(answer.name, answer.addresses.map(\.text), to: device, at: now)
        }
    }

    /// Removes the table when the server stops, so that connections which it blocked open again. A restart, also by an
    /// upgrade, leaves the table to the next server, as a crash does.
    package func close() async {
        if !kernel.isRestart() { await takeAway() }
    }

    /// For a server that cannot start: nobody would answer the questions that its table leads here.
    package func takeAway() async {
        do { try await kernel.remove() } catch { await report("\(error)") }
    }

    private func lookAfter() async {
        // Another program may have loaded a firewall, and flushed our rules with it.
        guard let survey = try? await kernel.survey() else { return }
        if !survey.isInForce { applied = nil }
        let areNew = !Set(survey.detours).isSubset(of: detours)
        detours = survey.detours
        if areNew, let applied { await cleaner.clean(applied, hasDetours: true) }
    }

    /// Computes the rules that apply now, and puts them in force if they differ.
    private func settle(isDue: Bool) async {
        guard let snapshot = facts.snapshot() else { return }
        let now = now()
        if isDue || answered.isFull {
            answered.forget(at: now, keeping: closed) { snapshot.catalog.app(owning: $0) != nil }
        }
        let rules = rules(snapshot, at: now)
        let isNew = settledFor != snapshot.revision
        settledFor = snapshot.revision
        guard rules != applied else { return isDue ? await report(nil) : () }
        guard applied != nil || isNew || isDue else { return }
        do {
            try await kernel.apply(rules)
            let before = applied
            applied = rules
            closedByClient = rules.closedByClient
            if before.map(rules.refuseMore) ?? true {
                await cleaner.clean(rules, hasDetours: !detours.isEmpty)
            }
            await report(nil)
        } catch {
            applied = nil
            await report("\(error)")
        }
    }

    private func rules(_ snapshot: Snapshot, at now: ContinuousClock.Instant) -> GatewayRules {
        let found = rejections.all(answered, in: snapshot, at: now)
        closed = [:]
        for (address, name) in found.flatMap(\.addresses) { closed[name, default: []].insert(address) }
        let resolvers = answered.addresses(ofOnly: facts.isEncryptedResolver, at: now)
        let upstreams = facts.upstreams()
        let devices = snapshot.household.devices.filter { upstreams.isDisjoint(with: $0.addresses) }
        let directory = snapshot.directory
        func isShared(_ device: Device) -> Bool { device.hardware.contains(where: directory.isShared) }
        return GatewayRules(
            interfaces: Set(facts.interfaces), desk: facts.desk(),
            encryptedResolvers: facts.encryptedResolvers.union(resolvers),
            placed: Set(devices.filter { !$0.isUnplaced && isShared($0) }.flatMap(\.addresses)),
            groups: found.map { rejection in
                let members = devices.filter { rejection.devices.contains($0.id) }
                let hardware = Set(members.flatMap(\.hardware))
                return GatewayRules.Group(
                    hardware: Set(hardware.filter { !directory.isShared($0) }.map(\.text)),
                    sharedHardware: Set(hardware.filter(directory.isShared).map(\.text)),
                    addresses: Set(members.flatMap(\.addresses)), rejected: rejection.addresses)
            })
    }

    private func report(_ failure: String?) async {
        // A connection on a detour bypasses the rules until the kernel forgets it. If that fails, nothing ends the
        // connection.
        let cleaning = detours.isEmpty ? nil : await cleaner.failure
        let open = cleaning.map { reason in detours.map { "\($0) \(reason)" } } ?? []
        let reasons = [failure].compactMap { $0 } + kernel.obstacles(facts.interfaces) + open
        for reason in condition.report(reasons, from: Self.part) { logger.error("Gateway: \(reason)") }
    }
}

extension GatewayRules {
    fileprivate var closedByClient: [ClientAddress: Set<ClientAddress>] {
        var closed: [ClientAddress: Set<ClientAddress>] = [:]
        for group in groups where !group.rejected.isEmpty {
            let addresses = Set(group.rejected.keys.compactMap { ClientAddress($0) })
            let members =
                group.addresses.compactMap { ClientAddress($0) }
                + group.hardware.compactMap { MACAddress($0).map { ClientAddress($0) } }
            for member in members { closed[member, default: []].formUnion(addresses) }
        }
        return closed
    }
}
