package import DNS
package import LocalNetwork
package import Logging
import NIOCore
package import Policy
package import Store

/// Finds out what the home calls its devices: from files on this machine, else by reverse DNS at `--local-upstream` or the
/// router, else from the device itself by multicast DNS. A few devices every few seconds, each at first sight and then rarely (`NameSchedule`).
package actor NameRounds {
    private let store: HouseholdStore
    private let clock: WallClock
    private let machine: Machine
    private let localUpstreams: [UpstreamServer]
    private let lookup: ReverseLookup
    private let logger: Logger
    private var schedule = NameSchedule()

    /// Multicast DNS (RFC 6762, 3).
    private static let multicastPort = 5353

    package init(
        store: HouseholdStore, clock: WallClock, machine: Machine, localUpstreams: [UpstreamServer],
        resolver: DNS.Resolver, logger: Logger
    ) {
        self.store = store
        self.clock = clock
        self.machine = machine
        self.localUpstreams = localUpstreams
        self.logger = logger
        lookup = ReverseLookup(resolver)
    }

    /// One round.
    package func look() async {
        let now = clock.now()
        let due = schedule.due(in: store.household, at: now)
        guard !due.isEmpty else { return }
        let files = await onSharedThreads { [machine] in machine.hostNames() }
        let servers = servers
        let lookup = lookup
        let found = await withTaskGroup(of: (DeviceID, String?).self) { tasks in
            for device in due {
                let written = files.name(hardware: device.hardwareAddress, addresses: device.addresses)
                tasks.addTask {
                    if let written { return (device.id, written) }
                    return (device.id, await Self.name(of: device, lookup, servers))
                }
            }
            var found: [DeviceID: String] = [:]
            for await (device, name) in tasks { found[device] = name }
            return found
        }
        for device in due { schedule.note(device.id, found: found[device.id] != nil, at: now) }
        do {
            try await onSharedThreads { [store, found] in try store.learnNetworkNames(found) }
        } catch {
            logger.warning("Names of devices could not be stored", metadata: ["error": "\(error)"])
        }
    }

    /// IPv4 first: routers seldom name the others. Two addresses at the most.
    private static func name(
        of device: Device, _ lookup: ReverseLookup, _ servers: [SocketAddress]
    ) async -> String? {
        let (v4, v6) = (
            device.addresses.filter { !$0.contains(":") }, device.addresses.filter { $0.hasPrefix("f") }
        )
        for address in (v4.prefix(1) + v6.prefix(1)) {
            if let name = await lookup.name(of: address, from: servers) { return name }
        }
        // Asked by itself, a responder answers as any server does (RFC 6762, 6.7).
        for address in v4.prefix(1) {
            guard let itself = try? SocketAddress(ipAddress: address, port: multicastPort) else { continue }
            if let name = await lookup.name(of: address, from: [itself]) { return name }
        }
        return nil
    }

    /// The home's own: what was given as such, else routers with a private address. Never a public one.
    private var servers: [SocketAddress] {
        if !localUpstreams.isEmpty { return localUpstreams.compactMap(\.address) }
        return machine.nearRouters().compactMap { try? SocketAddress(ipAddress: $0, port: 53) }
    }
}
