import Crypto
package import Foundation
import Policy
import SwiftASN1
import X509

/// The household's own certificate authority: a P-256 key and the certificate that devices are asked to trust. It
/// speaks for its `scope` only.
///
/// The constraints are critical (RFC 5280, 4.2.1.10): what does not know them then refuses the whole certificate instead
/// of trusting it for everything. Everything that browses today knows them in a root too (Apple since 2018, Chrome since
/// version 112, Firefox, OpenSSL); where a verifier passes a root's constraints over, being critical changes nothing.
package struct HouseholdAuthority: Sendable {
    /// Renewing it means a walk to every device.
    static let lifetime: TimeInterval = 3652 * 86_400

    let key: P256.Signing.PrivateKey
    let certificate: Certificate
    package let scope: AuthorityScope
    /// The certificate as devices take it.
    package let der: [UInt8]
    /// SHA-256 of `der` in lower-case hex; what tells it from any other.
    package let fingerprint: String

    init(scope: AuthorityScope, at now: Date) throws {
        let key = P256.Signing.PrivateKey()
        let signer = Certificate.PrivateKey(key)
        let name = try DistinguishedName {
            OrganizationName("Sleep Inducer")
            CommonName("Sleep Inducer \(Self.mark(of: key))")
        }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: signer.publicKey,
            notValidBefore: now.addingTimeInterval(-KeyAndCertificate.tolerance),
            notValidAfter: now.addingTimeInterval(Self.lifetime), issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
                try ExtendedKeyUsage([.serverAuth])
                Critical(scope.constraints)
                SubjectKeyIdentifier(hash: signer.publicKey)
            }, issuerPrivateKey: signer)
        try self.init(key: key, certificate: certificate)
    }

    /// Reads what `pem` wrote.
    /// - Throws: where it is something else, or the key is not the certificate's.
    init(pem: String) throws {
        let pair = try KeyAndCertificate(pem: pem)
        guard case .isCertificateAuthority = try pair.certificate.extensions.basicConstraints else {
            throw CocoaError(.coderInvalidValue)
        }
        try self.init(key: pair.key, certificate: pair.certificate)
    }

    private init(key: P256.Signing.PrivateKey, certificate: Certificate) throws {
        guard let constraints = try certificate.extensions.nameConstraints else {
            throw CocoaError(.coderInvalidValue)
        }
        self.key = key
        self.certificate = certificate
        scope = AuthorityScope(constraints)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        der = serializer.serializedBytes
        fingerprint = Self.hex(SHA256.hash(data: der))
    }

    /// The key, then the certificate.
    var pem: String {
        get throws { try KeyAndCertificate(key: key, certificate: certificate).pem }
    }

    /// What devices call it in their lists: no two authorities of one house have one name.
    package var name: String { "Sleep Inducer \(Self.mark(of: key))" }

    /// When it was made.
    package var made: Date { certificate.notValidBefore.addingTimeInterval(KeyAndCertificate.tolerance) }

    package var ends: Date { certificate.notValidAfter }

    /// Whether leaves that it vouches for are believed at `now`.
    func isValid(at now: Date) -> Bool {
        certificate.notValidBefore <= now && now < certificate.notValidAfter
    }

    /// A certificate for a server, over `key`.
    ///
    /// `subject` should lie in its scope: one name outside, and clients refuse the whole.
    func leaf(
        for subject: LeafSubject, called name: String, key: P256.Signing.PrivateKey, from start: Date,
        to end: Date
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PrivateKey(key).publicKey,
            notValidBefore: max(start, certificate.notValidBefore),
            notValidAfter: min(end, certificate.notValidAfter), issuer: certificate.subject,
            subject: try DistinguishedName { CommonName(name) }, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(subject.general)
                AuthorityKeyIdentifier(
                    keyIdentifier: SubjectKeyIdentifier(hash: certificate.publicKey).keyIdentifier)
            }, issuerPrivateKey: Certificate.PrivateKey(self.key))
    }

    private static func mark(of key: P256.Signing.PrivateKey) -> String {
        hex(SHA256.hash(data: key.publicKey.rawRepresentation).prefix(3)).uppercased()
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
