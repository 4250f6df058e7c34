/// Who is counted as one where anybody can make up addresses: whoever has a hardware address, else an IPv6 network of 64
/// bits, whose addresses cost nothing, else an address.
package enum Holder: Hashable, Sendable {
    case hardware(String)
    /// The first 8 bytes of an IPv6 address, as hexadecimal digits.
    case network(String)
    case address(String)

    /// - Parameter address: canonical text.
    package init(hardware: String?, address: String) {
        if let hardware {
            self = .hardware(hardware)
        } else if let bytes = Reach.bytes(address), bytes.count == 16 {
            self = .network(
                bytes.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
        } else {
            self = .address(address)
        }
    }
}
