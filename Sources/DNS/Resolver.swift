package import Logging
package import NIOCore

/// The DNS server: listens on local addresses, answers by the filter, forwards what is allowed.
package final class Resolver: Sendable {
    private let configuration: Configuration
    private let eventLoopGroup: any EventLoopGroup
    private let logger: Logger

    package init(configuration: Configuration, eventLoopGroup: any EventLoopGroup, logger: Logger) {
        self.configuration = configuration
        self.eventLoopGroup = eventLoopGroup
        self.logger = logger
    }

    /// Binds every endpoint, which needs the first filter; what could not be bound comes back.
    package func start(filter: Filter, endpoints: [Endpoint], subnets: [AddressRange]) async -> [Refusal] {
        []
    }

    /// Hands every event loop the new filter; it holds for every query that is read afterwards.
    package func apply(_ filter: Filter) {}

    /// Listens on new addresses and stops listening on absent ones. `subnets` are this machine's own networks, whose
    /// clients are served besides private, link-local and loopback ones.
    package func rebind(endpoints: [Endpoint], subnets: [AddressRange]) async -> [Refusal] { [] }

    /// Takes over what was counted since the last call.
    package func collect() async -> Collected { Collected() }

    /// Upstreams that lead back to this server and were dropped.
    package func loopingUpstreams() async -> [SocketAddress] { [] }

    /// Closes every socket; questions still waiting are not answered.
    package func stop() async {}
}
