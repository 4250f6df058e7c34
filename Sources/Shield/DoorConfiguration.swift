package import NIOCore

/// Ports, names and bounds of the front door. The defaults suit a household; load tests raise the caps.
package struct DoorConfiguration: Sendable {
    package var httpPort: Int
    /// Nil: nothing listens for TLS.
    package var httpsPort: Int?
    package var ownNames: OwnNames
    /// The server's address as the household reaches it (`--address`); nil: the one a connection came to.
    package var advertisedAddress: String?
    /// Paths of the dashboard for which places are kept, whoever else is there: the ways out of a block.
    package var waysOut: Set<String>
    package var limits = DoorLimits()

    package init(
        httpPort: Int, httpsPort: Int?, ownNames: OwnNames, advertisedAddress: String? = nil,
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

/// What one connection, one holder and all of them together may take (design.md, Trust). Loopback counts as all others
/// together, and not by holder.
package struct DoorLimits: Sendable {
    /// Longest request head, in bytes, of the first request of a connection.
    package var headBytes = 16 * 1024
    /// From accepting a connection to the end of its first request head, or of its ClientHello.
    package var headTime: TimeAmount = .seconds(10)
    /// From the first byte of a later request to the first byte of its answer.
    package var requestTime: TimeAmount = .seconds(30)
    /// Without a byte in either direction; streams speak every 15 s.
    package var idleTime: TimeAmount = .seconds(75)
    /// Without the client taking a byte of what waits for it.
    package var stallTime: TimeAmount = .seconds(30)
    /// Connections that meet the shield or have not yet said whom they want.
    package var strangers = 768
    package var strangersPerHolder = 64
    /// Connections that the dashboard has: a reserve that strangers cannot use up.
    package var guests = 2048
    package var guestsPerHolder = 256
    /// Connections that came for a way out.
    package var leaving = 64
    package var leavingPerHolder = 16
    /// Connections that are relayed to the host they named.
    package var passing = 4096
    package var passingPerHolder = 1024
    /// Streams of shield pages.
    package var streams = 512
    package var streamsPerHolder = 32
    /// Pages that an event loop renders for one holder in a second; beyond, a line of text with the same status.
    package var pagesPerSecond = 50
    /// Presses on the shield's buttons that an event loop takes from one holder in ten seconds.
    package var actionsPerTenSeconds = 10
    /// Bytes of the form that a button sends.
    package var formBytes = 4 * 1024
    /// Body bytes that are read and dropped before the connection is given up.
    package var droppedBodyBytes = 64 * 1024

    package init() {}
}
