import Directory
import Glibc
import LinuxCalls

/// One datagram of the kernel's answer to RTM_GETNEIGH.
struct NeighbourReply {
    var neighbours: [Neighbour] = []
    var isLast = false
    var errorCode: Int32?

    init(_ datagram: ArraySlice<UInt8>, interfaceName: (UInt32) -> String? = Self.interfaceName) {
        NetlinkMessage.each(in: datagram) { message in
            switch Int32(message.type) {
            case NLMSG_DONE: isLast = true
            case NLMSG_ERROR: errorCode = message.errorCode
            case Int32(RTM_NEWNEIGH):
                if let neighbour = Self.neighbour(message.body, interfaceName) {
                    neighbours.append(neighbour)
                }
            default: break
            }
        }
    }

    private static func neighbour(
        _ message: ArraySlice<UInt8>, _ interfaceName: (UInt32) -> String?
    ) -> Neighbour? {
        guard let body = NetlinkMessage.load(ndmsg.self, message) else { return nil }
        let state = Int32(body.ndm_state)
        let family = Int32(body.ndm_family)
        guard family == AF_INET || family == AF_INET6, state & (NUD_INCOMPLETE | NUD_FAILED | NUD_NOARP) == 0
        else {
            return nil
        }
        var address: IPAddress?
        var hardware: MACAddress?
        let attributes = message.dropFirst(NetlinkMessage.aligned(MemoryLayout<ndmsg>.size))
        NetlinkMessage.eachAttribute(in: attributes) { type, value in
            if type == Int(NDA_DST) { address = IPAddress(value) }
            if type == Int(NDA_LLADDR) { hardware = MACAddress(value) }
        }
        guard let address, let hardware,
            let interface = interfaceName(UInt32(bitPattern: body.ndm_ifindex))
        else { return nil }
        return Neighbour(
            address: address, hardware: hardware, interface: interface,
            isFresh: state & (NUD_REACHABLE | NUD_DELAY | NUD_PROBE | NUD_PERMANENT) != 0)
    }

    static func interfaceName(_ index: UInt32) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(IF_NAMESIZE))
        let isKnown = buffer.withUnsafeMutableBytes { bytes in
            if_indextoname(index, bytes.bindMemory(to: CChar.self).baseAddress!) != nil
        }
        return isKnown ? String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self) : nil
    }
}
