import Crypto
import CryptoExtras
import Foundation
import Policy

/// The stored form of the household's passcode: `scrypt$rounds$block$parallel$salt$key` (RFC 7914).
///
/// Deriving it takes about 0.2 s and 16 MiB, so pages do it one at a time (`PasscodeDesk`). Older texts take 32 MiB and
/// half the time: a guesser pays the same for both, and a small machine has room for the present ones.
package struct PasscodeHash: Sendable {
    package let text: String

    private static let rounds = 1 << 14
    private static let blockSize = 8
    private static let parallelism = 4

    /// From the store.
    package init(text: String) {
        self.text = text
    }

    /// Hashes a new passcode with a fresh salt; throws `Passcode.Refused`, so that none comes past the rule. Blocks the
    /// calling thread.
    package init(_ passcode: String) throws {
        try Passcode.check(passcode)
        var generator = SystemRandomNumberGenerator()
        let salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        let key = try Self.key(
            of: passcode, salt: salt, rounds: Self.rounds, blockSize: Self.blockSize,
            parallelism: Self.parallelism)
        text = [
            "scrypt", "\(Self.rounds)", "\(Self.blockSize)", "\(Self.parallelism)",
            salt.base64EncodedString(),
            key.base64EncodedString(),
        ].joined(separator: "$")
    }

    /// Whether a passcode is the hashed one; an unreadable text matches nothing. Blocks the calling thread.
    package func matches(_ passcode: String) throws -> Bool {
        guard let stored = ScryptText(text) else { return false }
        let derived = try Self.key(
            of: passcode, salt: stored.salt, rounds: stored.rounds, blockSize: stored.blockSize,
            parallelism: stored.parallelism)
        return constantTimeEqual(derived, stored.key)
    }

    private static func key(
        of passcode: String, salt: Data, rounds: Int, blockSize: Int, parallelism: Int
    ) throws -> Data {
        // Two keyboards can compose the same letter differently.
        let bytes = Data(passcode.precomposedStringWithCanonicalMapping.utf8)
        return try KDF.Scrypt.deriveKey(
            from: bytes, salt: salt, outputByteCount: ScryptText.keyBytes, rounds: rounds,
            blockSize: blockSize,
            parallelism: parallelism
        ).withUnsafeBytes { Data($0) }
    }
}
