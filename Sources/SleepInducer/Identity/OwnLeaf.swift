import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// What a certificate of this server is for, and until when: its own names and addresses, nobody else's.
struct LeafSubject: Hashable, Sendable {
    /// The first is the server's own.
    var names: [String]
    /// 4 or 16 bytes each.
    var addresses: [[UInt8]]

    var general: [GeneralName] {
        names.map { .dnsName($0) } + addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
    }
}

/// A key and the self-signed P-256 certificate that goes with it. Nobody has to trust it: whoever asks for encryption
/// without a name, as Android's automatic Private DNS does, takes it as it is (RFC 8310, opportunistic).
struct OwnLeaf: Sendable {
    /// Apple refuses more than 825 days, public sites have 398 at most.
    static let lifetime: TimeInterval = 397 * 86_400
    /// It is renewed so long before its end.
    static let renewal: TimeInterval = 30 * 86_400
    /// A client's clock may be behind.
    private static let tolerance: TimeInterval = 86_400

    let key: P256.Signing.PrivateKey
    let certificate: Certificate

    init(key: P256.Signing.PrivateKey = .init(), for subject: LeafSubject, at now: Date) throws {
        self.key = key
        let signer = Certificate.PrivateKey(key)
        let name = try DistinguishedName { CommonName(subject.names.first ?? "Sleep Inducer") }
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: signer.publicKey,
            notValidBefore: now.addingTimeInterval(-Self.tolerance),
            notValidAfter: now.addingTimeInterval(Self.lifetime), issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(subject.general)
            }, issuerPrivateKey: signer)
    }

    /// Reads what `pem` wrote.
    /// - Throws: where it is something else, or the key is not the certificate's.
    init(pem: String) throws {
        guard let split = pem.range(of: "-----BEGIN CERTIFICATE-----") else {
            throw CocoaError(.coderInvalidValue)
        }
        key = try P256.Signing.PrivateKey(pemRepresentation: String(pem[..<split.lowerBound]))
        certificate = try Certificate(pemEncoded: String(pem[split.lowerBound...]))
        guard certificate.publicKey == Certificate.PrivateKey(key).publicKey else {
            throw CocoaError(.coderInvalidValue)
        }
    }

    /// The key, then the certificate.
    var pem: String {
        get throws { try key.pemRepresentation + "\n" + certificate.serializeAsPEM().pemString + "\n" }
    }

    /// Whether it holds for everything in `subject`, now and for a while.
    func serves(_ subject: LeafSubject, at now: Date) -> Bool {
        let held = (try? certificate.extensions.subjectAlternativeNames).map { Set($0) } ?? []
        return held.isSuperset(of: subject.general) && certificate.notValidBefore <= now
            && certificate.notValidAfter.timeIntervalSince(now) > Self.renewal
    }

    /// What connections over TLS are served with, when they speak one of these protocols or none that is known.
    func context(protocols: [String]) throws -> NIOSSLContext {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [
                .certificate(try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der))
            ],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = protocols
        return try NIOSSLContext(configuration: configuration)
    }
}
