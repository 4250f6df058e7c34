package import DNS

/// Bytes that moved between a client and an app's hosts by way of this server.
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
