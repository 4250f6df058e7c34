import Glibc
import LinuxCalls

/// An entry of the kernel's connection table (conntrack): a connection and its address translation.
struct TrackedFlow: Hashable, Sendable {
    /// What the packets of one direction have in common.
    struct Ends: Hashable, Sendable {
        var source: AddressBytes
        var destination: AddressBytes
        /// The IP protocol number: 6 is TCP.
        var transport: UInt8
        /// 0 if the transport has no ports.
        var sourcePort: UInt16 = 0
        var destinationPort: UInt16 = 0
    }

    /// The direction in which it began.
    var original: Ends
    /// The direction of the answers; translated addresses differ from `original`.
    var reply: Ends
    /// Bits of `IPS_…`.
    var status: UInt32
    /// One of `TCP_CONNTRACK_…`; nil if it is not TCP, or was left to a flow table.
    var tcpState: UInt8?
    /// What identifies it for deletion: CTA_TUPLE_ORIG as it was read, its id, and its zone if it has one.
    var key: Key

    struct Key: Hashable, Sendable {
        var tuple: [UInt8]
        var id: [UInt8]?
        var zone: [UInt8]?
    }

    var isTCP: Bool { original.transport == UInt8(IPPROTO_TCP) }
    var isUDP: Bool { original.transport == UInt8(IPPROTO_UDP) }
    /// Whether both sides have sent something.
    var isAnswered: Bool { status & IPS_SEEN_REPLY.rawValue != 0 }
    /// Whether its packets bypass all rules.
    var passesRules: Bool { status & (IPS_OFFLOAD.rawValue | IPS_HW_OFFLOAD.rawValue) != 0 }

    /// Whether the connection may go on, as far as the kernel saw.
    var isRunning: Bool {
        guard isTCP, let tcpState else { return false }
        let over = [TCP_CONNTRACK_TIME_WAIT, TCP_CONNTRACK_CLOSE].map(\.rawValue)
        return !over.contains(UInt32(tcpState))
    }
}

extension TrackedFlow {
    /// Parses the body of an IPCTNL_MSG_CT_NEW message; nil if its addresses are of an unknown family.
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

    /// The length of `nfgenmsg`.
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
    /// Parses the value of CTA_TUPLE_ORIG or CTA_TUPLE_REPLY.
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
