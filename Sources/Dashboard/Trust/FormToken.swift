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
        let plain = base64EncodedData().lazy.filter { $0 != UInt8(ascii: "=") }
        return String(decoding: plain.map { Self.digits[Int($0)] }, as: UTF8.self)
    }

    /// Reads base64url without padding; nil for anything else.
    fileprivate init?(base64URL text: String) {
        var bytes = Data(text.utf8)
        guard !bytes.contains(where: Self.plainOnly.contains) else { return nil }
        for place in bytes.indices { bytes[place] = Self.digits[Int(bytes[place])] }
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4))
        self.init(base64Encoded: bytes)
    }

    private static let plainOnly = Data("+/=".utf8)

    /// Each character's counterpart in the other alphabet: of `+`, `-` and `/`, `_`; of others the character itself.
    private static let digits: [UInt8] = {
        var digits = Array(UInt8.min...UInt8.max)
        for (plain, url) in zip("+/".utf8, "-_".utf8) {
            (digits[Int(plain)], digits[Int(url)]) = (url, plain)
        }
        return digits
    }()
}
