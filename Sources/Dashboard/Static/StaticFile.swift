/// A file of `Public/` as the composition root hands it in: its bytes, what they are, and a hash of them.
package struct StaticFile: Sendable {
    package let bytes: [UInt8]
    /// The value of `Content-Type`.
    package let mediaType: String
    /// Changes with the content; the ETag, and the `v` of an address that may be kept for ever.
    package let hash: String

    package init(bytes: [UInt8], mediaType: String, hash: String) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.hash = hash
    }
}
