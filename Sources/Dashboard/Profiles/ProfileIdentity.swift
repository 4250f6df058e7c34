import Crypto
import Foundation

/// The names by which a phone tells profiles apart. They come from the household's secret: a new profile replaces the
/// old one of the same kind, and never another household's.
struct ProfileIdentity {
    let secret: Data

    /// `arpa.home.sleep-inducer.0123abcd.certificate`
    func identifier(_ kind: String) -> String {
        let mark = digits(of: code("profile household").prefix(4))
        return "arpa.home.sleep-inducer.\(mark).\(kind)"
    }

    /// The same words always make the same UUID, of RFC 9562's version 8.
    func uuid(_ words: String...) -> UUID {
        var bytes = Array(code("profile " + words.joined(separator: " ")).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// The members that a profile's payload shares with all others.
    func common(_ kind: String, type: String, name: String, content: String) -> ProfileCommon {
        ProfileCommon(
            type: type, identifier: identifier(kind) + ".payload",
            uuid: uuid("payload", kind, content).uuidString, displayName: name)
    }

    private func code(_ text: String) -> [UInt8] {
        Array(
            HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: secret)))
    }

    private func digits(of bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
