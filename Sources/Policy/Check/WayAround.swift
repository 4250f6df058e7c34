/// One way in which a device could get around this server, and what its live check saw of it.
package struct WayAround: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Another DNS server answers, for all names or for some.
        case otherServer
        /// The router asks in the device's place, whose own rules then do not hold.
        case routerAsks
        /// Encrypted DNS of the system, of an app or of the browser, with a server of their own choice.
        case privateDNS
        /// A browser that asks the network whether it may use its own server.
        case browserDNS
        case privateRelay
        case vpn
        case proxy
        /// The system looks for an encrypted way to ask the server that it has (RFC 9462).
        case designatedResolver
        /// The browser asks for HTTPS records, which hold further addresses (RFC 9460).
        case serviceRecords
        /// HTTP over UDP, which no page can try.
        case quic
    }

    package enum Standing: String, Hashable, Sendable {
        /// At night the device gets through this way.
        case open
        /// It may; the signs do not tell it from others.
        case unclear
        /// This server answers so that it leads nowhere.
        case held
        /// Nothing of it was seen.
        case unseen
    }

    package let kind: Kind
    package let standing: Standing
    /// Of `otherServer`: by which protocol that one is asked; `either` where that cannot be told.
    package var family = SetupCheck.Family.either
    /// Of `otherServer`: whether this server is asked as well.
    package var isPartial = false
    /// Who asked in the device's place.
    package var askedBy: String?

    package init(_ kind: Kind, _ standing: Standing) {
        self.kind = kind
        self.standing = standing
    }
}
