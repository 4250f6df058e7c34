import Directory
package import NIOCore

/// Asks the home's own servers what they call an address (PTR, RFC 1035, 3.5). Only private addresses are asked about,
/// so that no server outside learns which devices the house has.
package struct ReverseLookup: Sendable {
    private let resolver: Resolver
    private let patience: TimeAmount

    package init(_ resolver: Resolver, patience: TimeAmount = .seconds(2)) {
        self.resolver = resolver
        self.patience = patience
    }

    /// The first label of the first server's answer, decoded as UTF-8; it can hold anything. Nil if no server knows.
    ///
    /// - Parameter address: canonical text; nil unless it is private (RFC 1918, RFC 4193) or shared (RFC 6598).
    package func name(of address: String, from servers: [SocketAddress]) async -> String? {
        guard let name = Self.question(about: address) else { return nil }
        for server in servers {
            // Devices that answer for themselves need not know EDNS.
            let upstream = Upstream(UpstreamServer(server), isSimple: true)
            let reply = await resolver.probe(upstream, name, type: RecordType.ptr, for: patience)
            if case .answer(let answer) = reply, let found = Self.target(in: answer.message) { return found }
        }
        return nil
    }

    /// The reverse name of a private address in wire form.
    static func question(about address: String) -> [UInt8]? {
        guard let parsed = ClientAddress(address) else { return nil }
        let all = [parsed.high, parsed.low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) }
        }
        if parsed.isV4 {
            let octets = Array(all[12...])
            guard isPrivate(octets) else { return nil }
            return WireName.wire(octets.reversed().map { "\($0)." }.joined() + "in-addr.arpa")
        }
        guard all[0] & 0xfe == 0xfc else { return nil }
        let nibbles = all.reversed().map {
            String($0 & 15, radix: 16) + "." + String($0 >> 4, radix: 16) + "."
        }
        return WireName.wire(nibbles.joined() + "ip6.arpa")
    }

    private static func isPrivate(_ octets: [UInt8]) -> Bool {
        switch (octets[0], octets[1]) {
        case (10, _), (172, 16...31), (192, 168), (100, 64...127): true
        default: false
        }
    }

    /// The first label of the first PTR record of an answer without error.
    static func target(in reply: [UInt8]) -> String? {
        reply.withUnsafeBytes { bytes in
            guard let records = Records(bytes), bytes[3] & 0x0f == 0, bytes.u16(4) == 1 else { return nil }
            let pointer = records.prefix(16).first { record in
                record.section == 0 && record.type == RecordType.ptr
                    && bytes.endOfName(at: record.data.lowerBound) == record.data.upperBound
            }
            return pointer.flatMap { firstLabel(bytes, at: $0.data.lowerBound) }
        }
    }

    /// `endOfName` has checked the pointers.
    private static func firstLabel(_ bytes: UnsafeRawBufferPointer, at start: Int) -> String? {
        var offset = start
        while offset + 1 < bytes.count, bytes[offset] >> 6 == 3 {
            offset = Int(bytes[offset] & 0x3f) << 8 | Int(bytes[offset + 1])
        }
        guard offset < bytes.count else { return nil }
        let size = Int(bytes[offset])
        guard size > 0, size < 64, offset + 1 + size <= bytes.count else { return nil }
        return String(decoding: bytes[(offset + 1)..<(offset + 1 + size)], as: UTF8.self)
    }
}
