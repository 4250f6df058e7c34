import Foundation
import Policy

// What the nodes share, by name.

extension Document.Key {
    private static let prefix = "document/"

    var name: String { "\(Self.prefix)\(kind.rawValue)/\(id)" }

    /// Nil: not the name of a document, or a name of a newer build.
    init?(name: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] + "/" == Self.prefix,
            let kind = Document.Kind(rawValue: String(parts[1])),
            let id = Int64(parts[2]), id > 0
        else { return nil }
        self.init(kind: kind, id: id)
    }
}

/// The order in which texts are told in several parts: people before the sessions and devices that refer to them.
enum SharedTexts {
    private static let kinds = ["access/", "document/house/", "document/person/"]

    static func inOrder(_ names: some Sequence<String>) -> [String] {
        func rank(_ name: String) -> Int { kinds.firstIndex { name.hasPrefix($0) } ?? kinds.count }
        return names.sorted { (rank($0), $0) < (rank($1), $1) }
    }

    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder.ofDocuments.encode(value), as: UTF8.self)
    }

    /// Nil: it cannot be read.
    static func value<Value: Decodable>(_ text: String?, of _: Value.Type = Value.self) -> Value? {
        text.flatMap { try? JSONDecoder.ofDocuments.decode(Value.self, from: Data($0.utf8)) }
    }

    /// What follows a beginning; nil: the name does not begin so.
    static func rest(of name: String, after beginning: String) -> Substring? {
        name.hasPrefix(beginning) ? name.dropFirst(beginning.count) : nil
    }
}

extension Entity {
    /// A shared text as this build reads it; nil: there is none, or it cannot be read.
    static func read(_ key: Document.Key, _ text: String?) -> Entity? {
        text.flatMap { try? Entity(key, json: $0) }
    }
}

extension Household {
    /// The contents of the documents, by the names of shared texts.
    func texts() throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try entities.map { ($0.key.name, try $0.value.json()) })
    }
}

/// Who may enter, as texts.
private struct SharedLogin: Codable {
    var csrf: String
    var createdAt: Date
    /// To the day: the others need it to tell which logins are idle for a year.
    var usedAt: Date

    init(_ login: Login) {
        (csrf, createdAt) = (login.csrf, login.createdAt)
        usedAt = Date(
            timeIntervalSince1970: (login.usedAt.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400)
    }
}

private struct SharedToken: Codable {
    var id: Int64
    var name: String
    var createdAt: Date
}

private struct SharedPasscode: Codable { var hash: String }
private struct SharedSecret: Codable { var secret: Data }

extension Access {
    private static let passcodeName = "access/passcode"
    private static let secretName = "access/secret"
    private static let loginPrefix = "access/login/"
    private static let tokenPrefix = "access/token/"

    /// Without what belongs to this machine only: the set-up code and the last instant.
    func texts() throws -> [String: String] {
        var texts = try outgoing.texts()
        texts[Self.secretName] = try SharedTexts.text(SharedSecret(secret: secret))
        if let passcodeHash {
            texts[Self.passcodeName] = try SharedTexts.text(SharedPasscode(hash: passcodeHash))
        }
        for (hash, login) in logins {
            texts[Self.loginPrefix + hash.hex] = try SharedTexts.text(SharedLogin(login))
        }
        for (hash, token) in tokens {
            texts[Self.tokenPrefix + hash.hex] = try SharedTexts.text(
                SharedToken(id: token.id, name: token.name, createdAt: token.createdAt))
        }
        return texts
    }

    /// The same with the values of other texts; leaves out what cannot be read.
    func taking(_ texts: [String: String]) -> Access {
        func value<Value: Decodable>(_ name: String, _: Value.Type = Value.self) -> Value? {
            SharedTexts.value(texts[name])
        }
        var access = self
        if let passcode: SharedPasscode = value(Self.passcodeName) {
            access.passcodeHash = passcode.hash
            access.setupCodeHash = nil
        }
        if let shared: SharedSecret = value(Self.secretName), shared.secret.count == 32 {
            access.secret = shared.secret
        }
        let known = access.logins
        (access.logins, access.tokens, access.outgoing) = ([:], [:], Outgoing())
        for (name, text) in texts where !access.outgoing.take(name, text) {
            if name.hasPrefix(Self.loginPrefix), let login: SharedLogin = value(name),
                let hash = Data(hex: name.dropFirst(Self.loginPrefix.count))
            {
                access.logins[hash] = Login(
                    csrf: login.csrf, createdAt: login.createdAt,
                    usedAt: max(login.usedAt, known[hash]?.usedAt ?? login.createdAt))
            } else if name.hasPrefix(Self.tokenPrefix), let token: SharedToken = value(name),
                let hash = Data(hex: name.dropFirst(Self.tokenPrefix.count))
            {
                access.tokens[hash] = APIToken(id: token.id, name: token.name, createdAt: token.createdAt)
            }
        }
        return access
    }
}

extension Data {
    fileprivate var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    fileprivate init?(hex: Substring) {
        let digits = Array(hex)
        guard digits.count == 64 else { return nil }
        let bytes = stride(from: 0, to: 64, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        guard bytes.count == 32 else { return nil }
        self.init(bytes)
    }
}
