import Dispatch
import Glibc
import LinuxCalls

/// The kernel's connection tracking table (nf_conntrack), over nfnetlink.
package enum ConnectionTable {
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        case refused(code: Int32)
        /// It took longer than `patience`.
        case tooMuch

        package var description: String {
            switch self {
            // Without the module the kernel refuses the message (EINVAL) or the socket (EPROTONOSUPPORT).
            case .refused(EINVAL), .refused(EPROTONOSUPPORT), .refused(EOPNOTSUPP):
                "The kernel's connection table cannot be changed (nf_conntrack_netlink is missing)."
            case .refused(let code):
                "The kernel's connection table cannot be changed: \(String(cString: strerror(code)))."
            case .tooMuch: "The kernel's connection table is too large."
            }
        }
    }

    package struct Cleared: Hashable, Sendable {
        package var deleted: Int
        /// Running connections, which the rules end with a reset, and those beyond the limit of one pass.
        package var left: Int

        package init(deleted: Int, left: Int) {
            self.deleted = deleted
            self.left = left
        }
    }

    /// How many entries one pass deletes, and how many seconds it may take.
    private static let most = 65_536
    private static let patience: Double = 10

    /// One pass at a time, on its own thread: a busy router has a hundred thousand entries.
    private static let queue = DispatchQueue(label: "conntrack", qos: .utility)

    /// Deletes the entries of connections that rules already in force refuse.
    /// - Parameter hasDetours: whether packets of open connections may bypass the rules. If not, running TCP
    ///   connections are left to the rules: their reset reaches both ends only while the kernel has the entry.
    package static func clear(of rules: GatewayRules, hasDetours: Bool) async throws -> Cleared {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try clearNow(rules, hasDetours) }) }
        }
    }

    private static func clearNow(_ rules: GatewayRules, _ hasDetours: Bool) throws(Failure) -> Cleared {
        let refused = RefusedFlows(
            rules, neighbours: (try? NeighbourTable.current()) ?? [],
            own: (LocalAddresses.current() ?? []).map(\.address))
        let link = try ConnectionLink(patience: patience)
        var cleared = Cleared(deleted: 0, left: 0)
        var keys: [TrackedFlow.Key] = []
        try link.read { flow in
            guard refused.contain(flow) else { return }
            if keys.count < most, hasDetours || flow.passesRules || !flow.isRunning {
                keys.append(flow.key)
            } else {
                cleared.left += 1
            }
        }
        cleared.deleted = try link.delete(keys)
        return cleared
    }
}

/// A NETLINK_NETFILTER socket for one reading and the deletions after it.
private final class ConnectionLink {
    private let descriptor: Int32
    private let end: ContinuousClock.Instant
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    init(patience: Double) throws(ConnectionTable.Failure) {
        end = ContinuousClock.now + .seconds(patience)
        descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), NETLINK_NETFILTER)
        if descriptor < 0 { throw .refused(code: errno) }
        var wait = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Passes all connections of both IP versions to `take`, without keeping them.
    func read(_ take: (TrackedFlow) -> Void) throws(ConnectionTable.Failure) {
        try send(ConnectionRequest.dump)
        var isLast = false
        while !isLast {
            for message in try receive() {
                switch Int32(message.type) {
                case NLMSG_DONE: isLast = true
                case NLMSG_ERROR: throw .refused(code: message.errorCode)
                case Int32(ConnectionRequest.entry):
                    if let flow = TrackedFlow(message.body) { take(flow) }
                default: break
                }
            }
        }
    }

    /// - Returns: how many of them still existed.
    func delete(_ keys: [TrackedFlow.Key]) throws(ConnectionTable.Failure) -> Int {
        var deleted = 0
        var failure: Int32 = 0
        // A batch is small enough that its answers fit into the socket's buffer.
        for start in stride(from: 0, to: keys.count, by: 64) {
            let some = keys[start..<min(start + 64, keys.count)]
            try send(ConnectionRequest.deletion(of: some))
            var answers = 0
            while answers < some.count {
                for message in try receive() where Int32(message.type) == NLMSG_ERROR {
                    answers += 1
                    switch message.errorCode {
                    case 0: deleted += 1
                    case ENOENT: break  // it ended by itself meanwhile
                    case let code: failure = code
                    }
                }
            }
        }
        if failure != 0 { throw .refused(code: failure) }
        return deleted
    }

    private func send(_ bytes: [UInt8]) throws(ConnectionTable.Failure) {
        guard Glibc.send(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw .refused(code: errno)
        }
    }

    private func receive() throws(ConnectionTable.Failure) -> [NetlinkMessage] {
        if ContinuousClock.now > end { throw .tooMuch }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw .refused(code: count == 0 ? EPROTO : errno) }
        var messages: [NetlinkMessage] = []
        NetlinkMessage.each(in: buffer[..<count]) { messages.append($0) }
        return messages
    }
}

/// Messages to the kernel about connections.
enum ConnectionRequest {
    private static func type(_ message: cntl_msg_types) -> UInt16 {
        UInt16(NFNL_SUBSYS_CTNETLINK) << 8 | UInt16(message.rawValue)
    }

    /// The type of a message about a connection.
    static let entry = type(IPCTNL_MSG_CT_NEW)

    /// Asks for all connections of both IP versions.
    static var dump: [UInt8] {
        var writer = NetlinkWriter()
        writer.message(type(IPCTNL_MSG_CT_GET), flags: NLM_F_REQUEST | NLM_F_DUMP, sequence: 1) {
            $0.raw(nfgenmsg(nfgen_family: UInt8(AF_UNSPEC), version: UInt8(NFNETLINK_V0), res_id: 0))
        }
        return writer.bytes
    }

    /// One message for each, always acknowledged. It includes the entry's id, so that a newer connection between the
    /// same ends stays.
    static func deletion(of keys: some Sequence<TrackedFlow.Key>) -> [UInt8] {
        var writer = NetlinkWriter()
        for (index, key) in keys.enumerated() {
            writer.message(
                type(IPCTNL_MSG_CT_DELETE), flags: NLM_F_REQUEST | NLM_F_ACK, sequence: UInt32(index + 2)
            ) { writer in
                let family = TrackedFlow.Ends(key.tuple[...])?.source.bytes.count == 16 ? AF_INET6 : AF_INET
                writer.raw(nfgenmsg(nfgen_family: UInt8(family), version: UInt8(NFNETLINK_V0), res_id: 0))
                writer.attribute(Int(CTA_TUPLE_ORIG.rawValue) | Int(NLA_F_NESTED), key.tuple)
                if let id = key.id { writer.attribute(Int(CTA_ID.rawValue), id) }
                if let zone = key.zone { writer.attribute(Int(CTA_ZONE.rawValue), zone) }
            }
        }
        return writer.bytes
    }
}
