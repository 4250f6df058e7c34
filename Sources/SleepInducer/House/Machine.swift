import Foundation

/// What this house needs to know of the machine that it runs on, as values; `Machine.current` reads them off Linux.
struct Machine: Sendable {
    /// An address of this machine, as text, with its network's prefix length.
    struct Address: Hashable, Sendable {
        var text: String
        var prefixLength: Int
        var interface: String
        var isLoopback: Bool
        var isLinkLocal: Bool
        var isV4: Bool
    }

    var hostName: String
    var searchDomains: [String]
    /// The resolvers that this machine was told to use, without itself.
    var resolvers: [String]
    /// Whether ports 53 and 80 may be opened.
    var mayOpenLowPorts: Bool
    var addresses: @Sendable () -> [Address]
    /// Hardware addresses of neighbours by canonical address.
    var neighbours: @Sendable () -> [String: String]
    var isClockSynchronised: @Sendable () -> Bool
    /// Tells the service manager, where there is one: `READY=1`, `WATCHDOG=1`, `STOPPING=1`.
    var notify: @Sendable (String) -> Void
}
