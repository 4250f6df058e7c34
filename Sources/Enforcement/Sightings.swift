package import DNS
import Foundation
package import Logging
package import Policy
package import Store

/// Tells the store which devices asked: once a second, from what the event loops saw.
package struct Sightings: Sendable {
    private let store: HouseholdStore
    private let clock: WallClock
    private let collect: @Sendable () async -> Set<ClientAddress>
    private let hardwareAddresses: @Sendable () -> [String: String]
    private let logger: Logger

    /// - Parameters:
    ///   - collect: the addresses that asked since the last call.
    ///   - hardwareAddresses: the neighbour table, by canonical address.
    package init(
        store: HouseholdStore, clock: WallClock, collect: @escaping @Sendable () async -> Set<ClientAddress>,
        hardwareAddresses: @escaping @Sendable () -> [String: String], logger: Logger
    ) {
        self.store = store
        self.clock = clock
        self.collect = collect
        self.hardwareAddresses = hardwareAddresses
        self.logger = logger
    }

    /// Works until its task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            await clock.sleep(clock.now().addingTimeInterval(1))
            await note()
        }
    }

    /// Passes on who asked since the last time.
    package func note() async {
        let clients = await collect()
        guard !clients.isEmpty else { return }
        let neighbours = hardwareAddresses()
        let sightings = clients.map {
            Sighting(address: $0.text, hardwareAddress: neighbours[$0.text], name: nil)
        }
        do { try store.saw(sightings, at: clock.now()) } catch {
            logger.warning("Devices that asked could not be noted", metadata: ["error": "\(error)"])
        }
    }
}
