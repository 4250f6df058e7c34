/// One way in which a device could get around this server, and what its live check saw of it.
package struct WayAround: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Another DNS server answers, for all names or for some.
        case otherServer
        /// The router asks in the device's place, so the device's own rules do not hold.
        case routerAsks
        /// Encrypted DNS of the system, an app or the browser, with a server that they chose.
        case privateDNS
        /// A browser that asks the network whether it may use its own DNS server.
        case browserDNS
        case privateRelay
        case vpn
        case proxy
        /// The system looks for an encrypted way to reach its configured server (RFC 9462).
        case designatedResolver
        /// The browser asks for HTTPS records, which hold more addresses (RFC 9460).
        case serviceRecords
        /// HTTP over UDP, which no page can test.
        case quic
    }

    package enum Standing: String, Hashable, Sendable {
        /// The device gets through this way at night.
        case open
        /// The device may get through; the signs do not say.
        case unclear
        /// This server's answers close this way.
        case held
        /// The check saw no sign of it.
        case unseen
    }

    package let kind: Kind
    package let standing: Standing
    /// For `otherServer`: the protocol over which it is asked; `either` if unknown.
    package var family = SetupCheck.Family.either
    /// For `otherServer`: whether the device asks this server as well.
    package var isPartial = false
    /// The address that asked in the device's place.
    package var askedBy: String?

    package init(_ kind: Kind, _ standing: Standing) {
        self.kind = kind
        self.standing = standing
    }
}
