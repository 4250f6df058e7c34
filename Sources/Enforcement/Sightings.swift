import DNS
import Foundation
package import Logging
package import Policy
package import Store

/// Tells the store which devices asked.
package struct Sightings: Sendable {
    private let store: HouseholdStore
    private let clock: WallClock
    private let hardwareAddresses: @Sendable () -> [String: String]
    private let routers: @Sendable () -> Set<String>
    private let logger: Logger

    /// - Parameters:
    ///   - hardwareAddresses: the neighbour table, by canonical address.
    ///   - routers: addresses of this network's routers.
    package init(
        store: HouseholdStore, clock: WallClock,
        hardwareAddresses: @escaping @Sendable () -> [String: String],
        routers: @escaping @Sendable () -> Set<String> = { [] }, logger: Logger
    ) {
        self.store = store
        self.clock = clock
        self.hardwareAddresses = hardwareAddresses
        self.routers = routers
        self.logger = logger
    }

    /// Passes on who asked since the last time, and who is back where another was.
    func note(_ clients: Set<ClientAddress>) {
        let returns = store.returns(by: hardwareAddresses)
        // At every round, to see who is one for long.
        let routers = routers()
        guard !clients.isEmpty || !returns.isEmpty else { return }
        let neighbours = hardwareAddresses()
        let sightings = clients.map { client in
            if let named = client.hardware { return Sighting(address: nil, hardwareAddress: named.text) }
            return Sighting(
                address: client.text, hardwareAddress: neighbours[client.text],
                isRouter: routers.contains(client.text))
        }
        do { try store.saw(sightings + returns, at: clock.now()) } catch {
            logger.warning("Devices that asked could not be noted", metadata: ["error": "\(error)"])
        }
    }
}
