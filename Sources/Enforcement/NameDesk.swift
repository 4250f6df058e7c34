package import DNS
package import Logging
import NIOCore

/// Starts DNS with the first filter and hands it every later one.
package actor NameDesk {
    /// Where DNS listens, and whom it serves.
    package struct Places: Sendable {
        let endpoints: [Endpoint]
        let home: HomeNetworks

        package init(endpoints: [Endpoint], home: HomeNetworks) {
            self.endpoints = endpoints
            self.home = home
        }
    }

    private let resolver: DNS.Resolver
    private let condition: Condition
    private let logger: Logger
    private var places: Places?
    private var isStarted = false

    /// - Parameter places: nil: DNS is off.
    package init(resolver: DNS.Resolver, places: Places?, condition: Condition, logger: Logger) {
        self.resolver = resolver
        self.places = places
        self.condition = condition
        self.logger = logger
    }

    package func enforce(_ filter: Filter) async {
        guard let places else { return }
        if isStarted { return await resolver.apply(filter) }
        isStarted = true
        note(await resolver.start(filter: filter, endpoints: places.endpoints, home: places.home))
    }

    /// Moves DNS after the machine's addresses changed, or when a refused one may be free.
    package func move(to places: Places?) async {
        self.places = places
        guard let places, isStarted else { return }
        note(await resolver.rebind(endpoints: places.endpoints, home: places.home))
    }

    private func note(_ refusals: [RefusedEndpoint]) {
        let reasons = refusals.map { refusal in
            let place = "\(refusal.address.ipAddress ?? "") port \(refusal.address.port ?? 0)"
            return "DNS over \(refusal.transport.rawValue) on \(place): \(refusal.reason)"
        }
        for reason in condition.report(reasons, from: "DNS") { logger.error("\(reason)") }
    }
}
