import Crypto
import Foundation
import SwiftASN1
import X509

/// A key and its certificate, in one file.
struct KeyAndCertificate {
    /// A certificate begins so many seconds early, because a client's clock may be behind.
    static let tolerance: TimeInterval = 86_400

    let key: P256.Signing.PrivateKey
    let certificate: Certificate

    init(key: P256.Signing.PrivateKey, certificate: Certificate) {
        self.key = key
        self.certificate = certificate
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

    var pem: String {
        get throws { try key.pemRepresentation + "\n" + certificate.serializeAsPEM().pemString + "\n" }
    }
}
