/// The reverse proxies that are believed when they say who asks: the one rule of `--behind-proxy`, for pages and shield.
///
/// A proxy is believed by the address from which it connects. Everybody else's fields are read by nobody.
package struct ReverseProxies: Sendable {
    /// What a trusted proxy says of one request.
    package struct Word: Hashable, Sendable {
        /// The client's address; nil if the proxy does not say, or if its fields contradict each other.
        package var client: IPAddress?
        /// Whether its two fields name different clients: one of them comes from the client itself.
        package var isContradictory = false
        /// Whether the client used HTTPS; nil if the proxy does not say.
        package var isSecure: Bool?
    }

    /// An address, or a network such as 172.18.0.0/16.
    package struct Network: Hashable, Sendable {
        private let first: IPAddress
        private let bits: Int

        /// Reads `192.168.1.7` and `172.18.0.0/16`; nil for other texts, and for a network of half the world.
        package init?(_ text: some StringProtocol) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let address = IPAddress(String(parts[0])) else { return nil }
            let most = address.isV4 ? 32 : 128
            guard let length = parts.count > 1 ? Int(parts[1]) : most, (8...most).contains(length) else {
                return nil
            }
            bits = address.isV4 ? length + 96 : length
            first = Self.masked(address, bits)
        }

        package func contains(_ address: IPAddress) -> Bool { Self.masked(address, bits) == first }

        private static func masked(_ address: IPAddress, _ bits: Int) -> IPAddress {
            let high = bits >= 64 ? UInt64.max : ~(UInt64.max >> UInt64(bits))
            let low = bits <= 64 ? 0 : bits >= 128 ? UInt64.max : ~(UInt64.max >> UInt64(bits - 64))
            return IPAddress(high: address.high & high, low: address.low & low)
        }
    }

    private let trusted: [Network]

    package init(_ trusted: [Network] = []) { self.trusted = trusted }

    package func trusts(_ peer: IPAddress?) -> Bool {
        peer.map { peer in trusted.contains { $0.contains(peer) } } ?? false
    }

    /// Nil if the peer is no trusted proxy: then it is the client itself.
    ///
    /// A field that a proxy does not write comes from its client. So where `X-Forwarded-For` and `Forwarded` (RFC 7239)
    /// are both there, they count only if they agree.
    /// - Parameter fields: the values of a field, in order, by its name.
    package func word(of peer: IPAddress?, _ fields: (_ name: String) -> [String]) -> Word? {
        guard trusts(peer) else { return nil }
        let plain = fields("X-Forwarded-For").flatMap { $0.split(separator: ",") }.map {
            Self.address(of: $0)
        }
        let elements = fields("Forwarded").flatMap(Self.elements)
        let full = elements.map { $0["for"].flatMap { Self.address(of: $0) } }
        let told = [plain, full].filter { !$0.isEmpty }.map(client)
        let secure = fields("X-Forwarded-Proto").last ?? elements.last?["proto"]
        let clients = Set(told)
        return Word(
            client: clients.count == 1 ? told[0] : nil, isContradictory: clients.count > 1,
            isSecure: secure?.split(separator: ",").last.map { Self.trimmed($0).lowercased() == "https" })
    }

    /// Each proxy adds its peer at the end. So the client is the last address that is no trusted proxy; if there is none,
    /// the first proxy asks for itself.
    private func client(_ hops: [IPAddress?]) -> IPAddress? {
        hops.last { hop in hop.map { !trusts($0) } ?? true } ?? hops.first ?? nil
    }

    /// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`; nil for `unknown` and made-up names.
    private static func address(of text: some StringProtocol) -> IPAddress? {
        let bare = trimmed(text)
        if bare.hasPrefix("[") { return IPAddress(String(bare.dropFirst().prefix { $0 != "]" })) }
        return IPAddress(bare) ?? IPAddress(String(bare.prefix { $0 != ":" }))
    }

    /// The elements of a `Forwarded` field, each with its parameters by name in lower case (RFC 7239, 4).
    private static func elements(_ field: String) -> [[String: String]] {
        pieces(field, at: ",").map { element in
            var parameters: [String: String] = [:]
            for pair in pieces(element, at: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { continue }
                parameters[trimmed(parts[0]).lowercased()] = trimmed(parts[1]).filter { !"\"\\".contains($0) }
            }
            return parameters
        }
    }

    /// Splits a text where a separator is not inside quotes.
    private static func pieces(_ text: String, at separator: Character) -> [String] {
        var (isQuoted, isEscaped) = (false, false)
        return text.split(omittingEmptySubsequences: false) { character in
            defer { isEscaped = isQuoted && !isEscaped && character == "\\" }
            if character == "\"" && !isEscaped { isQuoted.toggle() }
            return character == separator && !isQuoted
        }.map(String.init)
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop { " \t".contains($0) }.reversed().drop { " \t".contains($0) }.reversed())
    }
}
