/// Whose share of what is bounded is counted: connections, streams, relays, tries of a passcode, new devices.
///
/// One device is one holder with all the addresses that it gives itself, as far as the kernel can tell. DNS counts by the
/// same rule over its own address type (`ClientAddress.holder`), because it imports nothing of ours.
package struct Holder: Hashable, Sendable {
    /// A hardware address, an IPv4 address, or the /64 network of an IPv6 address; empty for a socket without a peer.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// The hardware address where there is one, else an IPv6 network of 64 bits, whose addresses cost nothing, else the
    /// address.
    ///
    /// - Parameter address: canonical text.
    package init(hardware: String?, address: String) {
        if let hardware {
            text = hardware
        } else if let bytes = Reach.bytes(address), bytes.count == 16 {
            text = bytes.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        } else {
            text = address
        }
    }
}
