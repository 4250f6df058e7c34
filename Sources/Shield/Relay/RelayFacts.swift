package import NIOCore

/// What relaying connections needs from the rest of the program.
package struct RelayFacts: Sendable {
    /// Whether the client at an address (canonical text) may reach other hosts through this server: only clients on its
    /// network may. Called on event loops.
    package var mayPass: @Sendable (_ address: String) -> Bool
    /// The true addresses of a name, in the order of trying. Empty if there are none to which the relay may connect:
    /// never this machine, loopback or the home (design.md, "Shield").
    package var destinations: @Sendable (_ name: String, _ port: Int) async -> [SocketAddress]

    package init(
        mayPass: @escaping @Sendable (_ address: String) -> Bool,
        destinations: @escaping @Sendable (_ name: String, _ port: Int) async -> [SocketAddress]
    ) {
        self.mayPass = mayPass
        self.destinations = destinations
    }
}
