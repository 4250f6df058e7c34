/// The holder of a share of what is bounded: connections, questions, streams, relays, tries of a passcode, new devices.
///
/// One device is one holder with all the addresses that it gives itself: its hardware address where the kernel knows one,
/// else an IPv4 address, or an IPv6 network of 64 bits, whose addresses cost nothing.
package struct Holder: Hashable, Sendable {
    /// An address, or what stands for a hardware address; nil for a socket without a peer.
    package let address: IPAddress?

    package init(_ address: IPAddress?, _ hardware: MACAddress? = nil) {
        self.address =
            hardware.map { IPAddress($0) } ?? (address?.isStandIn == true ? address : address?.network64)
    }
}
