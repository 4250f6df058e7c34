package import Directory
package import NIOCore

/// Ports, names and limits of the front door. The defaults suit a household; load tests raise the limits.
package struct DoorConfiguration: Sendable {
    package var httpPort: Int
    /// Nil: nothing listens for TLS.
    package var httpsPort: Int?
    /// As they are now: a network can give the machine another name.
    package var ownNames: @Sendable () -> OwnNames
    /// The server's address as the household reaches it (`--address`); nil: the address of each connection.
    package var advertisedAddress: String?
    /// Dashboard paths that lead out of a block: they have reserved places, however many connections there are.
    package var waysOut: Set<String>
    /// The reverse proxies that are believed when they say who asks.
    package var proxies = ReverseProxies()
    /// This machine's address for a device that comes through a reverse proxy.
    package var shownAddress: @Sendable () -> String? = { nil }
    package var limits = DoorLimits()

    package init(
        httpPort: Int, httpsPort: Int?, ownNames: @escaping @autoclosure @Sendable () -> OwnNames,
        advertisedAddress: String? = nil,
        waysOut: Set<String> = [], limits: DoorLimits = DoorLimits()
    ) {
        self.httpPort = httpPort
        self.httpsPort = httpsPort
        self.ownNames = ownNames
        self.advertisedAddress = advertisedAddress
        self.waysOut = waysOut
        self.limits = limits
    }
}

/// Limits for one connection, for one holder, and for all together (design.md, Trust). Connections from
/// loopback and from trusted reverse proxies count only towards the total, not towards a holder.
package struct DoorLimits: Sendable {
    /// Longest request head, in bytes, of the first request of a connection.
    package var headBytes = 16 * 1024
    /// From accepting a connection to the end of its first request head, or of its ClientHello.
    package var headTime: TimeAmount = .seconds(10)
    /// From the first byte of a later request to the first byte of its answer.
    package var requestTime: TimeAmount = .seconds(30)
    /// Without a byte in either direction; streams speak every 2 s.
    package var idleTime: TimeAmount = .seconds(75)
    /// While the client takes none of the bytes that wait for it.
    package var stallTime: TimeAmount = .seconds(30)
    /// Connections that get the shield or have not named a Host yet.
    package var strangers = 768
    package var strangersPerHolder = 64
    /// Connections to the dashboard: a reserve that strangers cannot use up.
    package var guests = 2048
    package var guestsPerHolder = 64
    /// Connections to a way out of a block.
    package var leaving = 64
    package var leavingPerHolder = 16
    /// Connections that are relayed to the host that they named.
    package var passing = 4096
    package var passingPerHolder = 1024
    /// Streams of HTTP/2 connections. A browser opens at most a hundred at a time.
    package var requestStreams = 512
    package var requestStreamsPerHolder = 128
    /// Streams of shield pages.
    package var streams = 512
    package var streamsPerHolder = 32
    /// Pages that an event loop renders for one holder in a second; the rest get a line of text with the same status.
    package var pagesPerSecond = 50
    /// Presses on the shield's buttons that an event loop takes from one holder in ten seconds.
    package var actionsPerTenSeconds = 10
    /// Bytes of a button's form.
    package var formBytes = 8 * 1024
    /// Body bytes that are read and dropped before the connection is closed.
    package var droppedBodyBytes = 64 * 1024

    package init() {}
}
