import Crypto
package import Foundation
import SwiftASN1
import X509

/// An authority for the household's own programs, which prove themselves to each other: no device is asked to trust it.
package struct ProgramAuthority: Sendable {
    /// Longer than any machine: nothing has to be renewed.
    static let lifetime: TimeInterval = 50 * 365 * 86_400

    private let pair: KeyAndCertificate

    package init(at now: Date) throws {
        let key = P256.Signing.PrivateKey()
        let signer = Certificate.PrivateKey(key)
        let name = try DistinguishedName { OrganizationName("Sleep Inducer's own programs") }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: signer.publicKey,
            notValidBefore: now.addingTimeInterval(-KeyAndCertificate.tolerance),
            notValidAfter: now.addingTimeInterval(Self.lifetime), issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
                SubjectKeyIdentifier(hash: signer.publicKey)
            }, issuerPrivateKey: signer)
        pair = KeyAndCertificate(key: key, certificate: certificate)
    }

    /// Reads what `pem` wrote.
    package init(pem: String) throws { pair = try KeyAndCertificate(pem: pem) }

    /// The key, then the certificate.
    package var pem: String { get throws { try pair.pem } }

    package var certificate: String { get throws { try pair.certificate.serializeAsPEM().pemString + "\n" } }

    /// A program's certificate, and its key.
    ///
    /// - Parameter address: where it serves, 4 or 16 bytes; nil: it only asks.
    package func issue(for address: [UInt8]?, at now: Date) throws -> (certificate: String, key: String) {
        let key = P256.Signing.PrivateKey()
        let subject = LeafSubject(names: [], addresses: address.map { [$0] } ?? [])
        let leaf = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PrivateKey(key).publicKey,
            notValidBefore: now.addingTimeInterval(-KeyAndCertificate.tolerance),
            notValidAfter: pair.certificate.notValidAfter, issuer: pair.certificate.subject,
            // etcd takes a common name for a user's, and its gateway refuses a client that has one.
            subject: try DistinguishedName { OrganizationName("Sleep Inducer") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                // A server asks too: etcd's gateway asks etcd with the server's certificate.
                try ExtendedKeyUsage([.serverAuth, .clientAuth])
                if !subject.general.isEmpty { SubjectAlternativeNames(subject.general) }
                AuthorityKeyIdentifier(
                    keyIdentifier: SubjectKeyIdentifier(hash: pair.certificate.publicKey).keyIdentifier)
            }, issuerPrivateKey: Certificate.PrivateKey(pair.key))
        return (try leaf.serializeAsPEM().pemString + "\n", key.pemRepresentation + "\n")
    }
}
