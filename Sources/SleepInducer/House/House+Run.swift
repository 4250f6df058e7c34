import DNS
import Dashboard
import Directory
import Enforcement
import Foundation
import LocalNetwork
import Logging
import NIOCore
import Outbound
import Policy
import ServiceLifecycle
import Shield
import Sockets
import Store

extension House {
    /// Opens the doors, tells people where, and serves until it is told to stop, or everything was erased.
    func run(until signal: StopSignal) async throws {
        let address = listening
        presentItself(address)
        // A new authority is seen on the next connection, not on the next look at the addresses.
        authorities.whenMade { presentItself(listeningNow) }
        // DNS has its filter, and answers, before anything else is said.
        await gateway?.takeOver()
        await neighbours.look()
        await monitor.step()
        await gateway?.look()
        let opening = await door.start(addresses: address.addresses, admits: address.admits)
        note(opening)
        let strangers = shelf.forgetUnclaimed()
        if strangers > 0 {
            logger.notice("Closed sockets that fit no address", metadata: ["count": "\(strangers)"])
        }
        guard !opening.opened.isEmpty else {
            await gateway?.takeAway()
            throw Fault.noDoor(opening.refused.map(\.description))
        }
        condition.becomeReady()
        try Announcement(self, listening: address).print()
        machine.notify(.ready)
        var configuration = ServiceGroupConfiguration(
            services: services().map { .init(service: $0) }, logger: .quiet)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        let services = ServiceGroup(configuration: configuration)
        let end: @Sendable () async -> Void = { await services.triggerGracefulShutdown() }
        let endings = [
            Task { await signal.stops(end) },
            Task { [erasure] in await erasure.wait(end: end) },
        ]
        defer { for ending in endings { ending.cancel() } }
        try await services.run()
        store.settleFiles()
        store.finishErasing()
    }

    /// In the order of dependence; shutdown goes the other way round.
    private func services() -> [any Service] {
        let routers = Routers { [machine] in machine.routers().compactMap { IPAddress($0) } }
        let forwarders = Set(options.forwarder.compactMap { IPAddress($0) })
        let rounds = Rounds(
            collect: { [resolver, condition] in
                let collected = await resolver.collect()
                condition.gauges.note(collected.metrics)
                condition.note(unbelieved: collected.unbelieved.map(\.text))
                return collected
            },
            relayed: { [door] in await Surroundings.relayed(door) },
            sightings: Sightings(
                store: store, clock: clock,
                neighbours: { [neighbours] in
                    await neighbours.look()
                    return neighbours.newest
                },
                routers: { routers.addresses($0).union(forwarders) }, logger: logger),
            usage: usage, blocked: blocked, onUse: { [monitor] in await monitor.step() },
            onCheck: { [site] traces in site.checks.note(traces.questions, signs: traces.signs) })
        let answer: @Sendable (ControlRequest) async -> ControlReply = { [store, options, watch] request in
            if case .health = request { return .health(await watch.lookNow()) }
            return await ControlDesk(store: store, directory: options.place.directory).answer(request)
        }
        let door = door
        let machine = machine
        let close: @Sendable () async -> Void = { [erasure] in
            // Whoever begins anew does not stop, and systemd would take it at its word.
            if !erasure.isDone { machine.notify(.stopping) }
            await door.stop(within: .seconds(2))
        }
        let gatewayWork = gateway.map { gateway in
            OngoingWork({ await gateway.run() }, atStop: { await gateway.close() })
        }
        return [gatewayWork].compactMap { $0 } + [
            OngoingWork(
                { [monitor] in await monitor.run() },
                atStop: { [resolver] in
                    await resolver.drain(within: .seconds(2))
                    await resolver.stop()
                }),
            OngoingWork({ await Chore.run(chores(rounds)) }, atStop: { await rounds.finish() }),
            OngoingWork({ [site] in await site.run() }, atStop: close),
            OngoingWork({ [webhooks] in await webhooks.run() }),
            ControlListener(
                path: "\(options.place.directory)/\(ControlWire.socketName)", group: group, logger: logger,
                answer: answer),
        ]
    }

    func note(_ opening: FrontDoor.Opening) {
        noteRelay(opening.refused)
        let reasons = opening.refused.map(\.description)
        for reason in condition.report(reasons, from: "pages") { logger.error("\(reason)") }
    }
}
