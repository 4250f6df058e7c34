package import Foundation
import GRDB
import Logging
import Synchronization

/// A browser that gave the passcode; lasts until log-out, or a year without use.
package struct Login: Hashable, Sendable {
    /// Belongs in every form of this login's pages.
    package let csrf: String
    package let createdAt: Date
    /// To the hour.
    package internal(set) var usedAt: Date
}

/// The rows of logins; tokens are there as SHA-256 only.
enum LoginRecord {
    static let idleLimit: TimeInterval = 365 * 86_400
    /// The precision of the last use, in seconds: a login is written at most once an hour.
    static let grain: TimeInterval = 3_600
    /// The most logins of a household; the longest unused login goes first.
    static let limit = 500

    static func all(_ db: Database) throws -> [Data: Login] {
        var logins: [Data: Login] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM login") {
            logins[try row.value("token_hash")] = Login(
                csrf: try row.value("csrf"), createdAt: try row.instant("created_at"),
                usedAt: try row.instant("used_at"))
        }
        return logins
    }

    static func write(_ db: Database, from old: [Data: Login], to new: [Data: Login]) throws {
        for hash in old.keys where new[hash] == nil {
            try db.execute(sql: "DELETE FROM login WHERE token_hash = ?", arguments: [hash])
        }
        for (hash, login) in new where old[hash] != login {
            try db.execute(
                sql: """
                    INSERT INTO login (token_hash, csrf, created_at, used_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (token_hash) DO UPDATE SET used_at = excluded.used_at
                    """,
                arguments: [hash, login.csrf, login.createdAt.milliseconds, login.usedAt.milliseconds])
        }
    }
}

extension HouseholdStore {
    /// The token is the cookie's value and stored as a hash only. Both survive restarts, unless the disk refuses them
    /// until then.
    package func createLogin(at now: Date) throws -> (token: String, csrf: String) {
        let token = randomToken()
        let hash = sha256(token)
        let login = Login(csrf: randomToken(), createdAt: now.asStored, usedAt: now.asStored)
        try changeLogins { logins in
            logins[hash] = login
            let oldest = logins.sorted { $0.value.usedAt > $1.value.usedAt }.dropFirst(LoginRecord.limit)
            for (hash, _) in oldest { logins[hash] = nil }
        }
        return (token, login.csrf)
    }

    /// The login of a token, unless it ended or was idle for a year. Notes the use, at most once an hour;
    /// that note may fail without harm.
    package func login(token: String, at now: Date) -> Login? {
        let hash = sha256(token)
        guard let login = access.withLock({ $0.logins[hash] }) else { return nil }
        let idle = now.timeIntervalSince(login.usedAt)
        guard idle < LoginRecord.idleLimit else { return nil }
        guard idle >= LoginRecord.grain else { return login }
        do {
            // Where the disk refuses it, memory takes it, so that the disk is asked once an hour, not for every page.
            try changeLogins { $0[hash]?.usedAt = now.asStored }
        } catch {
            log.warning("The use of a login could not be stored: \(error)")
        }
        return login
    }

    package func endLogin(token: String) throws {
        let hash = sha256(token)
        try changeLogins { $0[hash] = nil }
    }

    /// "Log out everywhere".
    package func endAllLogins() throws {
        try changeLogins { $0 = [:] }
    }
}
