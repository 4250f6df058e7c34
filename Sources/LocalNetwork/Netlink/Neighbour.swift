package import Directory
import Glibc
import LinuxCalls

/// A device that this machine has spoken with on its links (ARP, RFC 826; NDP, RFC 4861).
package struct Neighbour: Hashable, Sendable {
    package var address: IPAddress
    package var hardware: MACAddress
    package var interface: String
    /// False once the kernel has not heard of it lately; its hardware address may have moved on.
    package var isFresh: Bool
}

package enum NeighbourTable {
    package struct Unreadable: Error, Sendable {
        package var code: Int32
    }

    /// Both IP versions, as the kernel's netlink tells them (rtnetlink(7)). Takes well under a millisecond.
    package static func current() throws(Unreadable) -> [Neighbour] {
        let link = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), NETLINK_ROUTE)
        guard link >= 0 else { throw Unreadable(code: errno) }
        defer { close(link) }
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let request = NeighbourRequest()
        let sent = withUnsafeBytes(of: request) { send(link, $0.baseAddress!, $0.count, 0) }
        guard sent > 0 else { throw Unreadable(code: errno) }

        var neighbours: [Neighbour] = []
        var names: [UInt32: String?] = [:]
        while true {
            var count = 0
            let datagram = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, filled in
                count = recv(link, buffer.baseAddress, buffer.count, 0)
                filled = max(0, count)
            }
            guard count > 0 else { throw Unreadable(code: count == 0 ? EPROTO : errno) }
            let part = NeighbourReply(datagram[...]) { index in
                let name = names[index] ?? NeighbourReply.interfaceName(index)
                names[index] = .some(name)
                return name
            }
            neighbours += part.neighbours
            if let code = part.errorCode { throw Unreadable(code: code) }
            if part.isLast { return neighbours }
        }
    }
}

/// RTM_GETNEIGH for all interfaces and both IP versions.
private struct NeighbourRequest {
    var header = nlmsghdr()
    var body = ndmsg()

    init() {
        header.nlmsg_len = UInt32(MemoryLayout<NeighbourRequest>.size)
        header.nlmsg_type = UInt16(RTM_GETNEIGH)
        header.nlmsg_flags = UInt16(NLM_F_REQUEST | NLM_F_DUMP)
        header.nlmsg_seq = 1
    }
}
