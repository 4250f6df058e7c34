import Foundation
package import Hummingbird
package import NIOCore
import Policy

/// One request: its address, its connection, and who asks.
package struct Visit: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Canonical text of the asking device's address; behind a reverse proxy, the address that the proxy names.
    package var address: String
    /// Set by `ProxyCheck`; nil for a direct request.
    var through: ThroughProxy?
    /// The asking device, set by `Entrance`; nil: none is known, or it may be one of several.
    var device: DeviceID?
    /// The devices that it may be, if it is not certain.
    var candidates: [DeviceID] = []
    /// Whether its client used TLS.
    package var isSecure = false
    /// Whether this very connection has TLS, whatever a reverse proxy says of its own.
    package var isEncrypted = false
    package let channel: any Channel
    /// Set by `Entrance`.
    var credential: Credential?

    /// The UUID in the path; nil if it is none.
    var pathID: UUID? { parameters.get("id").flatMap { UUID(uuidString: $0) } }

    /// The UUID in the path; throws 404 if it is none.
    var itemID: UUID {
        get throws {
            guard let pathID else { throw PageError(.notFound) }
            return pathID
        }
    }

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        address = NetworkAddress.text(of: source.channel.remoteAddress)
    }
}

extension Request {
    /// The UUID in a member of the query; nil if it is none.
    func queryID(_ name: Substring) -> UUID? {
        uri.queryParameters[name].flatMap { UUID(uuidString: String($0)) }
    }
}
