import NIOSSL

/// Whether a certificate holds a name. NIOSSL is content with the address that was connected to even where a name was
/// asked for; but an address that a bootstrap server told us is the address of nobody in particular (RFC 8310, 8.1).
enum CertificateName {
    static func isHeld(_ name: String, by certificate: NIOSSLCertificate) -> Bool {
        certificate._subjectAlternativeNames().contains { subject in
            guard subject.nameType == .dnsName else { return false }
            return matches(pattern: String(decoding: subject.contents, as: UTF8.self), name)
        }
    }

    /// A wildcard stands for one whole label, the first, and never for most of the world (RFC 9525, 6.3).
    static func matches(pattern: String, _ name: String) -> Bool {
        let pattern = pattern.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        let name = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard pattern.count == name.count, !pattern.isEmpty else { return false }
        if pattern[0] == "*" && pattern.count > 2 { return pattern.dropFirst() == name.dropFirst() }
        return pattern == name
    }
}
