import Glibc
import LinuxCalls

/// One datagram of the kernel's answer to RTM_GETNEIGH.
struct NeighbourReply {
    var neighbours: [Neighbour] = []
    var isLast = false
    var errorCode: Int32?

    /// Lengths are checked though the kernel wrote them: what does not fit ends the datagram.
    init(_ datagram: ArraySlice<UInt8>, interfaceName: (UInt32) -> String? = Self.interfaceName) {
        var rest = datagram
        while let header = Self.load(nlmsghdr.self, rest), header.nlmsg_len >= 16,
            Int(header.nlmsg_len) <= rest.count
        {
            let message = rest.prefix(Int(header.nlmsg_len)).dropFirst(MemoryLayout<nlmsghdr>.size)
            switch Int32(header.nlmsg_type) {
            case NLMSG_DONE: isLast = true
            case NLMSG_ERROR: errorCode = -(Self.load(Int32.self, message) ?? -EPROTO)
            case Int32(RTM_NEWNEIGH):
                if let neighbour = Self.neighbour(message, interfaceName) { neighbours.append(neighbour) }
            default: break
            }
            rest = rest.dropFirst(Self.aligned(Int(header.nlmsg_len)))
        }
    }

    private static func neighbour(
        _ message: ArraySlice<UInt8>, _ interfaceName: (UInt32) -> String?
    ) -> Neighbour? {
        guard let body = load(ndmsg.self, message) else { return nil }
        let state = Int32(body.ndm_state)
        let family = Int32(body.ndm_family)
        guard family == AF_INET || family == AF_INET6, state & (NUD_INCOMPLETE | NUD_FAILED | NUD_NOARP) == 0
        else {
            return nil
        }
        var address: AddressBytes?
        var hardware: ArraySlice<UInt8> = []
        var rest = message.dropFirst(aligned(MemoryLayout<ndmsg>.size))
        while let attribute = load(rtattr.self, rest), attribute.rta_len >= 4,
            Int(attribute.rta_len) <= rest.count
        {
            let value = rest.prefix(Int(attribute.rta_len)).dropFirst(MemoryLayout<rtattr>.size)
            if attribute.rta_type == UInt16(NDA_DST) { address = AddressBytes(value) }
            if attribute.rta_type == UInt16(NDA_LLADDR) { hardware = value }
            rest = rest.dropFirst(aligned(Int(attribute.rta_len)))
        }
        guard let address, hardware.count == 6, hardware.contains(where: { $0 != 0 }),
            let interface = interfaceName(UInt32(bitPattern: body.ndm_ifindex))
        else { return nil }
        return Neighbour(
            address: address.text, hardwareAddress: hardware.map(hexByte).joined(separator: ":"),
            interface: interface,
            isFresh: state & (NUD_REACHABLE | NUD_DELAY | NUD_PROBE | NUD_PERMANENT) != 0)
    }

    static func interfaceName(_ index: UInt32) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(IF_NAMESIZE))
        let isKnown = buffer.withUnsafeMutableBytes { bytes in
            if_indextoname(index, bytes.bindMemory(to: CChar.self).baseAddress!) != nil
        }
        return isKnown ? String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self) : nil
    }

    private static func hexByte(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
    }

    private static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }

    private static func load<T: BitwiseCopyable>(_ type: T.Type, _ bytes: ArraySlice<UInt8>) -> T? {
        guard bytes.count >= MemoryLayout<T>.size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: type) }
    }
}
