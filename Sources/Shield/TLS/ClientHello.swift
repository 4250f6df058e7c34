import Directory

/// What the first bytes of a TLS connection say (RFC 8446, 4.1.2). Accepts any bytes and never throws.
package enum ClientHello: Hashable, Sendable {
    case unfinished
    /// Not a TLS handshake, or a handshake that contradicts itself.
    case malformed
    /// `name` is the SNI in lower case, as sent; `version` is the legacy version (0x0303 from TLS 1.2 on).
    case hello(name: String?, version: UInt16)

    /// The longest accepted hello; a hello with post-quantum keys has about 2 KB.
    package static let limit = 16 * 1024

    package init(_ bytes: some Collection<UInt8>) {
        self = Self.read(Array(bytes.prefix(Self.limit + 1)))
    }

    private static func read(_ bytes: [UInt8]) -> ClientHello {
        var message: [UInt8] = []
        var records = Reader(bytes[...])
        while true {
            guard let type = records.byte() else { return .unfinished }
            guard type == 22 else { return .malformed }
            guard let major = records.byte(), records.byte() != nil else { return .unfinished }
            guard major == 3 else { return .malformed }
            guard let length = records.number(2) else { return .unfinished }
            guard length > 0, length <= 16_384 else { return .malformed }
            let fragment = records.upTo(length)
            message += fragment
            if let first = message.first, first != 1 { return .malformed }
            if message.count >= 4 {
                let size = message[1...3].reduce(0) { $0 << 8 | Int($1) }
                if size > limit { return .malformed }
                if message.count >= 4 + size { return hello(message[4..<(4 + size)]) }
            }
            if fragment.count < length { return bytes.count > limit ? .malformed : .unfinished }
        }
    }

    private static func hello(_ body: ArraySlice<UInt8>) -> ClientHello {
        var reader = Reader(body)
        guard let version = reader.number(2), reader.skip(32), reader.skip(reader.number(1)),
            reader.skip(reader.number(2)), reader.skip(reader.number(1))
        else { return .malformed }
        let legacy = UInt16(version)
        guard let length = reader.number(2) else { return .hello(name: nil, version: legacy) }
        guard let bytes = reader.exactly(length) else { return .malformed }
        var extensions = Reader(bytes)
        while let type = extensions.number(2) {
            guard let content = extensions.exactly(extensions.number(2)) else { return .malformed }
            if type == 0 {
                guard let name = serverName(content) else { return .malformed }
                return .hello(name: name, version: legacy)
            }
        }
        return .hello(name: nil, version: legacy)
    }

    /// The first name of type host_name (RFC 6066, 3).
    private static func serverName(_ content: ArraySlice<UInt8>) -> String? {
        var list = Reader(content)
        guard let entries = list.exactly(list.number(2)) else { return nil }
        var reader = Reader(entries)
        guard reader.byte() == 0, let name = reader.exactly(reader.number(2)) else { return nil }
        guard case .name(let host) = HostValue(name) else { return nil }
        return host
    }
}

/// Takes numbers and slices off the front of bytes; nil if the bytes end too early.
private struct Reader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func number(_ count: Int) -> Int? {
        guard let bytes = exactly(count) else { return nil }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func exactly(_ count: Int?) -> ArraySlice<UInt8>? {
        guard let count, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func upTo(_ count: Int) -> ArraySlice<UInt8> {
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func skip(_ count: Int?) -> Bool { exactly(count) != nil }
}
