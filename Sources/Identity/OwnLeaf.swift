import Crypto
package import Directory
import Foundation
import NIOCore
package import NIOSSL
import SwiftASN1
import X509

/// What a certificate of this server is for, and until when: its own names and addresses, nobody else's.
package struct LeafSubject: Hashable, Sendable {
    /// The first is the server's own.
    var names: [String]
    /// 4 or 16 bytes each.
    var addresses: [[UInt8]]

    var general: [GeneralName] {
        names.map { .dnsName($0) } + addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
    }
}

extension LeafSubject {
    /// The own names, and the addresses that others can know it by.
    package init(_ own: OwnNames, addresses: [String]) {
        // The one-time names of the check are below the own one.
        let names = [own.name, "*.check.\(own.name)"] + own.all.dropFirst()
        let packed = addresses.filter { !$0.contains("%") }.compactMap { text -> [UInt8]? in
            guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
            // The offsets of `sin_addr` and `sin6_addr` are the same everywhere.
            switch address {
            case .v4(let v4): return withUnsafeBytes(of: v4.address) { Array($0[4..<8]) }
            case .v6(let v6): return withUnsafeBytes(of: v6.address) { Array($0[8..<24]) }
            case .unixDomainSocket: return nil
            }
        }
        self.init(names: names, addresses: packed.filter { $0.contains { $0 != 0 } })
    }
}

/// A key and its P-256 certificate. If there is a household's authority, it signs the certificate, and devices that
/// trust the authority accept it. Otherwise the certificate is self-signed. That is enough for encryption without a
/// name, as in Android's automatic Private DNS (RFC 8310, opportunistic).
package struct OwnLeaf: Sendable {
    /// Apple refuses more than 825 days, public sites have 398 at most.
    static let lifetime: TimeInterval = 397 * 86_400
    /// It is renewed so long before its end.
    static let renewal: TimeInterval = 30 * 86_400

    let key: P256.Signing.PrivateKey
    let certificate: Certificate

    /// Names and addresses outside the authority's scope are left out: with one of them, no client would believe any.
    init(
        key: P256.Signing.PrivateKey = .init(), for subject: LeafSubject,
        by authority: HouseholdAuthority? = nil,
        at now: Date
    ) throws {
        self.key = key
        let start = now.addingTimeInterval(-KeyAndCertificate.tolerance)
        let end = now.addingTimeInterval(Self.lifetime)
        if let authority {
            certificate = try authority.leaf(
                for: authority.scope.part(of: subject), called: Self.called(subject), key: key, from: start,
                to: end)
        } else {
            certificate = try Self.selfSigned(key, subject, from: start, to: end)
        }
    }

    private static func called(_ subject: LeafSubject) -> String { subject.names.first ?? "Sleep Inducer" }

    private static func selfSigned(
        _ key: P256.Signing.PrivateKey, _ subject: LeafSubject, from start: Date, to end: Date
    ) throws -> Certificate {
        let signer = Certificate.PrivateKey(key)
        let name = try DistinguishedName { CommonName(called(subject)) }
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: signer.publicKey,
            notValidBefore: start, notValidAfter: end, issuer: name, subject: name,
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
        let pair = try KeyAndCertificate(pem: pem)
        (key, certificate) = (pair.key, pair.certificate)
    }

    /// The key, then the certificate.
    var pem: String {
        get throws { try KeyAndCertificate(key: key, certificate: certificate).pem }
    }

    /// Whether it covers all of `subject` that it can cover, is valid now and for a while, and has the right issuer.
    func serves(_ subject: LeafSubject, by authority: HouseholdAuthority? = nil, at now: Date) -> Bool {
        let held = (try? certificate.extensions.subjectAlternativeNames).map { Set($0) } ?? []
        let wanted = authority.map { $0.scope.part(of: subject) } ?? subject
        // The authority's own end is as long as it can be.
        let isLasting =
            certificate.notValidAfter.timeIntervalSince(now) > Self.renewal
            || certificate.notValidAfter == authority?.certificate.notValidAfter
        return held.isSuperset(of: wanted.general) && isVouched(by: authority)
            && certificate.notValidBefore <= now && isLasting
    }

    private func isVouched(by authority: HouseholdAuthority?) -> Bool {
        let issuer = authority?.certificate ?? certificate
        return certificate.issuer == issuer.subject
            && issuer.publicKey.isValidSignature(certificate.signature, for: certificate)
    }

    /// What connections over TLS are served with, when they speak one of these protocols or none that is known.
    package func context(protocols: [String]) throws -> NIOSSLContext {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return try .serving(serializer.serializedBytes, key.derRepresentation, protocols: protocols)
    }
}

extension NIOSSLContext {
    /// How TLS is served everywhere: from 1.2 on, and with authenticated encryption only (RFC 9325, 4.2).
    /// - Parameters: certificate and key as DER.
    static func serving(_ certificate: [UInt8], _ key: Data, protocols: [String]) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: certificate, format: .der))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key), format: .der)))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        configuration.applicationProtocols = protocols
        return try NIOSSLContext(configuration: configuration)
    }
}
