import Crypto
package import Foundation

/// The household's keys, which only its nodes have. The newest seals. An older one, which a node that was taken out may
/// know too, opens only what a head that the newest sealed proves.
package struct HouseholdKeys: Codable, Hashable, Sendable {
    /// 32 random bytes each, by number.
    private var keys: [UInt32: Data]

    /// The first key of a new household.
    package init() { keys = [1: Self.random()] }

    package var newest: UInt32 { keys.keys.max() ?? 0 }

    /// The next key, beside those that were.
    package mutating func change() { keys[newest + 1] = Self.random() }

    /// Takes what another node made.
    package mutating func take(_ other: HouseholdKeys) { keys.merge(other.keys) { own, _ in own } }

    /// Only the newest: a new node needs no other.
    package var onlyNewest: HouseholdKeys {
        var only = self
        only.keys = keys.filter { $0.key == newest }
        return only
    }

    private static func random() -> Data { SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) } }

    /// The key's number, four bytes, then AES-GCM's nonce, text and tag. It opens for `place` only, so that nobody can put
    /// one value in another's place.
    package func seal(_ bytes: Data, for place: String) -> Data {
        let number = newest
        guard let key = keys[number],
            let box = try? AES.GCM.seal(
                bytes, using: SymmetricKey(data: key), authenticating: Data(place.utf8)
            ).combined
        else { preconditionFailure("a key of 32 bytes seals") }
        return withUnsafeBytes(of: number.bigEndian) { Data($0) } + box
    }

    /// What was sealed; nil where the newest of these keys did not seal it for this place.
    ///
    /// - Parameter isProven: whether the bytes count only if a head's proof fits them; then an older key opens too.
    package func open(_ sealed: Data, for place: String, isProven: Bool = false) -> Data? {
        guard let number = Self.number(of: sealed), isProven || number == newest, let key = keys[number],
            let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst(4))
        else { return nil }
        return try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: Data(place.utf8))
    }

    /// The number of the key with which something was sealed; nil: it is too short to be.
    package static func number(of sealed: Data) -> UInt32? {
        guard sealed.count > 4 else { return nil }
        return sealed.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// What one node proves itself with to the others: keys that are meant for it are sealed to it (HPKE, RFC 9180).
package struct NodeKey: Sendable {
    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private let key: Curve25519.KeyAgreement.PrivateKey

    package init() { key = Curve25519.KeyAgreement.PrivateKey() }

    package init?(raw: Data) {
        guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: raw) else { return nil }
        self.key = key
    }

    package var raw: Data { key.rawRepresentation }
    package var publicKey: Data { key.publicKey.rawRepresentation }

    /// For the node with `publicKey`, and from this one: nobody else can make it. Nil where `publicKey` is none.
    package func seal(_ value: some Encodable, to publicKey: Data, for place: String) -> Data? {
        guard let theirs = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
            var sender = try? HPKE.Sender(
                recipientKey: theirs, ciphersuite: Self.suite, info: Data(place.utf8), authenticatedBy: key),
            let text = try? JSONEncoder().encode(value), let sealed = try? sender.seal(text)
        else { return nil }
        return sender.encapsulatedKey + sealed
    }

    /// What is in a letter; nil where it is not for this node, or where another node than that of `publicKey` made it.
    package func open<Value: Decodable>(
        _ sealed: Data, from publicKey: Data, for place: String, _: Value.Type = Value.self
    ) -> Value? {
        guard sealed.count > 32,
            let theirs = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
            var recipient = try? HPKE.Recipient(
                privateKey: key, ciphersuite: Self.suite, info: Data(place.utf8),
                encapsulatedKey: sealed.prefix(32), authenticatedBy: theirs),
            let text = try? recipient.open(sealed.dropFirst(32))
        else { return nil }
        return try? JSONDecoder().decode(Value.self, from: text)
    }
}

/// A household's new key for one node, as etcd holds it.
struct KeyLetter: Codable {
    /// The number of the node that made it.
    var from: Int
    /// `NodeKey.seal`.
    var sealed: Data
    /// How etcd is reached from now on, sealed likewise; nil: as before.
    var access: Data?

    /// For what `access` is sealed.
    static func accessPlace(_ key: String) -> String { key + "/access" }
}
