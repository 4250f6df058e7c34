import Glibc
import LinuxCalls
import Synchronization

/// Whether the machine's links, addresses or routes may have changed: the kernel announces it (rtnetlink(7)). To ask
/// costs one system call, and to read them all costs a hundred times that.
final class NetworkNews: Sendable {
    /// Negative: the kernel announces nothing here.
    private let link: CInt
    private let count = Mutex(0)

    init() {
        let type = SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let link = socket(AF_NETLINK, Int32(type), NETLINK_ROUTE)
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(
            RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(link, $0, socklen_t(MemoryLayout<sockaddr_nl>.size)) == 0
            }
        }
        if !isBound, link >= 0 { close(link) }
        self.link = isBound ? link : -1
    }

    deinit { if link >= 0 { close(link) } }

    /// A number that is another one after each announcement. Without announcements it is another one at each call.
    var edition: Int {
        count.withLock { count in
            if link < 0 || hasAnnouncement() { count += 1 }
            return count
        }
    }

    /// Takes all that were made. A full socket lost some, which is an announcement too.
    private func hasAnnouncement() -> Bool {
        var (found, start) = (false, UInt64(0))
        while true {
            // The kernel drops the rest of a message.
            let size = recv(link, &start, MemoryLayout<UInt64>.size, Int32(MSG_DONTWAIT))
            switch size < 0 ? errno : 0 {
            case 0, ENOBUFS: found = true
            case EINTR: continue
            case EAGAIN: return found
            default: return true
            }
        }
    }
}

/// What was read of the machine last. A look that fails, as all do without a free descriptor, changes nothing.
final class LastRead<Value: Sendable>: Sendable {
    private let last: Mutex<(value: Value, edition: Int?)>
    private let edition: @Sendable () -> Int?
    private let read: @Sendable () -> Value?

    /// - Parameter edition: stays the same until a new look is worth it; nil: always.
    init(
        _ first: Value, edition: @escaping @Sendable () -> Int? = { nil },
        read: @escaping @Sendable () -> Value?
    ) {
        last = Mutex((first, nil))
        self.edition = edition
        self.read = read
    }

    var now: Value {
        // Before the look: what is announced meanwhile is worth another.
        let edition = edition()
        let (known, readAt) = last.withLock { $0 }
        if let edition, edition == readAt { return known }
        let found = read()
        return last.withLock { last in
            if let found { last = (found, edition) }
            return last.value
        }
    }
}
