package import Foundation
import GRDB
import Synchronization

/// A bearer token for programs: shown once, stored hashed, revocable.
package struct APIToken: Hashable, Sendable, Identifiable {
    package let id: Int64
    package let name: String
    package let createdAt: Date
}

enum APITokenRecord {
    static let limit = 100

    static func all(_ db: Database) throws -> [Data: APIToken] {
        var tokens: [Data: APIToken] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM api_token") {
            tokens[try row.value("token_hash")] = APIToken(
                id: try row.value("id"), name: try row.value("name"),
                createdAt: try row.instant("created_at"))
        }
        return tokens
    }
}

extension HouseholdStore {
    /// Makes a token and returns its text, which is not stored.
    package func createToken(name: String, at now: Date) throws -> String {
        let plaintext = "si_" + randomToken()
        let hash = sha256(plaintext)
        try writeAccess { db, access in
            guard access.tokens.count < APITokenRecord.limit else {
                throw StoreError.refused(reason: "there are \(APITokenRecord.limit) tokens; revoke one first")
            }
            try db.execute(
                sql: "INSERT INTO api_token (name, token_hash, created_at) VALUES (?, ?, ?)",
                arguments: [name, hash, now.milliseconds])
            access.tokens[hash] = APIToken(id: db.lastInsertedRowID, name: name, createdAt: now.asStored)
        }
        return plaintext
    }

    /// Oldest first.
    package var tokens: [APIToken] {
        access.withLock { $0.tokens.values.sorted { $0.id < $1.id } }
    }

    package func revokeToken(_ id: APIToken.ID) throws {
        try writeAccess { db, access in
            try db.execute(sql: "DELETE FROM api_token WHERE id = ?", arguments: [id])
            access.tokens = access.tokens.filter { $0.value.id != id }
        }
    }

    /// The token with this text; nil: none, or revoked.
    package func token(matching plaintext: String) -> APIToken? {
        let hash = sha256(plaintext)
        return access.withLock { $0.tokens[hash] }
    }
}
