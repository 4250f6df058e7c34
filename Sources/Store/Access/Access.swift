import Crypto
package import Foundation
import GRDB
import Policy
import Synchronization

/// Passcode, logins and tokens, kept in memory beside the rows so that no request waits for the disk.
struct Access {
    var passcodeHash: String?
    /// SHA-256 of the one-time code that the terminal shows until set-up is done.
    var setupCodeHash: Data?
    /// 32 random bytes for HMACs, made once.
    var secret: Data
    var lastInstant: Date?
    /// By SHA-256 of the token.
    var logins: [Data: Login]
    var tokens: [Data: APIToken]
    var outgoing: Outgoing
    /// What the rows have; it differs by the changes that the disk refused.
    var stored: Rows

    static func create(_ db: Database) throws {
        try db.execute(sql: "INSERT INTO access (id, secret) VALUES (1, ?)", arguments: [randomBytes(32)])
    }

    static func load(_ db: Database) throws -> Access? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM access") else { return nil }
        let rows = Rows(
            passcodeHash: try row.valueIfAny("passcode_hash"), secret: try row.value("secret"),
            logins: try LoginRecord.all(db), tokens: try APITokenRecord.all(db),
            outgoing: try Outgoing.load(db))
        return Access(
            passcodeHash: rows.passcodeHash, setupCodeHash: try row.valueIfAny("setup_code_hash"),
            secret: rows.secret, lastInstant: try row.instantIfAny("last_instant"), logins: rows.logins,
            tokens: rows.tokens, outgoing: rows.outgoing, stored: rows)
    }
}

extension HouseholdStore {
    /// The key of this house's HMACs; 32 bytes that never leave it and survive restarts.
    package var secret: Data { access.withLock { $0.secret } }

    /// Whether a passcode was set; set-up is never open again after that.
    package var isSetUp: Bool { passcodeHash != nil }

    /// The hash text of the passcode; the passcode's checker makes it.
    package var passcodeHash: String? { access.withLock { $0.passcodeHash } }

    /// Also uses up the set-up code. A new passcode ends every login except the login that set it, and the links in
    /// notices, which work without a login.
    package func setPasscodeHash(_ hash: String, keeping login: String? = nil) throws {
        let kept = login.map(sha256)
        try writeAccess { _, access in
            access.passcodeHash = hash
            access.setupCodeHash = nil
            access.logins = access.logins.filter { $0.key == kept }
        }
    }

    /// A new one-time code for set-up, as `KM4X-7TQP`; the earlier code is void. Shown on the terminal at each start
    /// until set-up is done, and stored as a hash only.
    package func makeSetupCode() throws -> String {
        let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
        let code = String(randomBytes(8).map { letters[Int($0) % letters.count] })
        let hash = sha256(code)
        do {
            try writeAccess { db, access in
                try db.execute(sql: "UPDATE access SET setup_code_hash = ?", arguments: [hash])
                access.setupCodeHash = hash
            }
        } catch let error as StoreError where error.isAboutDisk {
            access.withLock { $0.setupCodeHash = hash }
        }
        return code.prefix(4) + "-" + code.suffix(4)
    }

    /// Whether this is the code on the terminal; spaces, dashes and case do not matter.
    package func isSetupCode(_ text: String) -> Bool {
        guard let expected = access.withLock({ $0.setupCodeHash }) else { return false }
        let typed = text.uppercased().filter { $0.isLetter || $0.isNumber }
        return isEqual(sha256(typed), expected)
    }

    /// The latest instant that the server has noted; a clock that is earlier at start is wrong.
    package var lastInstant: Date? { access.withLock { $0.lastInstant } }

    /// The same, or the start of a session that began soon after it: a power cut just after bedtime must not put the time
    /// before it.
    package var latestInstant: Date? {
        guard let noted = lastInstant else { return nil }
        let starts = household.people.compactMap { $0.session?.startedAt }
        return starts.filter { (0...600).contains($0.timeIntervalSince(noted)) }.max() ?? noted
    }

    package func setLastInstant(_ instant: Date) throws {
        try writeAccess { db, access in
            try noteInstant(db, instant)
            access.lastInstant = instant.asStored
        }
    }

    func noteInstant(_ db: Database, _ instant: Date) throws {
        try db.execute(sql: "UPDATE access SET last_instant = ?", arguments: [instant.milliseconds])
    }

    /// One transaction on the access tables; memory changes only after the commit. All but the set-up code and the last
    /// instant is written as `body` leaves it.
    func writeAccess<T>(
        isUrgent: Bool = false, _ body: (Database, inout Access) throws -> T
    ) throws -> T {
        try untilAgreed(isUrgent ? .evenInMemory : .onDisk) { trying in
            try inLine { db in
                let known = access.withLock { $0 }
                var changed = known
                return try commitAgreed(db, isUrgent: isUrgent) { agreed in
                    let result = try body(db, &changed)
                    try changed.write(db, from: known.rows)
                    agreed = try agree(db, from: known, to: changed, trying: trying)
                    return result
                } adopting: { isStored in
                    if isStored { changed.stored = changed.rows }
                    adopt(changed)
                }
            }
        }
    }

    /// In line: a change between the texts and the logins would take logins for ended ones.
    func adopt(_ new: Access) {
        let old = access.withLock { access in
            defer { access = new }
            return access
        }
        if old.outgoing != new.outgoing { webhookState.withLock { $0.take(new.outgoing) } }
    }

    /// Changes the logins. If the disk refuses, they change in memory, and in the rows as soon as it takes them.
    func changeLogins(_ body: (inout [Data: Login]) -> Void) throws {
        do {
            try writeAccess(isUrgent: true) { _, access in body(&access.logins) }
        } catch let error as StoreError where error.isAboutDisk {
            try untilAgreed(.evenInMemory) { trying in
                // In line, so that a write in progress cannot put back the earlier logins.
                try inLine { _ in
                    let known = access.withLock { $0 }
                    var changed = known
                    body(&changed.logins)
                    let agreed = try agree(nil, from: known, to: changed, trying: trying)
                    if let agreed { adopt(agreed, isBehind: true) }
                    adopt(changed)
                }
            }
        }
    }
}

/// Random bytes from the system's generator.
func randomBytes(_ count: Int) -> Data {
    var generator = SystemRandomNumberGenerator()
    return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
}

/// 32 random bytes as 43 characters of base64url.
func randomToken() -> String {
    randomBytes(32).base64EncodedString().replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
}

func sha256(_ text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }

/// Takes a time that does not tell where the bytes differ.
func isEqual(_ a: Data, _ b: Data) -> Bool {
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
