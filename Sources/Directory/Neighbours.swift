/// Who is on this machine's links: the hardware address of each neighbour's IP address (ARP, RFC 826; NDP, RFC 4861), as
/// of one reading. A value: each reader keeps the newest.
package struct Neighbours: Hashable, Sendable {
    package let hardware: [IPAddress: MACAddress]

    package init(_ hardware: [IPAddress: MACAddress] = [:]) { self.hardware = hardware }

    package subscript(address: IPAddress) -> MACAddress? { hardware[address] }

    /// All addresses that come with a hardware address.
    package func addresses(of hardware: MACAddress) -> [IPAddress] {
        self.hardware.filter { $0.value == hardware }.map(\.key)
    }

    /// By what the share of an address is counted (`Holder`).
    package func holder(of address: IPAddress) -> Holder { Holder(address, hardware[address]) }
}
