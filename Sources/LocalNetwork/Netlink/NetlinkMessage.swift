import Glibc
import LinuxCalls

/// One message of a netlink datagram (netlink(7)).
struct NetlinkMessage {
    var type: UInt16
    var sequence: UInt32
    /// What follows the header.
    var body: ArraySlice<UInt8>

    /// Passes the messages of a datagram to `take`. Lengths are checked although the kernel wrote them: a wrong one
    /// ends the datagram.
    static func each(in datagram: ArraySlice<UInt8>, _ take: (NetlinkMessage) -> Void) {
        var rest = datagram
        while let header = load(nlmsghdr.self, rest), header.nlmsg_len >= headerSize,
            Int(header.nlmsg_len) <= rest.count
        {
            let body = rest.prefix(Int(header.nlmsg_len)).dropFirst(headerSize)
            take(NetlinkMessage(type: header.nlmsg_type, sequence: header.nlmsg_seq, body: body))
            rest = rest.dropFirst(aligned(Int(header.nlmsg_len)))
        }
    }

    /// The errno of an NLMSG_ERROR; 0: success.
    var errorCode: Int32 { -(Self.load(Int32.self, body) ?? -EPROTO) }

    /// Passes the attributes in some bytes to `take`, by their numbers without the two flag bits.
    static func eachAttribute(in bytes: ArraySlice<UInt8>, _ take: (Int, ArraySlice<UInt8>) -> Void) {
        var rest = bytes
        while let attribute = load(nlattr.self, rest), attribute.nla_len >= attributeSize,
            Int(attribute.nla_len) <= rest.count
        {
            let value = rest.prefix(Int(attribute.nla_len)).dropFirst(attributeSize)
            take(Int(attribute.nla_type & 0x3FFF), value)
            rest = rest.dropFirst(aligned(Int(attribute.nla_len)))
        }
    }

    static let headerSize = MemoryLayout<nlmsghdr>.size
    static let attributeSize = MemoryLayout<nlattr>.size

    static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }

    static func load<T: BitwiseCopyable>(_ type: T.Type, _ bytes: ArraySlice<UInt8>) -> T? {
        guard bytes.count >= MemoryLayout<T>.size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: type) }
    }
}

/// Builds messages for the kernel.
struct NetlinkWriter {
    private(set) var bytes: [UInt8] = []

    /// Adds a message; `fill` adds what follows its header.
    mutating func message(
        _ type: UInt16, flags: Int32, sequence: UInt32, _ fill: (inout NetlinkWriter) -> Void
    ) {
        let start = bytes.count
        var header = nlmsghdr()
        header.nlmsg_type = type
        header.nlmsg_flags = UInt16(flags)
        header.nlmsg_seq = sequence
        raw(header)
        fill(&self)
        let length = UInt32(bytes.count - start)
        withUnsafeBytes(of: length) { bytes.replaceSubrange(start..<start + 4, with: $0) }
        pad()
    }

    /// Adds an attribute; the value must be in the byte order of its type.
    mutating func attribute(_ type: Int, _ value: some Collection<UInt8>) {
        raw(nlattr(nla_len: UInt16(NetlinkMessage.attributeSize + value.count), nla_type: UInt16(type)))
        bytes += value
        pad()
    }

    mutating func raw<T: BitwiseCopyable>(_ value: T) {
        withUnsafeBytes(of: value) { bytes += $0 }
    }

    private mutating func pad() {
        while bytes.count % 4 != 0 { bytes.append(0) }
    }
}
