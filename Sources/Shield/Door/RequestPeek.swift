package import Directory

/// Reads a connection's first request head, in pieces of any size, just far enough to decide who receives it.
///
/// It is stricter than the HTTP parsers behind it. Text that two parsers could read differently is refused here, so
/// that a foreign Host never reaches the dashboard. It looks at each byte once.
package struct RequestPeek: Sendable {
    package enum Reception: Hashable, Sendable {
        case dashboard
        case shield
        case refuse(BadRequest)
    }

    package enum BadRequest: Hashable, Sendable {
        /// Not a request (RFC 9112, 3), or a request that parsers read differently.
        case malformed
        /// The head is longer than the limit.
        case tooLarge
        /// A TLS handshake on a port for plain HTTP.
        case tls
        /// A foreign name on a TLS connection for an own name (RFC 9110, 15.5.20).
        case misdirected
        /// A reverse proxy that asks by HTTP/1.0, as nginx does unless it is told otherwise.
        case oldVersion
    }

    private let ownNames: OwnNames
    private let limit: Int
    private var lineStart = 0
    private var scanned = 0
    private var hasStartLine = false
    private let isProxy: Bool
    private var isForeign = false
    private var isOldVersion = false
    /// The first request's target, once its line is read.
    package private(set) var target = ""
    /// The host of a target in absolute form.
    private var targetHost: HostValue?
    private var hosts: [HostValue] = []

    /// The foreign host to which an ordinary request may be relayed; nil for a name that can be read in two ways, and
    /// for the shield's own paths.
    package var passage: String? {
        guard hasStartLine, !isForeign, targetHost == nil, hosts.count == 1, case .name(let name) = hosts[0],
            !ownNames.admits(hosts[0]), !target.hasPrefix(ShieldAnswer.corner)
        else { return nil }
        return name
    }

    /// - Parameters:
    ///   - limit: the longest head, in bytes.
    ///   - isProxy: whether a trusted reverse proxy asks.
    package init(ownNames: OwnNames, limit: Int, isProxy: Bool = false) {
        self.ownNames = ownNames
        self.limit = limit
        self.isProxy = isProxy
    }

    /// Looks at everything received so far, from the connection's first byte; nil until it has enough.
    package mutating func look(at bytes: UnsafeRawBufferPointer) -> Reception? {
        if bytes.first == 0x16 { return .refuse(.tls) }
        while let newline = bytes[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
            guard newline < limit else { return .refuse(.tooLarge) }
            guard newline > lineStart, bytes[newline - 1] == UInt8(ascii: "\r") else {
                return .refuse(.malformed)
            }
            let line = bytes[lineStart..<(newline - 1)]
            lineStart = newline + 1
            scanned = lineStart
            if !hasStartLine {
                if line.isEmpty && lineStart <= 4 { continue }  // RFC 9112, 2.2: empty lines before a request
                guard readStartLine(line) else { return .refuse(.malformed) }
                hasStartLine = true
            } else if line.isEmpty {
                return decision
            } else if !readField(line) {
                return .refuse(.malformed)
            }
        }
        scanned = bytes.count
        if bytes.count >= limit { return .refuse(.tooLarge) }
        if !hasStartLine && !Self.couldBeMethod(bytes[lineStart...]) { return .refuse(.malformed) }
        return nil
    }

    private var decision: Reception {
        if isProxy && isOldVersion { return .refuse(.oldVersion) }
        guard !isForeign, hosts.count == 1, ownNames.admits(targetHost ?? hosts[0]) else { return .shield }
        return .dashboard
    }

    /// Whether an unfinished first line can still become a method, so that garbage is refused at once.
    private static func couldBeMethod(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        let method = line.prefix(33).prefix { $0 != UInt8(ascii: " ") }
        return method.count <= 32 && method.allSatisfy { isTokenByte($0) || $0 == UInt8(ascii: "\r") }
    }

    /// Reads method, target and version. Other schemes, CONNECT and HTTP/1.0 (which needs no Host) are foreign.
    private mutating func readStartLine(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, (1...32).contains(words[0].count), words[0].allSatisfy(Self.isTokenByte)
        else {
            return false
        }
        guard let first = words[1].first, words[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            return false
        }
        if words[2].elementsEqual("HTTP/1.0".utf8) {
            (isForeign, isOldVersion) = (true, true)
        } else if !words[2].elementsEqual("HTTP/1.1".utf8) {
            return false
        }
        target = String(decoding: words[1], as: UTF8.self)
        targetHost = HostValue(absoluteTarget: target)
        let isOrigin = first == UInt8(ascii: "/") || words[1].elementsEqual("*".utf8)
        if !isOrigin && targetHost == nil || words[0].elementsEqual("CONNECT".utf8) { isForeign = true }
        return true
    }

    /// False for folded lines, spaces before the colon, and control characters (RFC 9112, 5.1 and 5.2).
    private mutating func readField(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let name = line[..<colon]
        let value = line[(colon + 1)...]
        guard !name.isEmpty, name.allSatisfy(Self.isTokenByte) else { return false }
        guard value.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else { return false }
        if name.count == 4, name.map({ $0 | 0x20 }).elementsEqual("host".utf8), hosts.count < 2 {
            hosts.append(HostValue(value))
        }
        return true
    }

    /// RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
