/// Response codes (RFC 1035, 4.1.1; RFC 6891).
enum RCode {
    static let noError: UInt8 = 0
    static let formatError: UInt8 = 1
    static let serverFailure: UInt8 = 2
    static let nameError: UInt8 = 3
    static let notImplemented: UInt8 = 4
    static let refused: UInt8 = 5
    /// Extended: 1 in the OPT record's upper bits, 0 in the header.
    static let badVersion: UInt16 = 16
}

/// Record and question types that this server treats specially.
enum RecordType {
    static let a: UInt16 = 1
    static let ns: UInt16 = 2
    static let soa: UInt16 = 6
    static let ptr: UInt16 = 12
    static let hinfo: UInt16 = 13
    static let sig: UInt16 = 24
    static let aaaa: UInt16 = 28
    static let opt: UInt16 = 41
    static let ds: UInt16 = 43
    static let dnskey: UInt16 = 48
    static let svcb: UInt16 = 64
    static let https: UInt16 = 65
    static let tsig: UInt16 = 250
    /// TKEY, TSIG, IXFR, AXFR, MAILB, MAILA: no ordinary questions; 255 is ANY.
    static let metaTypes: ClosedRange<UInt16> = 249...254
    static let any: UInt16 = 255
}

extension UInt16 {
    /// Whether a record of this type tells a client where to connect.
    var isOfConnections: Bool {
        [RecordType.a, RecordType.aaaa, RecordType.https, RecordType.svcb].contains(self)
    }
}

/// Bits of a header's second word.
enum HeaderFlag {
    static let response: UInt16 = 0x8000
    static let truncated: UInt16 = 0x0200
    static let recursionDesired: UInt16 = 0x0100
    static let recursionAvailable: UInt16 = 0x0080
    static let authentic: UInt16 = 0x0020
    static let checkingDisabled: UInt16 = 0x0010
    static let opcode: UInt16 = 0x7800
}

/// Sizes in bytes.
enum WireSize {
    static let header = 12
    /// The largest UDP message that this server sends, and the size that it advertises (DNS flag day 2020).
    static let datagram = 1232
    /// The largest UDP message that resolvers usually send, also past the size that was advertised. A larger one is cut
    /// on arrival, like one with TC.
    static let usualDatagram = 4096
    /// The largest UDP message that a client without EDNS takes (RFC 1035, 4.2.1).
    static let plainDatagram = 512
    static let message = 65_535
    /// An OPT record without options.
    static let opt = 11
}

/// Options inside an OPT record.
enum OptionCode {
    static let padding: UInt16 = 12
    static let extendedError: UInt16 = 15
    /// Six bytes of a hardware address: dnsmasq's `add-mac`, from IANA's range for local use.
    static let hardwareAddress: UInt16 = 65_001
    /// The same as text or in base64: `add-mac=text`, `add-mac=base64`.
    static let deviceName: UInt16 = 65_073
}

extension UnsafeRawBufferPointer {
    /// A number in network order; the caller has checked the bounds.
    @inline(__always)
    func u16(_ offset: Int) -> UInt16 {
        UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inline(__always)
    func u32(_ offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// The offset behind the name at `start`, which may end in a pointer; nil if RFC 1035 forbids it: a pointer that
    /// does not lead back or leads into the header, label type 01 or 10, more than 255 bytes, or no end.
    func endOfName(at start: Int) -> Int? {
        var offset = start
        var end: Int?
        var limit = start
        var length = 1
        while offset < count {
            let size = Int(self[offset])
            switch size >> 6 {
            case 0 where size == 0:
                return end ?? offset + 1
            case 0:
                length += size + 1
                guard length <= WireName.longest else { return nil }
                offset += size + 1
            case 3:
                guard offset + 1 < count else { return nil }
                let target = (size & 0x3f) << 8 | Int(self[offset + 1])
                guard target >= WireSize.header && target < limit else { return nil }
                end = end ?? offset + 2
                limit = target
                offset = target
            default:
                return nil
            }
        }
        return nil
    }
}
