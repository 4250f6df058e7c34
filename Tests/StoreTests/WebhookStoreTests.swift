import Foundation
import GRDB
import Policy
import Synchronization
import Testing

@testable import Store

/// A letter is written with the change that it tells of, and no letter is sent twice.
@Suite struct WebhookStoreTests {
    private func hook(
        _ url: String = "http://192.168.1.20/hidden-path", person: PersonID? = nil,
        events: Set<WebhookEvent.Kind> = Set(WebhookEvent.Kind.allCases)
    ) throws -> Webhook {
        try Webhook(
            id: UUID(), person: person, address: try WebhookAddress(typed: url), events: events, since: noon)
    }

    /// A store that sends webhooks a letter when anybody's name changes.
    private func telling(_ scratch: Scratch) throws -> HouseholdStore {
        let store = try scratch.open()
        store.tellWebhooks { change in
            let events = zip(change.old.people, change.new.people).filter { $0.name != $1.name }.map {
                _, new in
                WebhookEvent(kind: .focusStarted, person: new.id, name: new.name, instant: noon)
            }
            return (events, noon)
        }
        return store
    }

    private func waiting(_ store: HouseholdStore) -> [WebhookLetter] {
        store.webhookState.withLock { $0.queue.letters }
    }

    @Test(
        "A question's links find it after a restart; the database holds no token, and a person's own webhook none"
    )
    func links() throws {
        let scratch = Scratch()
        let question = UUID()
        func telling() throws -> HouseholdStore {
            let store = try scratch.open()
            store.linkAnswers { "http://192.0.2.2" }
            store.tellWebhooks { change in
                let person = change.new.people[0]
                return (
                    [
                        WebhookEvent(
                            kind: .wishAsked, person: person.id, name: person.name, instant: noon,
                            question: question)
                    ],
                    noon
                )
            }
            return store
        }
        let token: String
        do {
            let store = try telling()
            _ = try store.addWebhook(hook())
            _ = try store.addWebhook(hook(person: store.household.people[0].id))
            try store.change { $0.people[0].name = "Ada" }
            let letters = waiting(store)
            let linked = letters.filter { $0.body.contains("/answer/") }
            #expect(letters.count == 2 && linked.count == 1)
            token = String(try #require(linked[0].body.firstMatch(of: /answer\/([\w-]+)\/yes/)).1)
            #expect(token.utf8.count >= 22 && linked[0].body.contains("/answer/\(token)/no"))
            #expect(store.question(ofLink: token) == question && store.question(ofLink: token + "x") == nil)
            for letter in letters { store.settle(letter, .init(at: noon, outcome: .answered(204))) }
        }
        let store = try telling()
        #expect(store.question(ofLink: token) == question)
        let dump = try store.queue.read {
            try String.fetchAll($0, sql: "SELECT hex(token_hash) FROM answer_link")
        }
        #expect(dump.count == 1 && !dump[0].contains(token))
        #expect(
            try store.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM webhook_letter") } == 0)
    }

    @Test func survivesARestartAndIsSentOnce() throws {
        let scratch = Scratch()
        let ids: [UUID]
        do {
            let store = try telling(scratch)
            _ = try store.addWebhook(hook())
            try store.change { $0.people[0].name = "Ada" }
            try store.change { $0.people[0].name = "Grace" }
            ids = waiting(store).map(\.id)
            #expect(ids.count == 2)
            let taken = store.takeLetters(at: noon)
            store.settle(taken[0].letter, .init(at: noon, outcome: .answered(204)))
            store.settle(taken[1].letter, .init(at: noon, outcome: .failed(.unreachable)))
        }
        let store = try telling(scratch)
        #expect(waiting(store).map(\.id) == [ids[1]])
        #expect(waiting(store).map(\.tries) == [1])
        #expect(store.takeLetters(at: noon.addingTimeInterval(4)).isEmpty)
        let again = store.takeLetters(at: noon.addingTimeInterval(5))
        #expect(again.map(\.letter.id) == [ids[1]])
        #expect(again[0].letter.body.contains(#""person":"Grace""#))
        #expect(store.webhooks.map(\.latest) == [.init(at: noon, outcome: .failed(.unreachable))])
        store.settle(again[0].letter, .init(at: noon, outcome: .answered(200)))
        #expect(try scratch.open(readOnly: true).webhooks.map(\.latest?.outcome) == [.answered(200)])
        #expect(waiting(try scratch.open(readOnly: true)).isEmpty)
    }

    @Test func aRefusedChangeTellsNothing() throws {
        let scratch = Scratch()
        defer { withExtendedLifetime(scratch) {} }
        let store = try telling(scratch)
        _ = try store.addWebhook(hook())
        #expect(throws: StoreError.self) { try store.change { $0.people[0].name = "" } }
        #expect(throws: Refusal.self) {
            try store.change { household in
                household.people[0].name = "Ada"
                throw Refusal.noSession
            }
        }
        #expect(waiting(store).isEmpty)
    }

    @Test func tellsThoseWhoAskedForIt() throws {
        let scratch = Scratch()
        defer { withExtendedLifetime(scratch) {} }
        let store = try telling(scratch)
        _ = try store.addWebhook(hook(person: me))
        _ = try store.addWebhook(hook(events: [.sleepEnded]))
        _ = try store.addWebhook(hook())
        try store.change { $0.people[0].name = "Ada" }
        let wanting = store.webhooks.filter { $0.events.contains(.focusStarted) }.map(\.id)
        #expect(Set(waiting(store).map(\.webhook)) == Set(wanting))
    }

    @Test func keepsTwoHundredRowsAtMost() throws {
        let scratch = Scratch()
        let store = try telling(scratch)
        _ = try store.addWebhook(hook())
        for number in 0..<205 { try store.change { $0.people[0].name = "Name \(number)" } }
        let rows = try store.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM webhook_letter") }
        #expect(rows == 200 && waiting(store).count == 200)
        #expect(waiting(store).first?.body.contains("Name 5\"") == true)
    }

    @Test func secretsAreSealedAndLeaveTheHouseOnce() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        let mine = try hook()
        let secret = try store.addWebhook(mine)
        #expect(secret.hasPrefix("whsec_") && Data(base64Encoded: String(secret.dropFirst(6)))?.count == 32)
        #expect(store.webhookSecret(of: mine.id) == secret)
        let exported = String(decoding: try store.export(at: noon), as: UTF8.self)
        #expect(exported.contains(#""origin" : "http://192.168.1.20""#))
        #expect(!exported.contains(secret) && !exported.contains("hidden-path"))
        store.flush()
        for name in scratch.names {
            let file = FileManager.default.contents(atPath: scratch.path + "/" + name) ?? Data()
            #expect(file.range(of: Data(secret.utf8)) == nil, "\(name)")
        }
        // A sealed secret opens in its own row only, and not without the key.
        let other = try hook("http://192.168.1.21/")
        _ = try store.addWebhook(other)
        try store.queue.write {
            try $0.execute(
                sql: "UPDATE webhook SET sealed = (SELECT sealed FROM webhook WHERE id = ?) WHERE id = ?",
                arguments: [mine.id.uuidString, other.id.uuidString])
        }
        try store.queue.writeWithoutTransaction { try store.reload($0) }
        #expect(store.webhookSecret(of: other.id) == nil && store.webhookSecret(of: mine.id) == secret)
        unlink(scratch.path + "/" + HouseholdStore.outboundKeyName)
        #expect(store.webhookSecret(of: mine.id) == nil)
    }

    @Test func removedWithItsLettersAndHadBack() throws {
        let scratch = Scratch()
        defer { withExtendedLifetime(scratch) {} }
        let store = try telling(scratch)
        let mine = try hook()
        let secret = try store.addWebhook(mine)
        try store.putTestInLine(for: mine.id, at: noon)
        #expect(store.waitingLetters(of: mine.id) == 1)
        let removed = try #require(try store.removeWebhook(mine.id))
        #expect(store.webhooks.isEmpty && waiting(store).isEmpty && store.webhookSecret(of: mine.id) == nil)
        #expect(try store.removeWebhook(mine.id) == nil)
        #expect(throws: Refusal.unknownWebhook) { try store.putTestInLine(for: mine.id, at: noon) }
        try store.restore(removed)
        #expect(store.webhooks == [mine] && store.webhookSecret(of: mine.id) == secret)
    }

    @Test func goesWithItsPerson() throws {
        let scratch = Scratch()
        defer { withExtendedLifetime(scratch) {} }
        let store = try telling(scratch)
        let ada = try store.newPersonID()
        try store.change {
            try $0.addPerson(
                ada, name: "Ada", catalog: Catalog(categories: [], apps: [], alwaysReachable: []))
        }
        let hers = try hook(person: ada)
        _ = try store.addWebhook(hers)
        try store.putTestInLine(for: hers.id, at: noon)
        try store.change { try $0.removePerson(ada, at: noon) }
        #expect(store.webhooks.isEmpty && store.takeLetters(at: noon).isEmpty)
        #expect(store.nextLetter(at: noon) == nil)
        // Removed webhooks leave room for others.
        for _ in 0..<Webhook.maximumCount { _ = try store.addWebhook(hook()) }
    }

    /// A letter that crashes the process is not the first thing that the next start sends, and not sent for ever.
    @Test func aTryCountsBeforeItIsMade() throws {
        let scratch = Scratch()
        var now = noon
        do {
            let store = try telling(scratch)
            _ = try store.addWebhook(hook())
            try store.change { $0.people[0].name = "Ada" }
        }
        for delay in WebhookQueue.delays + [0] {
            do {
                let store = try scratch.open()
                #expect(store.takeLetters(at: now).count == 1)
            }
            #expect(try scratch.open().takeLetters(at: now).isEmpty, "it waits, or is given up")
            now += delay
        }
        #expect(try scratch.open().nextLetter(at: now) == nil)
    }

    /// If the disk refuses writes, no letter is sent twice, and none is lost.
    @Test func aDiskThatRefuses() throws {
        let scratch = Scratch()
        let store = try telling(scratch)
        _ = try store.addWebhook(hook())
        func refuses(_ isSo: Bool) throws {
            try store.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = \(isSo)") }
        }
        func rows() throws -> Int? {
            try store.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM webhook_letter") }
        }
        try store.change { $0.people[0].name = "Ada" }
        let first = try #require(store.takeLetters(at: noon).first?.letter)
        try refuses(true)
        store.settle(first, .init(at: noon, outcome: .answered(204)))
        try store.change(keeping: .evenInMemory) { $0.people[0].name = "Grace" }
        #expect(waiting(store).map(\.id) != [first.id] && waiting(store).count == 1)
        #expect(try rows() == 1)
        try refuses(false)
        let second = try #require(store.takeLetters(at: noon).first?.letter)
        #expect(second.body.contains("Grace"))
        store.settle(second, .init(at: noon, outcome: .answered(500)))
        let kept = try store.queue.read { try WebhookRecord.letters($0).map(\.id) }
        #expect(kept == [second.id])
    }

    @Test func thereIsABound() throws {
        let scratch = Scratch()
        defer { withExtendedLifetime(scratch) {} }
        let store = try scratch.open()
        for _ in 0..<Webhook.maximumCount { _ = try store.addWebhook(hook()) }
        #expect(throws: Refusal.tooManyWebhooks) { try store.addWebhook(hook()) }
    }

    @Test func aBackupThatIsRestoredSendsNothingOld() throws {
        let scratch = Scratch()
        let store = try telling(scratch)
        let mine = try hook()
        _ = try store.addWebhook(mine)
        try store.putTestInLine(for: mine.id, at: noon)
        let file = scratch.path + "/kept.sqlite"
        try store.backup(to: file)
        try store.restore(from: file, at: noon)
        #expect(store.webhooks.map(\.id) == [mine.id] && waiting(store).isEmpty)
    }
}

extension Scratch {
    fileprivate func open(readOnly: Bool) throws -> HouseholdStore {
        try HouseholdStore.readOnly(directory: path, log: .silent)
    }
}
