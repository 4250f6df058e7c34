package import Foundation
package import Policy

/// What the executable knows of the household's certificate authority, for the pages that lead through it. The key is
/// none of it.
package struct TrustFacts: Sendable {
    package struct Authority: Hashable, Sendable {
        /// What devices call it in their lists.
        package var name: String
        /// SHA-256 of the certificate, 64 hex digits.
        package var fingerprint: String
        /// The certificate (DER).
        package var certificate: [UInt8]
        package var made: Date
        package var ends: Date
        /// How many names it may speak for, with everything below them.
        package var names: Int

        package init(
            name: String, fingerprint: String, certificate: [UInt8], made: Date, ends: Date, names: Int
        ) {
            self.name = name
            self.fingerprint = fingerprint
            self.certificate = certificate
            self.made = made
            self.ends = ends
            self.names = names
        }
    }

    /// The one that holds at an instant; nil: none was made, or its time is over.
    package var authority: @Sendable (Date) -> Authority? = { _ in nil }
    /// Makes one, in place of the one that there is, that speaks for the household's own apps too. Throws where it
    /// cannot be kept.
    package var make: @Sendable ([App], Date) throws -> Void = { _, _ in }
    /// Names that one made now would speak for, and the one that there is does not.
    package var missing: @Sendable ([App]) -> [String] = { _ in [] }
    /// Whether a certificate can be held to the server's own name: one without a dot would stand for a whole top-level
    /// domain.
    package var canSpeakForOwnName = true
    /// Nil: nothing is served over HTTPS.
    package var httpsPort: Int?
    /// Where this server can be asked, without the addresses of loopback and of one link.
    package var addresses: @Sendable () -> [String] = { [] }

    package init() {}
}

extension TrustFacts {
    /// An address over HTTPS of this server; nil where nothing is served so.
    func secureAddress(host: String) -> String? {
        httpsPort.map { port in
            let host = host.contains(":") ? "[\(host)]" : host
            return "https://\(host)" + (port == 443 ? "" : ":\(port)")
        }
    }
}
