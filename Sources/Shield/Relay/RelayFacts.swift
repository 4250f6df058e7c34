package import NIOCore

/// What passing connections on to other hosts asks of the rest of the house.
package struct RelayFacts: Sendable {
    /// Whether whoever is at an address (canonical text) may reach other hosts by way of this server: only who is on
    /// its network. Called on event loops.
    package var mayPass: @Sendable (_ address: String) -> Bool
    /// Where a name really is, in the order of trying; empty where there is nothing, or nothing that a relay may go
    /// to: never this machine, loopback or the home (design.md, "Shield").
    package var destinations: @Sendable (_ name: String, _ port: Int) async -> [SocketAddress]

    package init(
        mayPass: @escaping @Sendable (_ address: String) -> Bool,
        destinations: @escaping @Sendable (_ name: String, _ port: Int) async -> [SocketAddress]
    ) {
        self.mayPass = mayPass
        self.destinations = destinations
    }
}
