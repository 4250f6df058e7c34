import NIOCore

extension Exchange {
    /// Who gets the answer.
    struct Waiter {
        let packet: [UInt8]
        let client: ClientAddress
        /// By what its share is counted (`ResolverLoop.holder`).
        let holder: ClientAddress
        let endpoint: OwnAddresses
        let isDatagram: Bool
        var isEncrypted = false
        /// Until when a gateway's look is waited for at the most; nil: it did not have to wait.
        var heldUntil: NIODeadline?
        let deliver: (ByteBuffer) -> Void
    }
}
