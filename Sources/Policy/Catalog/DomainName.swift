import Foundation

/// A domain name as rules hold it: lower case, punycoded, without a trailing dot, at least two labels.
package struct DomainName: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package var description: String { text }

    /// Parses a bare name in any script; nil if it is not a name.
    package init?(_ name: String) {
        guard let host = Self.encoded(name), host.contains("."), !Self.isAddress(host) else { return nil }
        text = host
    }

    /// Takes what people type or paste, also page addresses: `https://www.example.org/a?b`, `*.example.org`,
    /// `example.org:8080`, `bücher.example` (RFC 1035, RFC 5891).
    package init(typed: String) throws(Refusal) {
        let part = Self.host(of: typed)
        guard !part.isEmpty else { throw .domainMissing }
        guard !Self.isAddress(part) else { throw .domainIsAddress(part) }
        guard let host = Self.encoded(part) else { throw .domainInvalid(part) }
        guard host.contains(".") else { throw .domainSingleLabel(host) }
        guard !Self.isAddress(host) else { throw .domainIsAddress(host) }
        guard !Self.publicSuffixes.contains(host) else { throw .domainTooBroad(host) }
        text = host
    }

    /// Lower case (ASCII) and without one trailing dot, so that names can be compared; checks nothing.
    package static func folded(_ name: String) -> String {
        let lower = name.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    /// Letters, digits, underscores and inner hyphens; labels of 1 to 63 bytes, 253 bytes in all.
    package static func isValid(_ name: String) -> Bool {
        guard (1...253).contains(name.utf8.count) else { return false }
        return name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
            label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
                && label.last != UInt8(ascii: "-") && label.allSatisfy(isNameByte)
        }
    }

    /// Whether a text is a name as rules hold it, with at least two labels.
    package static func isFolded(_ name: String) -> Bool {
        isValid(name) && name.utf8.contains(UInt8(ascii: ".")) && !isAddress(name)
    }

    /// Whether a folded name is a suffix or lies below it, on label boundaries.
    package static func isUnder(_ name: String, _ suffix: String) -> Bool {
        let (name, suffix) = (name.utf8, suffix.utf8)
        guard name.count > suffix.count else { return name.elementsEqual(suffix) }
        let rest = name.dropLast(suffix.count)
        return rest.last == UInt8(ascii: ".") && name.suffix(suffix.count).elementsEqual(suffix)
    }

    /// The name and every parent of it, longest first: `a.b.c`, `b.c`, `c`.
    package static func withParents(_ name: String) -> some Sequence<String> {
        sequence(first: Substring(name)) { name in
            name.utf8.firstIndex(of: UInt8(ascii: ".")).map { name[name.utf8.index(after: $0)...] }
        }.lazy.map(String.init)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// A pasted address without scheme, user, port, path and wildcard.
    private static func host(of typed: String) -> String {
        var rest = Substring(typed.trimmingCharacters(in: .whitespacesAndNewlines))
        if let scheme = rest.range(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { !"/?#\\".contains($0) }
        if let user = rest.lastIndex(of: "@") { rest = rest[rest.index(after: user)...] }
        if let colon = rest.firstIndex(of: ":"), colon == rest.lastIndex(of: ":") { rest = rest[..<colon] }
        if rest.hasPrefix("*.") { rest = rest.dropFirst(2) }
        return String(rest.hasSuffix(".") ? rest.dropLast() : rest)
    }

    /// IPv6 has colons; browsers read a name whose last label is a number as IPv4.
    private static func isAddress(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) || host.hasPrefix("[") { return true }
        let last = host.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }
        return !last.isEmpty && last.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Folded and punycoded; nil if it is not a name.
    private static func encoded(_ name: String) -> String? {
        let host = name.utf8.allSatisfy { $0 < 0x80 } ? name : punycoded(name)
        return host.map(folded).flatMap { isValid($0) ? $0 : nil }
    }

    /// IDNA as Foundation's URL does it (UTS 46); nil if it is not a name in any script.
    private static func punycoded(_ host: String) -> String? {
        guard !host.contains("%"), let encoded = URL(string: "https://\(host)/")?.host(percentEncoded: false),
            encoded.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        return encoded
    }

    /// Registries' names of two labels that people might type; names of one label are refused anyway.
    static let publicSuffixes: Set<String> = [
        "ac.uk", "co.uk", "gov.uk", "ltd.uk", "me.uk", "net.uk", "nhs.uk", "org.uk", "plc.uk", "sch.uk",
        "ac.at", "co.at", "gv.at", "or.at", "com.au", "edu.au", "gov.au", "net.au", "org.au", "ac.nz",
        "co.nz", "govt.nz", "net.nz", "org.nz", "ac.jp", "co.jp", "go.jp", "ne.jp", "or.jp", "ac.kr", "co.kr",
        "go.kr", "ne.kr", "or.kr", "ac.za", "co.za", "gov.za", "org.za", "ac.in", "co.in", "gov.in", "net.in",
        "org.in", "ac.il", "co.il", "org.il", "ac.id", "co.id", "go.id", "or.id", "ac.th", "co.th", "go.th",
        "in.th", "com.ar", "com.bd", "com.br", "gov.br", "net.br", "org.br", "com.cn", "edu.cn", "gov.cn",
        "net.cn", "org.cn", "com.co", "com.cy", "com.ec", "com.eg", "com.es", "com.gr", "com.hk", "com.mt",
        "com.mx", "com.my", "com.ng", "com.pe", "com.ph", "com.pk", "com.pl", "edu.pl", "net.pl", "org.pl",
        "com.pt", "com.ro", "com.ru", "com.sa", "com.sg", "com.tr", "gov.tr", "org.tr", "com.tw", "com.ua",
        "com.uy", "com.ve", "com.vn", "co.ke", "co.ve", "eu.org", "home.arpa", "in-addr.arpa", "ip6.arpa",
    ]
}
