import Glibc
import LinuxCalls
import Synchronization

/// Whether something of this machine's network may have changed, as the kernel announces it (rtnetlink(7)). Asking is one
/// call, and reading all of it anew takes many.
final class NetworkNews: Sendable {
    /// What is announced: groups of rtnetlink.
    struct Topic: Sendable {
        fileprivate let groups: UInt32

        static let links = Topic(
            groups: UInt32(
                RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE
                    | RTMGRP_IPV6_ROUTE))
        /// Who has which hardware address.
        static let neighbours = Topic(groups: UInt32(RTMGRP_NEIGH))
    }

    /// Nil: the kernel announces nothing here.
    private let socket: Int32?
    private let isFirst = Atomic(true)

    init(of topic: Topic) {
        let kinds = SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let opened = Glibc.socket(AF_NETLINK, Int32(kinds), NETLINK_ROUTE)
        var address = sockaddr_nl()
        address.nl_family = UInt16(AF_NETLINK)
        address.nl_groups = topic.groups
        let size = socklen_t(MemoryLayout<sockaddr_nl>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(opened, $0, size) == 0 }
        }
        // As little as the kernel permits: what has no room is lost, and that is news too.
        var room: Int32 = 1
        setsockopt(opened, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        if opened >= 0, !isBound { close(opened) }
        socket = isBound ? opened : nil
    }

    deinit { if let socket { close(socket) } }

    /// Whether something may have changed since the last call; true the first time. One caller sees each change.
    func take() -> Bool {
        guard let socket else { return true }
        var isNews = isFirst.exchange(false, ordering: .relaxed)
        var buffer = (0 as UInt64, 0 as UInt64)
        // What they say is cut off: that there are some is enough. If there were too many, the kernel says ENOBUFS once.
        while recv(socket, &buffer, MemoryLayout.size(ofValue: buffer), 0) > 0 || errno == ENOBUFS {
            isNews = true
        }
        return isNews
    }
}
