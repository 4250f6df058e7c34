import Foundation
import GRDB
import Policy
import Synchronization
import Testing

@testable import Store

/// Webhooks, tokens for other servers, and letters, on several machines.
@Suite struct SharedWebhookTests {
    private let table = SharedTableOfNodes()
    private let hook: Webhook

    init() throws {
        hook = try Webhook(
            id: UUID(), person: nil, address: try WebhookAddress(typed: "http://192.168.1.20/hidden-path"),
            events: [.focusStarted, .wishAsked], since: noon)
    }

    /// A node that sends webhooks a letter when anybody's name changes, with links that answer a question.
    private func node(_ number: Int, question: UUID? = nil) throws -> SharingNode {
        let node = try SharingNode(table, number)
        node.store.linkAnswers { "http://192.0.2.\(number)" }
        node.store.tellWebhooks { change in
            let events = zip(change.old.people, change.new.people).filter { $0.name != $1.name }.map {
                _, new in
                WebhookEvent(
                    kind: question == nil ? .focusStarted : .wishAsked, person: new.id, name: new.name,
                    instant: noon, question: question)
            }
            return (events, noon)
        }
        return node
    }

    private func waiting(_ node: SharingNode) -> [WebhookLetter.ID] {
        node.store.webhookState.withLock { $0.queue.letters.map(\.id) }
    }

    private func rows(_ node: SharingNode, of table: String) throws -> Int? {
        try node.store.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
    }

    private var toldLetters: Int {
        table.state.withLock { $0.texts.keys.count { $0.hasPrefix(SharedLetters.prefix) } }
    }

    private func rename(_ node: SharingNode, _ name: String, _ keeping: Keeping = .onDisk) throws {
        try node.store.change(keeping: keeping) { $0.people[0].name = name }
    }

    @Test func aWebhookAndItsSecretAreOnAllNodesAndGoFromAll() throws {
        let (a, b) = (try node(0), try node(1))
        let secret = try a.store.addWebhook(hook)
        try b.hear()
        #expect(b.store.webhooks == [hook] && b.store.webhookSecret(of: hook.id) == secret)
        #expect(try rows(b, of: "webhook") == 1)
        #expect(table.state.withLock { !$0.texts.description.contains(secret.dropFirst(6)) })
        let late = try node(2)
        #expect(late.store.webhookSecret(of: hook.id) == secret)
        let removed = try #require(try b.store.removeWebhook(hook.id))
        try a.hear()
        #expect(a.store.webhooks.isEmpty && a.store.webhookSecret(of: hook.id) == nil)
        #expect(try rows(a, of: "webhook") == 0)
        try b.store.restore(removed)
        try a.hear()
        #expect(a.store.webhookSecret(of: hook.id) == secret)
        try a.store.endSharing()
        #expect(a.store.webhookSecret(of: hook.id) == secret)
    }

    @Test func aTokenForAnotherServerIsOnAllNodes() throws {
        let (a, b) = (try node(0), try node(1))
        let server = try VerifiedServer(typed: "https://example.com")
        try a.store.setOutboundToken("secret", of: me, for: server)
        try b.hear()
        #expect(try b.store.outboundToken(of: me, for: server) == "secret")
        try b.store.removeOutboundToken(of: me)
        try a.hear()
        #expect(try a.store.outboundToken(of: me, for: server) == nil)
    }

    @Test func whatBelongsToAPersonGoesWithThePersonEverywhere() throws {
        let (a, b) = (try node(0), try node(1))
        let mia = Person(id: try a.store.newPersonID(), name: "Mia")
        try a.store.change { $0.people.append(mia) }
        _ = try a.store.addWebhook(
            try Webhook(
                id: UUID(), person: mia.id, address: hook.address, events: hook.events, since: noon))
        try a.store.setOutboundToken(
            "secret", of: mia.id, for: try VerifiedServer(typed: "https://example.com"))
        try b.hear()
        #expect(b.store.webhooks.count == 1)
        #expect(try rows(b, of: "webhook") == 1 && rows(b, of: "outbound_credential") == 1)
        try b.store.change { $0.people.removeAll { $0.id == mia.id } }
        try a.hear()
        for node in [a, b] {
            #expect(node.store.webhooks.isEmpty)
            #expect(try rows(node, of: "webhook") == 0 && rows(node, of: "outbound_credential") == 0)
        }
        #expect(
            table.state.withLock {
                $0.texts.keys.allSatisfy { !$0.contains("webhook") && !$0.contains("upload") }
            })
    }

    @Test func aCutOffNodeAddsNoWebhook() throws {
        let a = try node(0)
        table.state.withLock { $0.isThere = false }
        #expect(throws: StoreError.cutOff(reason: "etcd does not answer")) { try a.store.addWebhook(hook) }
        #expect(a.store.webhooks.isEmpty)
    }

    @Test func theNodeThatMadeAChangeTellsOfItOnce() throws {
        let (a, b) = (try node(0), try node(1))
        _ = try a.store.addWebhook(hook)
        try b.hear()
        try rename(b, "Ada")
        try a.hear()
        #expect(waiting(a).isEmpty && waiting(b).count == 1 && toldLetters == 1)
        let (letter, _) = try #require(b.store.takeLetters(at: noon).first)
        b.store.settle(letter, .init(at: noon, outcome: .answered(204)))
        #expect(toldLetters == 0 && !b.store.isUntold)
        try a.hear()
        #expect(waiting(a).isEmpty)
    }

    @Test func oneOfTwoTakesOverWhatANodeThatIsGoneDidNotSend() throws {
        let (a, b, c) = (try node(0), try node(1), try node(2))
        _ = try a.store.addWebhook(hook)
        for node in [b, c] { try node.hear() }
        try rename(a, "Ada")
        let ids = waiting(a)
        for node in [b, c] { try node.hear() }
        try b.store.takeOverLetters { _ in false }
        #expect(waiting(b).isEmpty)
        for node in [b, c] { try node.store.takeOverLetters { $0 == 0 } }
        #expect(waiting(b) == ids && waiting(c).isEmpty)
        #expect(try rows(b, of: "webhook_letter") == 1)
        // The node that was gone does not send it, nor does it come back.
        try a.hear()
        #expect(waiting(a).isEmpty)
        #expect(try rows(a, of: "webhook_letter") == 0)
        let (letter, _) = try #require(b.store.takeLetters(at: noon).first)
        b.store.settle(letter, .init(at: noon, outcome: .answered(204)))
        try a.hear()
        #expect(waiting(a).isEmpty && toldLetters == 0)
    }

    @Test func lettersOfARemovedWebhookAreNobodysAnyMore() throws {
        let (a, b) = (try node(0), try node(1))
        _ = try a.store.addWebhook(hook)
        try rename(a, "Ada")
        try b.hear()
        _ = try b.store.removeWebhook(hook.id)
        try a.hear()
        #expect(waiting(a).isEmpty && toldLetters == 1)
        try a.store.takeOverLetters { _ in false }
        #expect(toldLetters == 0)
    }

    @Test func whatGoneNodesLeftOfARemovedWebhookIsNotSent() throws {
        let (a, b) = (try node(0), try node(1))
        _ = try a.store.addWebhook(hook)
        try rename(a, "Ada")
        try b.hear()
        _ = try b.store.removeWebhook(hook.id)
        try b.store.takeOverLetters { $0 == 0 }
        #expect(waiting(b).isEmpty && toldLetters == 0)
    }

    @Test func aWebhookHeardWhileTheDiskIsFullIsInTheRowsLater() throws {
        let scratch = Scratch()
        defer { withExtendedLifetime(scratch) {} }
        let (a, b) = (try node(0), try SharingNode(table, 1, try scratch.open()))
        try b.store.refuseWrites()
        let secret = try a.store.addWebhook(hook)
        try b.hear()
        #expect(b.store.webhooks.count == 1 && b.store.isBehind)
        try b.store.takeWrites()
        b.store.catchUp(at: noon)
        #expect(try rows(b, of: "webhook") == 1 && !b.store.isBehind)
        #expect(secret.hasPrefix("whsec_"))
    }

    @Test func whatAnOlderBuildKeptToItselfIsTold() throws {
        let scratch = Scratch()
        do {
            let alone = try scratch.open()
            _ = try alone.addWebhook(hook)
        }
        let (a, b) = (try node(0), try SharingNode(table, 1, try scratch.open()))
        // As an older build left it: agreed on everything but the webhook.
        #expect(b.store.webhooks.isEmpty, "a machine that joins has what the others have")
        try b.store.endSharing()
        _ = try b.store.addWebhook(hook)
        try b.store.queue.write { db in
            try SharedTable.rewrite(
                db,
                Sharing(
                    agreement: b, node: 1, head: table.whole.head, texts: table.whole.puts, isPending: false),
                untold: Story())
        }
        try b.store.share(by: b, as: 1)
        try b.hear()
        try b.store.tellOthers()
        try a.hear()
        #expect(a.store.webhooks == [hook] && b.store.webhooks == [hook])
    }

    @Test func aNodeThatCannotAskHoldsBackWhatOthersMaySend() throws {
        let a = try node(0)
        _ = try a.store.addWebhook(hook)
        try rename(a, "Ada")
        a.store.noteCutOff("etcd does not answer")
        #expect(a.store.takeLetters(at: noon).isEmpty && a.store.nextLetter(at: noon) == nil)
        table.state.withLock { $0.isThere = false }
        // What happened since is known to nobody else.
        try rename(a, "Grace", .evenInMemory)
        #expect(a.store.takeLetters(at: noon).map { $0.letter.body.contains("Grace") } == [true])
        table.state.withLock { $0.isThere = true }
        a.store.noteCutOff(nil)
        #expect(a.store.takeLetters(at: noon).map { $0.letter.body.contains("Ada") } == [true])
        try a.store.tellOthers()
        #expect(toldLetters == 2)
    }

    @Test func lettersOfMuchThatHappenedAreToldInParts() throws {
        let (a, b) = (try node(0), try node(1))
        _ = try a.store.addWebhook(hook)
        table.state.withLock { $0.isThere = false }
        for number in 0..<120 { try rename(a, "Name \(number)", .evenInMemory) }
        table.state.withLock { $0.isThere = true }
        try a.store.tellOthers()
        #expect(!a.store.isUntold)
        try b.hear()
        try b.store.takeOverLetters { $0 == 0 }
        #expect(waiting(b).count == 120 && Set(waiting(b)) == Set(waiting(a)))
    }

    @Test func aLetterThatTheDiskRefusedHasOneID() throws {
        let scratch = Scratch()
        defer { withExtendedLifetime(scratch) {} }
        let store = try scratch.open()
        let a = try SharingNode(table, 0, store)
        store.tellWebhooks { change in
            let isRenamed = change.old.people.first?.name != change.new.people.first?.name
            let event = WebhookEvent(kind: .focusStarted, person: me, name: "Ada", instant: noon)
            return (isRenamed ? [event] : [], noon)
        }
        _ = try store.addWebhook(hook)
        try store.refuseWrites()
        try store.change(keeping: .evenInMemory) { $0.people[0].name = "Ada" }
        #expect(toldLetters == 1 && waiting(a).count == 1)
        try store.takeWrites()
        store.catchUp(at: noon)
        try store.tellOthers()
        #expect(toldLetters == 1)
        let told = table.state.withLock { $0.texts.first { $0.key.hasPrefix(SharedLetters.prefix) }?.value }
        #expect(waiting(a).count == 1 && told?.contains(waiting(a)[0].uuidString) == true)
        try a.hear()
        #expect(waiting(a).count == 1)
    }

    @Test func aLinkWorksOnEveryNodeUntilThePasscodeChanges() throws {
        let question = UUID()
        let (a, b) = (try node(0, question: question), try node(1, question: question))
        _ = try a.store.addWebhook(hook)
        try rename(a, "Ada")
        try b.hear()
        let body = try #require(a.store.takeLetters(at: noon).first).letter.body
        let token = String(try #require(body.firstMatch(of: /answer\/([\w-]+)\/yes/)).1)
        for node in [a, b] { #expect(node.store.question(ofLink: token) == question) }
        try a.store.setPasscodeHash("scrypt$1")
        try b.hear()
        for node in [a, b] { #expect(node.store.question(ofLink: token) == nil) }
    }

    @Test func aLinkOfALetterThatAnotherNodeTakesOverLeadsToThatNode() throws {
        let question = UUID()
        let (a, b) = (try node(0, question: question), try node(1, question: question))
        _ = try a.store.addWebhook(hook)
        try rename(a, "Ada")
        try b.hear()
        try b.store.takeOverLetters { $0 == 0 }
        let body = try #require(b.store.takeLetters(at: noon).first).letter.body
        #expect(body.contains("http://192.0.2.1/answer/") && !body.contains("192.0.2.0/answer"))
        let token = String(try #require(body.firstMatch(of: /answer\/([\w-]+)\/yes/)).1)
        #expect(b.store.question(ofLink: token) == question)
    }

    @Test func whatANewerNodeAddedStaysWhenAnOlderOneTells() throws {
        let a = try node(0)
        let name = "access/webhook/\(UUID().uuidString)"
        table.state.withLock { state in
            state.texts[name] = #"{"form":"of tomorrow","url":"http://192.168.1.20/","events":[],"since":0}"#
            state.texts["access/of-tomorrow/1"] = "{}"
            state.head.revision += 1
        }
        try a.hear()
        table.state.withLock { $0.isThere = false }
        try rename(a, "Ada", .evenInMemory)
        table.state.withLock { $0.isThere = true }
        try a.store.tellOthers()
        #expect(table.state.withLock { $0.texts[name] != nil && $0.texts["access/of-tomorrow/1"] != nil })
    }
}
