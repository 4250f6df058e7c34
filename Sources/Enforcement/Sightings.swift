import DNS
package import Directory
import Foundation
package import Logging
package import Policy
package import Store

/// Tells the store which devices asked.
package struct Sightings: Sendable {
    private let store: HouseholdStore
    private let clock: WallClock
    private let neighbours: @Sendable () async -> Neighbours
    private let routers: @Sendable (Neighbours) -> Set<IPAddress>
    private let logger: Logger

    /// - Parameters:
    ///   - neighbours: who has which hardware address, as the kernel knows it now.
    ///   - routers: the addresses of this network's routers, by those neighbours.
    package init(
        store: HouseholdStore, clock: WallClock,
        neighbours: @escaping @Sendable () async -> Neighbours,
        routers: @escaping @Sendable (Neighbours) -> Set<IPAddress> = { _ in [] }, logger: Logger
    ) {
        self.store = store
        self.clock = clock
        self.neighbours = neighbours
        self.routers = routers
        self.logger = logger
    }

    /// Tells the store who asked since the last call.
    func note(_ clients: Set<ClientAddress>) async {
        guard !clients.isEmpty else { return }
        let neighbours = await neighbours()
        let routers = routers(neighbours)
        let sightings = clients.map {
            Sighting($0, neighbours[$0], isRouter: routers.contains($0))
        }
        guard let batch = store.note(sightings, at: clock.now()) else { return }
        do { try await onSharedThreads { [store] in try store.write(batch) } } catch {
            logger.warning("Devices that asked could not be stored", metadata: ["error": "\(error)"])
        }
    }

    /// Tells the store which devices looked up a VPN.
    func note(vpnOn devices: Set<DeviceID>) async {
        let (household, now) = (store.household, clock.now())
        for device in devices where household.isNews(.vpn, on: device, at: now) {
            await onSharedThreads { [store] in store.note(.vpn, on: device, at: now) }
        }
    }
}
