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

    /// The UUID in the path; throws 404 if it is none.
    var itemID: UUID {
        get throws {
            guard let id = parameters.get("id").flatMap({ UUID(uuidString: $0) }) else {
                throw PageError(.notFound)
            }
            return id
        }
    }

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        address = NetworkAddress.text(of: source.channel.remoteAddress)
    }
}
