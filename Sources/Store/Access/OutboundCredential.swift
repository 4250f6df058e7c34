import Crypto
import Foundation
import GRDB
package import Policy

/// Tokens for other servers, each encrypted for the address for which it was typed, so that it opens for no other
/// (DD-042). The key is a file beside the database, so a backup holds no usable token.
extension HouseholdStore {
    static let outboundKeyName = "outbound.key"

    /// The token for a person's server; nil: none was typed for it, or the key is gone and it must be typed again.
    package func outboundToken(of person: PersonID, for server: VerifiedServer) throws -> String? {
        let sealed = try read { db in
            try Data.fetchOne(
                db, sql: "SELECT sealed FROM outbound_credential WHERE person = ?",
                arguments: [person.rawValue])
        }
        guard let sealed, let key = try outboundKey(orNew: false),
            let box = try? AES.GCM.SealedBox(combined: sealed),
            let opened = try? AES.GCM.open(box, using: key, authenticating: Data(server.base.utf8))
        else { return nil }
        return String(data: opened, encoding: .utf8)
    }

    /// Replaces the earlier token.
    package func setOutboundToken(_ token: String, of person: PersonID, for server: VerifiedServer) throws {
        guard let key = try outboundKey(orNew: true) else { return }
        let box = try AES.GCM.seal(Data(token.utf8), using: key, authenticating: Data(server.base.utf8))
        guard let sealed = box.combined else { return }
        try inLine { db in
            try commit(db) {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO outbound_credential VALUES (?, ?)",
                    arguments: [person.rawValue, sealed])
            }
        }
    }

    package func removeOutboundToken(of person: PersonID) throws {
        try inLine { db in
            try commit(db) {
                try db.execute(
                    sql: "DELETE FROM outbound_credential WHERE person = ?", arguments: [person.rawValue])
            }
        }
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
