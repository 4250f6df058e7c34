import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate authority of one test run, and leaves that it signs.
struct TestAuthority {
    static let shared = TestAuthority()

    private let key = P256.Signing.PrivateKey()
    private let name: DistinguishedName
    private let root: Certificate

    private init() {
        // Nothing here can fail: the inputs are constants.
        name = try! DistinguishedName { CommonName("Test authority") }
        root = try! Self.certificate(
            for: key, name, by: key, name,
            try! Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 1))
            })
    }

    var trusted: [NIOSSLCertificate] { [try! NIOSSLCertificate(bytes: Self.bytes(root), format: .der)] }

    /// A server's context with a leaf for names and addresses (4 or 16 bytes).
    func server(names: [String] = [], addresses: [[UInt8]] = [], protocols: [String]) throws -> NIOSSLContext
    {
        let leafKey = P256.Signing.PrivateKey()
        let subjects =
            names.map { GeneralName.dnsName($0) }
            + addresses.map { GeneralName.ipAddress(ASN1OctetString(contentBytes: $0[...])) }
        let leaf = try Self.certificate(
            for: leafKey, DistinguishedName {}, by: key, name,
            Certificate.Extensions {
                Critical(SubjectAlternativeNames(subjects))
                try ExtendedKeyUsage([.serverAuth])
            })
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: Self.bytes(leaf), format: .der))],
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(leafKey.derRepresentation), format: .der)))
        configuration.applicationProtocols = protocols
        return try NIOSSLContext(configuration: configuration)
    }

    private static func certificate(
        for key: P256.Signing.PrivateKey, _ subject: DistinguishedName, by issuerKey: P256.Signing.PrivateKey,
        _ issuer: DistinguishedName, _ extensions: Certificate.Extensions
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: .init(key.publicKey), notValidBefore: Date(timeIntervalSinceNow: -3600),
            notValidAfter: Date(timeIntervalSinceNow: 86_400), issuer: issuer, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions, issuerPrivateKey: .init(issuerKey))
    }

    private static func bytes(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
