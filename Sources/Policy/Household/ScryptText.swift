package import Foundation

/// The parts of a stored passcode: `scrypt$rounds$block$parallel$salt$key` (RFC 7914).
package struct ScryptText: Sendable {
    package let rounds: Int
    package let blockSize: Int
    package let parallelism: Int
    package let salt: Data
    package let key: Data

    package static let keyBytes = 32
    /// The memory that checking one passcode may take, in bytes: a backup could ask for any amount.
    private static let mostMemory = 64 << 20

    /// Nil for text in another form, and for parameters that are too weak or too costly to check.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let block = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Data(base64Encoded: parts[4]),
            let key = Data(base64Encoded: parts[5]), key.count == Self.keyBytes,
            (8...64).contains(salt.count),
            (1 << 10...1 << 20).contains(rounds), rounds.nonzeroBitCount == 1, (1...16).contains(block),
            (1...4).contains(parallelism), 128 * rounds * block <= Self.mostMemory
        else { return nil }
        self.rounds = rounds
        blockSize = block
        self.parallelism = parallelism
        self.salt = salt
        self.key = key
    }
}
