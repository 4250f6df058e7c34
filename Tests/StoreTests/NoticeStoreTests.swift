import Foundation
import GRDB
import Policy
import Testing

@testable import Store

/// Notices survive restarts, are told once, and are known even when the disk refuses writes.
@Suite struct NoticeStoreTests {
    private let wrong = HouseFacts(now: noon, isClockSynchronised: false)

    private func hook(_ form: Webhook.Form = .json) throws -> Webhook {
        try Webhook(
            id: UUID(), person: nil, address: try WebhookAddress(typed: "http://192.168.1.20/x"),
            events: [.noticeRaised, .noticeCleared], form: form, since: noon)
    }

    @Test func survivesARestartAndIsToldOnce() throws {
        let scratch = Scratch()
        do {
            let store = try scratch.open()
            _ = try store.addWebhook(hook(.ntfy))
            store.take(wrong)
            store.take(wrong)
            try store.putAwayNotice("clock", at: noon)
            #expect(throws: Refusal.unknownNotice) { try store.putAwayNotice("disk", at: noon) }
            _ = store.notePlace(address: "10.0.0.5", upstreams: ["9.9.9.9"], at: noon)
        }
        let store = try scratch.open()
        #expect(store.notices.notices.map(\.id) == ["clock"])
        #expect(store.notices.shown(at: noon).isEmpty)
        #expect(store.notices.place.address.value == ["10.0.0.5"])
        #expect(store.webhooks.map(\.form) == [.ntfy])
        store.take(wrong)
        let letters = store.takeLetters(at: noon).map(\.letter)
        #expect(letters.map(\.event) == ["notice.raised"])
        #expect(letters.first.flatMap { PlainNotice(letter: $0.body)?.title } == "Something needs attention")
        let place = store.notePlace(address: "10.0.0.9", upstreams: ["9.9.9.9"], at: noon)
        #expect(place.address.before == ["10.0.0.5"])
        store.take(HouseFacts(now: noon + 60, isClockSynchronised: true))
        #expect(store.notices.notices.isEmpty)
        #expect(store.takeLetters(at: noon + 60).map(\.letter.event) == ["notice.cleared"])
    }

    @Test func figuresThatMoveAreNoReasonToWrite() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        store.take(HouseFacts(now: noon, disk: .init(free: 9_000_000, total: 1_000_000_000)))
        let before = try store.queue.read { $0.totalChangesCount }
        store.take(HouseFacts(now: noon + 10, disk: .init(free: 8_000_000, total: 1_000_000_000)))
        #expect(store.notices.notices.first?.finding.sentence.contains("8 MB") == true)
        #expect(try store.queue.read { $0.totalChangesCount } == before)
    }

    @Test func isKnownWhereTheRowsRefuse() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        _ = try store.addWebhook(hook())
        try scratch.execute("CREATE TRIGGER no BEFORE INSERT ON notice BEGIN SELECT RAISE(ABORT, 'no'); END")
        store.take(wrong)
        #expect(store.notices.notices.map(\.id) == ["clock"])
        #expect(store.takeLetters(at: noon).map(\.letter.event) == ["notice.raised"])
        try scratch.execute("DROP TRIGGER no")
        store.take(wrong)
        let rows = try DatabaseQueue(path: scratch.database).read { try NoticeRecord.board($0) }
        #expect(rows.notices.map(\.id) == ["clock"])
    }

    @Test func erasedWhileItRunsItStoresNothingMore() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { $0.people[0].name = "Magdalena" }
        _ = try store.addWebhook(hook())
        try store.backUpDaily(at: noon, isSynchronised: true)
        try store.erase()
        #expect(throws: StoreError.erased) { try store.change { $0.people[0].name = "Grace" } }
        #expect(try store.backUpDaily(at: noon + 86_400, isSynchronised: true) == false)
        store.take(wrong)
        store.catchUp(at: noon)
        store.flush()
        store.finishErasing()
        #expect(scratch.names == ["lock"])
        // The lock is free, and the server starts as on its first day.
        let first = try scratch.open()
        #expect(first.household.people.map(\.name) == ["Me"] && first.opening.rules == .new)
        #expect(!first.isSetUp && first.webhooks.isEmpty)
    }
}
