import Glibc
import LinuxCalls

/// A connection as the kernel remembers it (conntrack): what it let through, and what it translates.
struct TrackedFlow: Hashable, Sendable {
    /// What packets of one direction have in common.
    struct Ends: Hashable, Sendable {
        var source: AddressBytes
        var destination: AddressBytes
        /// Of the Internet protocol: 6 is TCP.
        var transport: UInt8
        /// 0 where the transport has none.
        var sourcePort: UInt16 = 0
        var destinationPort: UInt16 = 0
    }

    /// As it began.
    var original: Ends
    /// As answers come: addresses that were translated differ from the beginning's.
    var reply: Ends
    /// Bits of `IPS_…`.
    var status: UInt32
    /// One of `TCP_CONNTRACK_…`; nil: no TCP, or it is left to a flow table.
    var tcpState: UInt8?
    /// What it is deleted by: CTA_TUPLE_ORIG as it was read, its number, and its zone where it has one.
    var key: Key

    struct Key: Hashable, Sendable {
        var tuple: [UInt8]
        var id: [UInt8]?
        var zone: [UInt8]?
    }

    var isTCP: Bool { original.transport == UInt8(IPPROTO_TCP) }
    var isUDP: Bool { original.transport == UInt8(IPPROTO_UDP) }
    /// Whether both sides have said something.
    var isAnswered: Bool { status & IPS_SEEN_REPLY.rawValue != 0 }
    /// Whether its packets take a way on which no rule is.
    var passesRules: Bool { status & (IPS_OFFLOAD.rawValue | IPS_HW_OFFLOAD.rawValue) != 0 }

    /// Whether more of it may come, as far as the kernel saw.
    var isRunning: Bool {
        guard isTCP, let tcpState else { return false }
        let over = [TCP_CONNTRACK_TIME_WAIT, TCP_CONNTRACK_CLOSE].map(\.rawValue)
        return !over.contains(UInt32(tcpState))
    }
}

extension TrackedFlow {
    /// The body of a message of IPCTNL_MSG_CT_NEW; nil for what has no addresses that this house knows.
    init?(_ body: ArraySlice<UInt8>) {
        var original: Ends?
        var reply: Ends?
        var status: UInt32 = 0
        var tcpState: UInt8?
        var key = Key(tuple: [])
        NetlinkMessage.eachAttribute(in: body.dropFirst(Self.familyHeader)) { type, value in
            switch type {
            case Int(CTA_TUPLE_ORIG.rawValue):
                original = Ends(value)
                key.tuple = Array(value)
            case Int(CTA_TUPLE_REPLY.rawValue): reply = Ends(value)
            case Int(CTA_STATUS.rawValue): status = Self.number(value)
            case Int(CTA_PROTOINFO.rawValue): tcpState = Self.tcpState(value)
            case Int(CTA_ID.rawValue): key.id = Array(value)
            case Int(CTA_ZONE.rawValue): key.zone = Array(value)
            default: break
            }
        }
        guard let original, let reply else { return nil }
        self.init(original: original, reply: reply, status: status, tcpState: tcpState, key: key)
    }

    /// Of `nfgenmsg`.
    static let familyHeader = NetlinkMessage.aligned(MemoryLayout<nfgenmsg>.size)

    private static func tcpState(_ info: ArraySlice<UInt8>) -> UInt8? {
        var state: UInt8?
        NetlinkMessage.eachAttribute(in: info) { type, value in
            guard type == Int(CTA_PROTOINFO_TCP.rawValue) else { return }
            NetlinkMessage.eachAttribute(in: value) { type, value in
                if type == Int(CTA_PROTOINFO_TCP_STATE.rawValue) { state = value.first }
            }
        }
        return state
    }

    /// Netfilter writes numbers in network order.
    fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension TrackedFlow.Ends {
    /// The value of CTA_TUPLE_ORIG or CTA_TUPLE_REPLY.
    init?(_ tuple: ArraySlice<UInt8>) {
        var source: AddressBytes?
        var destination: AddressBytes?
        var transport: UInt8?
        var ports: (UInt16, UInt16) = (0, 0)
        NetlinkMessage.eachAttribute(in: tuple) { type, value in
            if type == Int(CTA_TUPLE_IP.rawValue) {
                NetlinkMessage.eachAttribute(in: value) { type, value in
                    switch type {
                    case Int(CTA_IP_V4_SRC.rawValue), Int(CTA_IP_V6_SRC.rawValue):
                        source = AddressBytes(value)
                    case Int(CTA_IP_V4_DST.rawValue), Int(CTA_IP_V6_DST.rawValue):
                        destination = AddressBytes(value)
                    default: break
                    }
                }
            } else if type == Int(CTA_TUPLE_PROTO.rawValue) {
                NetlinkMessage.eachAttribute(in: value) { type, value in
                    switch type {
                    case Int(CTA_PROTO_NUM.rawValue): transport = value.first
                    case Int(CTA_PROTO_SRC_PORT.rawValue):
                        ports.0 = UInt16(truncatingIfNeeded: TrackedFlow.number(value))
                    case Int(CTA_PROTO_DST_PORT.rawValue):
                        ports.1 = UInt16(truncatingIfNeeded: TrackedFlow.number(value))
                    default: break
                    }
                }
            }
        }
        guard let source, let destination, let transport, source.bytes.count == destination.bytes.count else {
            return nil
        }
        self.init(
            source: source, destination: destination, transport: transport, sourcePort: ports.0,
            destinationPort: ports.1)
    }
}
