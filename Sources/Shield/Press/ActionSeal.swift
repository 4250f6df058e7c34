import Crypto
import Foundation

/// Seals the forms of shield pages: an HMAC-SHA256 over device, person, Host, app, action and expiry.
///
/// Pages of a blocked Host have no login and no cookie, and any site can make a browser post. A seal cannot be guessed,
/// and is worthless on another device or under another Host.
struct ActionSeal: Sendable {
    /// What a seal vouches for.
    struct Claim: Hashable, Sendable {
        var device: String
        var person: Int64?
        var host: String
        var app: String
        var action: ShieldAction
        /// In seconds since 1970.
        var expires: Int

        /// Each part is preceded by its length, so that two different claims never have the same bytes.
        fileprivate var bytes: [UInt8] {
            let parts = [
                "sleep-inducer shield form 1", device, person.map { String($0) } ?? "", host, app,
                action.rawValue, String(expires),
            ]
            return parts.flatMap { part in
                withUnsafeBytes(of: UInt32(part.utf8.count).bigEndian, Array.init) + Array(part.utf8)
            }
        }
    }

    private let key: SymmetricKey

    init(key: Data) {
        self.key = SymmetricKey(data: key)
    }

    /// 64 hexadecimal digits.
    func seal(of claim: Claim) -> String {
        HMAC<SHA256>.authenticationCode(for: claim.bytes, using: key)
            .map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    }

    /// Compares in constant time; also false if the claim has expired or lasts longer than any that we make.
    func isGenuine(_ seal: String, of claim: Claim, at now: Date) -> Bool {
        let left = Double(claim.expires) - now.timeIntervalSince1970
        return left > 0 && left <= Double(ShieldContext.formLifetime) && isAuthentic(seal, of: claim)
    }

    /// Whether we made the seal, whenever that was; compares in constant time.
    func isAuthentic(_ seal: String, of claim: Claim) -> Bool {
        guard let code = Self.bytes(seal) else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: claim.bytes, using: key)
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8]? {
        let digits = Array(hexadecimal.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
