import Crypto
import Foundation

/// The key in the QR code on a page that is signed in: the phone that opens it says whose it is without the passcode.
///
/// It is the minute of its end and a seal of that, so that it survives a restart and nothing is stored.
enum PhoneInvitation {
    /// How long a key opens, in seconds.
    static let duration: TimeInterval = 3_600

    static func key(at now: Date, secret: Data) -> String {
        let end = String(Int((now.timeIntervalSince1970 + duration) / 60), radix: 36)
        return end + "." + seal(end, secret)
    }

    static func isValid(_ key: String, at now: Date, secret: Data) -> Bool {
        let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, constantTimeEqual(parts[1], seal(parts[0], secret)),
            let minute = Int(parts[0], radix: 36)
        else { return false }
        let left = Double(minute) * 60 - now.timeIntervalSince1970
        return left > 0 && left <= duration
    }

    /// 80 bits in hexadecimal.
    private static func seal(_ end: String, _ secret: Data) -> String {
        HMAC<SHA256>.authenticationCode(
            for: Data("phone invitation \(end)".utf8), using: SymmetricKey(data: secret)
        ).prefix(10).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
