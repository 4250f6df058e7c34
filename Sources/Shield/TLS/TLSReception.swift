package import Directory
import NIOCore

/// What happens to a TLS connection once its ClientHello is known.
package enum TLSReception: Hashable, Sendable {
    case alert(TLSAlert)
    /// TLS ends here, for the server's own pages.
    case own
    /// TLS ends here, at the shield, with a leaf that the asking device trusts.
    case shield(name: String)
    /// Relayed unread to the name's host.
    case relay(name: String)

    /// What the asking device gets for a foreign name.
    package enum Foreign: Hashable, Sendable { case shown, relayed, refused }

    /// Serves own names, and clients without a name, because they came by an address. For any other name, a client that
    /// cannot get the shield gets an alert at once.
    /// - Parameter ownNames: nil if there is no certificate for them.
    package static func receive(
        _ hello: ClientHello, ownNames: OwnNames? = nil, foreign: (String) -> Foreign = { _ in .refused }
    ) -> TLSReception? {
        switch hello {
        case .unfinished: return nil
        case .malformed: return .alert(TLSAlert(.decodeError, version: 0x0303))
        case .hello(let name, let version):
            guard let name else {
                return ownNames == nil ? .alert(TLSAlert(.unrecognizedName, version: version)) : .own
            }
            if let ownNames, ownNames.admits(HostValue(name)) { return .own }
            return switch foreign(name) {
            case .shown: .shield(name: name)
            case .relayed: .relay(name: name)
            case .refused: .alert(TLSAlert(.unrecognizedName, version: version))
            }
        }
    }
}

/// A fatal alert as one plain record (RFC 8446, 6).
package struct TLSAlert: Hashable, Sendable {
    package enum Description: UInt8, Sendable {
        case decodeError = 50
        case internalError = 80
        case unrecognizedName = 112
    }

    package var description: Description
    /// The record's version: at most 0x0303, and at most the client's.
    package var version: UInt16

    package init(_ description: Description, version: UInt16) {
        self.description = description
        self.version = min(max(version, 0x0301), 0x0303)
    }

    package var bytes: [UInt8] {
        [21, UInt8(version >> 8), UInt8(version & 0xFF), 0, 2, 2, description.rawValue]
    }
}
