import Crypto
import Foundation
import GRDB
package import Policy
import Synchronization

/// Tokens for other servers, each encrypted for the address for which it was typed, so that it opens for no other
///. The key is a file beside the database, so a backup holds no usable token.
extension HouseholdStore {
    /// The key's file, which the nodes of a household share.
    package static let outboundKeyName = "outbound.key"

    /// The token for a person's server; nil: none was typed for it, or the key is gone and it must be typed again.
    package func outboundToken(of person: PersonID, for server: VerifiedServer) throws -> String? {
        let sealed = access.withLock { $0.outgoing.tokens[person]?.sealed }
        guard let sealed, let key = try outboundKey(orNew: false) else { return nil }
        return Self.opened(sealed, key, for: Data(server.base.utf8))
    }

    /// Replaces the earlier token. Throws `StoreError.refused` for a person who is gone.
    package func setOutboundToken(_ token: String, of person: PersonID, for server: VerifiedServer) throws {
        let key = try keyForSecrets()
        let sealed = try Self.sealed(token, key, for: Data(server.base.utf8))
        try writeAccess { _, access in
            guard household[person: person] != nil else {
                throw StoreError.refused(reason: "the person is gone")
            }
            access.outgoing.tokens[person] = SharedUploadToken(sealed: sealed)
        }
    }

    package func removeOutboundToken(of person: PersonID) throws {
        try writeAccess { _, access in access.outgoing.tokens[person] = nil }
    }

    /// Throws `StoreError.refused` where several machines share one key, and this machine could not keep it.
    func keyForSecrets() throws -> SymmetricKey {
        guard let key = try outboundKey(orNew: !isShared) else {
            throw StoreError.refused(
                reason: "the key for secrets is missing; make room on the disk, then restart")
        }
        return key
    }

    static func sealed(_ secret: String, _ key: SymmetricKey, for purpose: Data) throws -> Data {
        let box = try AES.GCM.seal(Data(secret.utf8), using: key, authenticating: purpose)
        guard let sealed = box.combined else { throw StoreError.refused(reason: "no secret could be sealed") }
        return sealed
    }

    /// Nil: it was sealed with another key, or for another purpose.
    static func opened(_ sealed: Data, _ key: SymmetricKey, for purpose: Data) -> String? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let opened = try? AES.GCM.open(box, using: key, authenticating: purpose)
        else { return nil }
        return String(data: opened, encoding: .utf8)
    }

    /// 32 random bytes, made when they are first needed; without a disk they are derived from the house's secret.
    func outboundKey(orNew isNeeded: Bool) throws(StoreError) -> SymmetricKey? {
        guard let directory else {
            return HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), info: Data("outbound".utf8), outputByteCount: 32
            )
        }
        let path = directory + "/" + Self.outboundKeyName
        if let bytes = FileManager.default.contents(atPath: path), bytes.count == 32 {
            return SymmetricKey(data: bytes)
        }
        guard isNeeded else { return nil }
        let bytes = randomBytes(32)
        try writeAtomically(bytes, to: path)
        return SymmetricKey(data: bytes)
    }
}
