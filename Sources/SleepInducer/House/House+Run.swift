import Cluster
import DNS
import Dashboard
import Directory
import Enforcement
import Identity
import LocalNetwork
import Logging
import NIOCore
import Outbound
import Policy
import ServiceLifecycle
import Shield
import Store

extension House {
    /// Opens the doors, tells people the address, and serves until it is told to stop or begins anew.
    func run(until signal: StopSignal) async throws {
        let listening = try await open()
        upkeep.noteInstant(evenLately: true)
        ground.condition.becomeReady()
        try Announcement(ground, listening: listening).print()
        ground.machine.notify(.ready)
        var configuration = ServiceGroupConfiguration(
            services: services().map { .init(service: $0) }, logger: .quiet)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        let services = ServiceGroup(configuration: configuration)
        let end: @Sendable () async -> Void = { await services.triggerGracefulShutdown() }
        let endings = [
            Task { await signal.stops(end) },
            Task { [freshStart] in await freshStart.wait(end: end) },
        ]
        defer { for ending in endings { ending.cancel() } }
        try await services.run()
        replica?.stop()
        ground.store.settleFiles()
        freshStart.carryOut(at: ground.clock.now(), logger: ground.logger)
    }

    /// - Returns: where it listens.
    private func open() async throws -> Listening {
        presence.presentItself(ground.listening)
        // A new authority must appear on the next connection, not only with the next look at the addresses.
        authorities.whenMade { [presence, ground, replica] in
            presence.presentItself(ground.listening)
            replica?.made(file: "tls/ca.pem")
        }
        if let replica {
            usage.beginTelling()
            replica.whenUsed { [usage, monitor] told in
                if usage.hear(told) { Task { await monitor.step() } }
            }
            replica.whenCounted { [usage, monitor] masks in
                if try usage.join(masks) { Task { await monitor.step() } }
            }
        }
        // Before anything else is announced, DNS has its filter and answers.
        await gateway?.takeOver()
        await ground.neighbours.look()
        await monitor.step()
        await gateway?.look()
        let listening: Listening
        do { listening = try await presence.open() } catch {
            await gateway?.takeAway()
            throw error
        }
        let strangers = shelf.forgetUnclaimed()
        if strangers > 0 {
            ground.logger.notice("Closed sockets that fit no address", metadata: ["count": "\(strangers)"])
        }
        return listening
    }

    /// In the order of dependence; shutdown has the reverse order.
    private func services() -> [any Service] {
        let rounds = rounds()
        let close: @Sendable () async -> Void = { [freshStart, door, machine = ground.machine] in
            // A server that begins anew must not say STOPPING, because systemd would believe that.
            if !freshStart.isAsked { machine.notify(.stopping) }
            await door.stop(within: .seconds(2))
        }
        let gatewayWork = gateway.map { gateway in
            OngoingWork({ await gateway.run() }, atStop: { await gateway.close() })
        }
        return [gatewayWork].compactMap { $0 } + [
            OngoingWork(
                { [monitor] in await HouseThread.shared.run { await monitor.run() } },
                atStop: { [resolver] in
                    await resolver.drain(within: .seconds(2))
                    await resolver.stop()
                }),
            OngoingWork(
                {
                    await HouseThread.shared.run {
                        await Chore.run(chores(rounds), sleep: HouseThread.shared.sleep)
                    }
                },
                atStop: { await rounds.finish() }),
            OngoingWork({ [site] in await HouseThread.shared.run { await site.run() } }, atStop: close),
            OngoingWork({ [webhooks] in await webhooks.run() }),
            ControlListener(
                path: "\(ground.directory)/\(ControlWire.socketName)", group: ground.group,
                logger: ground.logger
            ) { [self] request in await answer(request) },
        ]
    }

    /// Answers what only a running server knows; the rest a command could do itself.
    private func answer(_ request: ControlRequest) async -> ControlReply {
        let refused = ground.condition.refused
        return switch request {
        case .health: .health(await watch.lookNow())
        case .healthy: refused.isEmpty ? .done("It serves.") : .refused(refused.joined(separator: " "))
        case .invite: await ask { try $0.invite().text }
        case .lead:
            await ask {
                try $0.leadHere(in: ground.directory)
                return "This machine leads now. Others join it by themselves when they are back."
            }
        default:
            await ControlDesk(store: ground.store, directory: ground.directory, now: ground.clock.now)
                .answer(request)
        }
    }

    private func ask(_ body: @escaping @Sendable (Replica) throws -> String) async -> ControlReply {
        guard let replica else { return .refused("The household is on this machine alone.") }
        do { return .done(try await onSharedThreads { try body(replica) }) } catch {
            return .refused("\(error)")
        }
    }

    /// Collects who asked, what was refused and what was used.
    private func rounds() -> Rounds {
        let routers = Routers(ground.machine.routers)
        let forwarders = Set(ground.options.forwarder.compactMap { IPAddress($0) })
        return Rounds(
            hasNews: { [resolver, door] in resolver.hasNews || door.isRelaying },
            collect: { [resolver, condition = ground.condition] in
                let collected = await resolver.collect()
                condition.gauges.note(collected.metrics)
                condition.note(unbelieved: collected.unbelieved.map(\.text))
                return collected
            },
            relayed: { [door] in await door.relayed() },
            sightings: Sightings(
                store: ground.store, clock: ground.clock,
                neighbours: { [neighbours = ground.neighbours] in
                    await neighbours.look()
                    return neighbours.newest
                },
                routers: { routers.addresses($0).union(forwarders) }, logger: ground.logger),
            usage: usage, blocked: blocked, onUse: { [monitor] in await monitor.step() },
            onCheck: { [site] traces in site.checks.note(traces.questions, signs: traces.signs) })
    }
}
