package import DNS

/// Bytes that this server relayed between a client and an app's hosts.
package struct Relayed: Hashable, Sendable {
    package var client: ClientAddress
    package var app: String
    package var bytes: Int

    package init(client: ClientAddress, app: String, bytes: Int) {
        self.client = client
        self.app = app
        self.bytes = bytes
    }
}
