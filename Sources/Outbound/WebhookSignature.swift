import Crypto
import Foundation

/// How a receiver knows that a message is ours, by the Standard Webhooks specification: an HMAC-SHA256 over
/// `id.timestamp.body`, with a secret key that only the two sides know.
package enum WebhookSignature {
    /// The prefix of a secret; base64 follows.
    package static let prefix = "whsec_"

    /// The value of the header `webhook-signature`; nil for an invalid secret.
    ///
    /// - Parameter timestamp: the time of this try, in seconds since 1970.
    package static func header(id: String, timestamp: Int, body: String, secret: String) -> String? {
        guard secret.hasPrefix(prefix), let key = Data(base64Encoded: String(secret.dropFirst(prefix.count)))
        else { return nil }
        let signed = Data("\(id).\(timestamp).\(body)".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key))
        return "v1," + Data(code).base64EncodedString()
    }
}
