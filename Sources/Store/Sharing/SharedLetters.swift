import Foundation
import GRDB
import Policy

/// The messages for webhooks that tell of one change, as a text. One node sends them, and another if that node is gone.
struct SharedLetters: Codable {
    static let prefix = "access/letters/"

    /// The node that sends them.
    var node: Int
    var letters: [Letter]

    struct Letter: Codable {
        var id: UUID
        var webhook: UUID
        var event: String
        var body: String
        var due: Date
        /// The hash of the token of the link in the body: the link works on every node.
        var tokenHash: Data?
        var question: UUID?

        init(_ letter: WebhookLetter) {
            (id, webhook, event, body, due) = (
                letter.id, letter.webhook, letter.event, letter.body, letter.due
            )
            (tokenHash, question) = (letter.link?.tokenHash, letter.link?.question)
        }

        var letter: WebhookLetter {
            let link = tokenHash.flatMap { hash in
                question.map { WebhookLetter.Link(tokenHash: hash, question: $0) }
            }
            return WebhookLetter(id: id, webhook: webhook, event: event, body: body, due: due, link: link)
        }
    }

    /// The links of a letter name the node that made it. They lead to `server` from now on, this node's address.
    mutating func lead(to server: String) {
        for index in letters.indices {
            guard let hash = letters[index].tokenHash else { continue }
            letters[index].body.replace(/https?:\/\/[^\/\s"\\]+\/answer\/([\w-]+)/) { link in
                sha256(String(link.1)) == hash ? "\(server)/answer/\(link.1)" : String(link.0)
            }
        }
    }

    /// The text of new letters, by its name; empty without letters.
    static func texts(of letters: [WebhookLetter], by node: Int) throws -> [String: String] {
        guard let first = letters.first else { return [:] }
        let shared = SharedLetters(node: node, letters: letters.map(Letter.init))
        return [prefix + first.id.uuidString: try SharedTexts.text(shared)]
    }
}

extension Sharing {
    var letterTexts: [String: String] { texts.filter { $0.key.hasPrefix(SharedLetters.prefix) } }

    /// The letters that the nodes agreed on, by the names of their texts.
    var letters: [String: SharedLetters] {
        var all: [String: SharedLetters] = [:]
        for (name, text) in texts where name.hasPrefix(SharedLetters.prefix) {
            all[name] = SharedTexts.value(text)
        }
        return all
    }

    /// Those that this node sends.
    var ownLetters: [WebhookLetter.ID: WebhookLetter] {
        let own = letters.values.filter { $0.node == node }.flatMap(\.letters)
        return Dictionary(own.map { ($0.id, $0.letter) }) { first, _ in first }
    }

    /// The texts of all letters as they should be: without those that this node settled, and with those of nodes that
    /// are gone as this node's own, if it knows their webhooks.
    ///
    /// - Parameters:
    ///   - waiting: what waits to be sent here.
    ///   - webhooks: those that this build can read.
    ///   - server: this node's address; nil: letters have no links.
    func letterTexts(
        waiting: Set<WebhookLetter.ID>, webhooks: Set<Webhook.ID>, insteadOf isGone: (Int) -> Bool,
        at server: String?
    ) throws -> [String: String] {
        var wanted = letterTexts
        for (name, var shared) in letters {
            let before = shared.letters.count
            if shared.node == node {
                shared.letters.removeAll { !waiting.contains($0.id) }
                if shared.letters.count == before { continue }
            } else if isGone(shared.node) {
                shared.letters.removeAll { texts[Outgoing.name(ofWebhook: $0.webhook)] == nil }
                guard shared.letters.allSatisfy({ webhooks.contains($0.webhook) }) else { continue }
                shared.node = node
                if let server { shared.lead(to: server) }
            } else {
                continue
            }
            wanted[name] = shared.letters.isEmpty ? nil : try SharedTexts.text(shared)
        }
        return wanted
    }
}
