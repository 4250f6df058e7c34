import Crypto

/// A login's form token (`csrf`) as one page carries it: 64 bytes in base64url, a new mask and the token xor that mask.
///
/// Pages are compressed, and the length of a compressed page reveals a text that stays the same in it (BREACH). So no
/// two pages carry the same text. The token itself is accepted too, because pages that were open during an upgrade have
/// it.
enum FormToken {
    private static let length = 32

    static func masked(_ token: String) -> String {
        guard let token = Base64URL.bytes(of: token), token.count == length else { return token }
        let mask = SymmetricKey(size: .bits256).withUnsafeBytes { [UInt8]($0) }
        return Base64URL.text(of: mask + xor(mask[...], token[...]))
    }

    /// Whether a form sent the token, in a time that depends on no byte of it.
    static func matches(_ sent: String, _ token: String) -> Bool {
        guard let sent = Base64URL.bytes(of: sent), let token = Base64URL.bytes(of: token) else {
            return false
        }
        let isMasked = sent.count == 2 * length
        return constantTimeEqual(
            isMasked ? xor(sent.prefix(length), sent.suffix(length)) : sent, token)
    }

    private static func xor(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> [UInt8] {
        zip(a, b).map { $0 ^ $1 }
    }
}

/// Base64url without padding (RFC 4648, 5). By hand: with Foundation's base64, a token took longer than a page's
/// template.
private enum Base64URL {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// By digit; 64 for what is none.
    private static let values: [UInt8] = (UInt8.min...UInt8.max).map { byte in
        UInt8(digits.firstIndex(of: byte) ?? 64)
    }

    static func text(of bytes: [UInt8]) -> String {
        var (text, held, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        text.reserveCapacity(bytes.count * 4 / 3 + 1)
        for byte in bytes {
            (held, count) = (held << 8 | UInt32(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(digits[Int(held >> count & 63)])
            }
        }
        if count > 0 { text.append(digits[Int(held << (6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for anything else.
    static func bytes(of text: String) -> [UInt8]? {
        var (bytes, held, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        for digit in text.utf8 {
            let value = values[Int(digit)]
            guard value < 64 else { return nil }
            (held, count) = (held << 6 | UInt32(value), count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: held >> count))
            }
        }
        return count < 6 ? bytes : nil
    }
}
