import NIOSSL

/// Whether a certificate holds a name. If a name is expected, NIOSSL also accepts a certificate of the connected
/// address. But that address came from a bootstrap server, which is not authenticated (RFC 8310, 8.1).
enum CertificateName {
    static func isHeld(_ name: String, by certificate: NIOSSLCertificate) -> Bool {
        certificate._subjectAlternativeNames().contains { subject in
            guard subject.nameType == .dnsName else { return false }
            return matches(pattern: String(decoding: subject.contents, as: UTF8.self), name)
        }
    }

    /// A wildcard matches the whole first label only, and needs two labels behind it (RFC 9525, 6.3).
    static func matches(pattern: String, _ name: String) -> Bool {
        let pattern = pattern.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        let name = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard pattern.count == name.count, !pattern.isEmpty else { return false }
        if pattern[0] == "*" && pattern.count > 2 { return pattern.dropFirst() == name.dropFirst() }
        return pattern == name
    }
}
