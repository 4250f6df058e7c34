import Crypto
import Foundation

/// How a receiver knows that a message is ours, as the Standard Webhooks specification has it: an HMAC-SHA256 over
/// `id.timestamp.body`, keyed with a secret that only the two sides know.
package enum WebhookSignature {
    /// What a secret begins with; base64 follows.
    package static let prefix = "whsec_"

    /// The value of the header `webhook-signature`; nil for a secret that is none.
    ///
    /// - Parameter timestamp: of this try, in seconds since 1970.
    package static func header(id: String, timestamp: Int, body: String, secret: String) -> String? {
        guard secret.hasPrefix(prefix), let key = Data(base64Encoded: String(secret.dropFirst(prefix.count)))
        else { return nil }
        let signed = Data("\(id).\(timestamp).\(body)".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key))
        return "v1," + Data(code).base64EncodedString()
    }
}
