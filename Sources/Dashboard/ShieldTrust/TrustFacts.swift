package import Foundation
package import Policy

/// What the executable knows about the household's certificate authority, for the pages about trust. It never has the
/// key.
package struct TrustFacts: Sendable {
    package struct Authority: Hashable, Sendable {
        /// Its name in the devices' lists.
        package var name: String
        /// SHA-256 of the certificate, 64 hex digits.
        package var fingerprint: String
        /// The certificate (DER).
        package var certificate: [UInt8]
        package var made: Date
        package var ends: Date
        /// The number of names for which it may issue certificates, each with all names below it.
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

    /// The authority that is valid at an instant; nil if none was made, or it has expired.
    package var authority: @Sendable (Date) -> Authority? = { _ in nil }
    /// Makes a new authority, also for the household's own apps, and replaces the old one. Throws if it cannot be
    /// stored.
    package var make: @Sendable ([App], Date) throws -> Void = { _, _ in }
    /// Names that a new authority would cover, but the current one does not.
    package var missing: @Sendable ([App]) -> [String] = { _ in [] }
    /// Whether name constraints can hold the server's own name: without a dot it would mean a whole top-level domain.
    package var canSpeakForOwnName = true
    /// Nil if nothing is served over HTTPS.
    package var httpsPort: Int?
    /// This server's addresses, without loopback and link-local ones.
    package var addresses: @Sendable () -> [String] = { [] }

    package init() {}
}

extension TrustFacts {
    /// This server's address over HTTPS; nil if HTTPS is not served.
    func secureAddress(host: String) -> String? {
        httpsPort.map { port in
            let host = host.contains(":") ? "[\(host)]" : host
            return "https://\(host)" + (port == 443 ? "" : ":\(port)")
        }
    }
}
