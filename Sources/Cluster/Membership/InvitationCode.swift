import Crypto
import Directory
import Foundation

/// What a person carries to the new machine: where a machine of the household is, and the secret that opens what that one
/// hands out. It is short enough to be typed, and worth nothing when the invitation is over.
package struct InvitationCode: Hashable, Sendable {
    /// Crockford's base 32: none of its letters looks like a digit.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
    private static let lookalikes: [Character: Character] = ["o": "0", "i": "1", "l": "1"]
    private static let secretBytes = 16
    private static let checkBytes = 3

    let address: IPAddress
    let port: UInt16
    let secret: Data

    /// - Parameter pages: where the household's machine serves: `http://192.168.1.11`.
    init?(at pages: String, secret: Data) {
        guard let url = URL(string: pages), let host = url.host(),
            let address = IPAddress(host.trimmingCharacters(in: ["[", "]"])),
            let port = UInt16(exactly: url.port ?? 80)
        else { return nil }
        (self.address, self.port, self.secret) = (address, port, secret)
    }

    static func newSecret() -> Data {
        SymmetricKey(size: SymmetricKeySize(bitCount: 8 * secretBytes)).withUnsafeBytes { Data($0) }
    }

    /// Where the machine's server answers.
    var server: String {
        "http://\(address.isV4 ? address.text : "[\(address.text)]")" + (port == 80 ? "" : ":\(port)")
    }

    /// In groups of five, for whoever types it.
    package var text: String {
        var payload = Data(address.bytes)
        payload += [UInt8(port >> 8), UInt8(port & 255)]
        payload += secret
        let characters = Self.base32(payload + Self.check(payload))
        return stride(from: 0, to: characters.count, by: 5).map {
            String(characters[$0..<min($0 + 5, characters.count)])
        }.joined(separator: "-")
    }

    /// Reads what a person copied or typed.
    package init(_ text: String) throws(ClusterFault) {
        guard let bytes = Self.bytes(text.filter { !$0.isWhitespace && $0 != "-" }),
            bytes.count > Self.secretBytes + Self.checkBytes + 2
        else { throw .unknownCode }
        let payload = bytes.dropLast(Self.checkBytes)
        guard bytes.suffix(Self.checkBytes) == Self.check(payload),
            let address = IPAddress(payload.dropLast(Self.secretBytes + 2))
        else { throw .unknownCode }
        self.address = address
        port = payload.suffix(Self.secretBytes + 2).prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
        secret = Data(payload.suffix(Self.secretBytes))
    }

    /// Tells a typing error from an invitation that is over.
    private static func check(_ payload: Data) -> Data {
        Data(SHA256.hash(data: payload).prefix(checkBytes))
    }

    private static func base32(_ bytes: Data) -> [Character] {
        let bits = bytes.flatMap { byte in (0..<8).reversed().map { Int(byte >> $0 & 1) } }
        return stride(from: 0, to: bits.count, by: 5).map { start in
            alphabet[(start..<start + 5).reduce(0) { $0 << 1 | ($1 < bits.count ? bits[$1] : 0) }]
        }
    }

    /// Nil: there is a foreign character, or something is left over that `base32` does not write.
    private static func bytes(_ text: String) -> Data? {
        var bits: [UInt8] = []
        for character in text.lowercased() {
            guard let value = alphabet.firstIndex(of: lookalikes[character] ?? character) else { return nil }
            bits += (0..<5).reversed().map { UInt8(value >> $0 & 1) }
        }
        let rest = bits.suffix(bits.count % 8)
        guard rest.count < 5, rest.allSatisfy({ $0 == 0 }) else { return nil }
        return Data(
            stride(from: 0, to: bits.count - rest.count, by: 8).map { start in
                bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
            })
    }
}
