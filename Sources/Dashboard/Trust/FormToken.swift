import Crypto
import Foundation

/// A login's form token (`csrf`) as one page carries it: 64 bytes in base64url, a new mask and the token xor that mask.
///
/// Pages are compressed, and the length of a compressed page reveals a text that stays the same in it (BREACH). So no
/// two pages carry the same text. The token itself is accepted too, because pages that were open during an upgrade have
/// it.
enum FormToken {
    private static let length = 32

    static func masked(_ token: String) -> String {
        guard let token = Data(base64URL: token), token.count == length else { return token }
        let mask = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        return (mask + xor(mask, token)).base64URL
    }

    /// Whether a form sent the token, in a time that depends on no byte of it.
    static func matches(_ sent: String, _ token: String) -> Bool {
        guard let sent = Data(base64URL: sent), let token = Data(base64URL: token) else { return false }
        let isMasked = sent.count == 2 * length
        return constantTimeEqual(
            isMasked ? xor(sent.prefix(length), sent.suffix(length)) : sent, token)
    }

    private static func xor(_ a: Data, _ b: Data) -> Data { Data(zip(a, b).map { $0 ^ $1 }) }
}

extension Data {
    /// Base64url without padding (RFC 4648, 5).
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Reads base64url without padding; nil for anything else.
    fileprivate init?(base64URL text: String) {
        guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
