/// The bytes that were relayed between a device and an app's hosts, both ways together.
package struct RelayedBytes: Hashable, Sendable {
    /// The device's address, in canonical text.
    package var address: String
    package var app: String
    package var bytes: Int
}
