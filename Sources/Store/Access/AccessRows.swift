import Foundation
import GRDB

extension Access {
    /// What of it the nodes share, as rows have it.
    struct Rows: Hashable {
        var passcodeHash: String?
        var secret: Data
        var logins: [Data: Login]
        var tokens: [Data: APIToken]
        var outgoing: Outgoing
    }

    /// As the rows should be.
    var rows: Rows {
        Rows(passcodeHash: passcodeHash, secret: secret, logins: logins, tokens: tokens, outgoing: outgoing)
    }

    /// Corrects the rows.
    ///
    /// - Parameter old: what they have.
    func write(_ db: Database, from old: Rows) throws {
        try LoginRecord.write(db, from: old.logins, to: logins)
        try old.outgoing.write(db, outgoing)
        // As on the machine where the passcode was changed.
        if old.passcodeHash != passcodeHash { try AnswerLinkRecord.removeAll(db) }
        if (old.passcodeHash, old.secret) != (passcodeHash, secret) {
            try db.execute(
                sql: "UPDATE access SET passcode_hash = ?, secret = ?", arguments: [passcodeHash, secret])
            if setupCodeHash == nil { try db.execute(sql: "UPDATE access SET setup_code_hash = NULL") }
        }
        for hash in old.tokens.keys where tokens[hash] == nil {
            try db.execute(sql: "DELETE FROM api_token WHERE token_hash = ?", arguments: [hash])
        }
        for (hash, token) in tokens where old.tokens[hash] != token {
            try db.execute(
                sql:
                    "INSERT OR REPLACE INTO api_token (id, name, token_hash, created_at) VALUES (?, ?, ?, ?)",
                arguments: [token.id, token.name, hash, token.createdAt.milliseconds])
        }
    }

    /// Gives a database that has no logins the passcode and the logins of this one.
    func writeEntry(_ db: Database) throws {
        try db.execute(sql: "UPDATE access SET passcode_hash = ?", arguments: [passcodeHash])
        try LoginRecord.write(db, from: [:], to: logins)
    }

    /// The disk's access data, with what `held` changed since it was read, and its set-up code.
    func taking(_ held: Access) -> Access {
        var access = self
        access.setupCodeHash = held.setupCodeHash
        let (was, now) = (held.stored, held.rows)
        if now.passcodeHash != was.passcodeHash { access.passcodeHash = now.passcodeHash }
        if now.secret != was.secret { access.secret = now.secret }
        access.logins = Self.merged(logins, from: was.logins, to: now.logins)
        access.tokens = Self.merged(tokens, from: was.tokens, to: now.tokens)
        access.outgoing.webhooks = Self.merged(
            outgoing.webhooks, from: was.outgoing.webhooks, to: now.outgoing.webhooks)
        access.outgoing.tokens = Self.merged(
            outgoing.tokens, from: was.outgoing.tokens, to: now.outgoing.tokens)
        return access
    }

    private static func merged<Key: Hashable, Value: Equatable>(
        _ rows: [Key: Value], from old: [Key: Value], to new: [Key: Value]
    ) -> [Key: Value] {
        var merged = rows
        for (key, value) in new where old[key] != value { merged[key] = value }
        for key in old.keys where new[key] == nil { merged[key] = nil }
        return merged
    }
}
