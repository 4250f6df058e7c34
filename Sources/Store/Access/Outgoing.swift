import Foundation
import GRDB
import Policy

/// A webhook as nodes share it, with its secret, which only the household's `outbound.key` opens.
struct SharedWebhook: Codable, Hashable {
    var person: Int64?
    var url: String
    /// Also those of a newer build.
    var events: [String]
    var form: String
    var since: Date
    var sealed: Data

    init(_ webhook: Webhook, sealed: Data) {
        person = webhook.person?.rawValue
        url = webhook.address.url
        events = webhook.events.map(\.rawValue).sorted()
        form = webhook.form.rawValue
        since = webhook.since.asStored
        self.sealed = sealed
    }

    init(_ row: Row) throws {
        person = try row.valueIfAny("person")
        url = try row.value("url")
        events = try row.json("events", [String].self)
        form = try row.value("form")
        since = try row.instant("since")
        sealed = try row.value("sealed")
    }

    /// Throws `UnreadableColumn` or `webhookWithoutEvents`: it is of a newer build, or damaged.
    func webhook(_ id: UUID, latest: Webhook.Attempt? = nil) throws -> Webhook {
        guard let address = WebhookAddress(stored: url) else { throw UnreadableColumn(column: "url") }
        guard let form = Webhook.Form(rawValue: form) else { throw UnreadableColumn(column: "form") }
        return try Webhook(
            id: id, person: person.map(PersonID.init), address: address,
            events: Set(events.compactMap(WebhookEvent.Kind.init)), form: form, since: since, latest: latest)
    }
}

/// A token for another server, sealed for that server's address.
struct SharedUploadToken: Codable, Hashable { var sealed: Data }

/// What is needed to send something to other servers. The rows keep it, and memory has it beside them.
struct Outgoing: Hashable {
    var webhooks: [UUID: SharedWebhook] = [:]
    var tokens: [PersonID: SharedUploadToken] = [:]

    /// Leaves out what cannot be read.
    static func load(_ db: Database) throws -> Outgoing {
        var outgoing = Outgoing()
        for row in try Row.fetchAll(db, sql: "SELECT * FROM webhook") {
            guard let id = try? row.uuid("id") else { continue }
            outgoing.webhooks[id] = try? SharedWebhook(row)
        }
        for row in try Row.fetchAll(db, sql: "SELECT person, sealed FROM outbound_credential") {
            let person = PersonID(rawValue: try row.value("person"))
            outgoing.tokens[person] = SharedUploadToken(sealed: try row.value("sealed"))
        }
        return outgoing
    }

    /// Corrects the rows. A row whose person is not there is left out.
    func write(_ db: Database, _ new: Outgoing) throws {
        for id in webhooks.keys where new.webhooks[id] == nil {
            try db.execute(sql: "DELETE FROM webhook WHERE id = ?", arguments: [id.uuidString])
        }
        // The links in a webhook's messages go with it: it may be removed because the wrong people read them. Only
        // messages about the whole home have links.
        if webhooks.contains(where: { $1.person == nil && new.webhooks[$0] == nil }) {
            try AnswerLinkRecord.removeAll(db)
        }
        for (id, webhook) in new.webhooks where webhooks[id] != webhook {
            try WebhookRecord.write(db, id, webhook)
        }
        for person in tokens.keys where new.tokens[person] == nil {
            try db.execute(
                sql: "DELETE FROM outbound_credential WHERE person = ?", arguments: [person.rawValue])
        }
        for (person, token) in new.tokens where tokens[person] != token {
            try db.execute(
                sql: "INSERT OR REPLACE INTO outbound_credential SELECT id, ? FROM person WHERE id = ?",
                arguments: [token.sealed, person.rawValue])
        }
    }

    /// The same without what belongs to anybody else.
    func of(_ people: Set<PersonID>) -> Outgoing {
        Outgoing(
            webhooks: webhooks.filter {
                $0.value.person.map { people.contains(PersonID(rawValue: $0)) } ?? true
            },
            tokens: tokens.filter { people.contains($0.key) })
    }
}

/// The names of shared texts.
extension Outgoing {
    private static let webhookPrefix = "access/webhook/"
    private static let tokenPrefix = "access/upload-token/"

    static func name(ofWebhook id: UUID) -> String { webhookPrefix + id.uuidString }

    func texts() throws -> [String: String] {
        let webhooks = try webhooks.map { (Self.name(ofWebhook: $0), try SharedTexts.text($1)) }
        let tokens = try tokens.map { (Self.tokenPrefix + "\($0.rawValue)", try SharedTexts.text($1)) }
        return Dictionary(uniqueKeysWithValues: webhooks + tokens)
    }

    /// Whether the text was one of these. What a newer build wrote stays out.
    mutating func take(_ name: String, _ text: String) -> Bool {
        if let id = SharedTexts.rest(of: name, after: Self.webhookPrefix).flatMap({
            UUID(uuidString: String($0))
        }) {
            guard let webhook = SharedTexts.value(text, of: SharedWebhook.self),
                (try? webhook.webhook(id)) != nil
            else { return false }
            webhooks[id] = webhook
            return true
        }
        guard let person = SharedTexts.rest(of: name, after: Self.tokenPrefix).flatMap({ Int64($0) }),
            let token = SharedTexts.value(text, of: SharedUploadToken.self)
        else { return false }
        tokens[PersonID(rawValue: person)] = token
        return true
    }
}
