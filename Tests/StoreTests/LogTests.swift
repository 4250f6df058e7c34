import Foundation
import GRDB
import Policy
import Synchronization
import Testing

@testable import Store

@Suite struct LogTests {
    @Test func pagesGoBackwards() throws {
        let store = try Scratch().open()
        for number in 1...25 {
            try store.append(LogEntry(.ruleChanged, person: me, at: noon, detail: "\(number)"))
        }
        let first = try store.log(of: me, limit: 10)
        #expect(first.map(\.detail) == (16...25).reversed().map(String.init))
        let second = try store.log(of: me, before: first.last?.id, limit: 10)
        #expect(second.map(\.detail) == (6...15).reversed().map(String.init))
        #expect(try store.log(of: nil).isEmpty)
    }

    @Test func anEntryKeepsWhatItSays() throws {
        let store = try Scratch().open()
        try store.change { $0.devices = [.example(1, person: me)] }
        let long = String(repeating: "👩‍👩‍👧", count: 400)
        try store.append(
            LogEntry(.helpUsed, person: me, device: DeviceID(rawValue: 1), at: noon),
            LogEntry(.deviceEnrolled, person: nil, device: DeviceID(rawValue: 77), at: noon, detail: long))
        let help = try #require(try store.log(of: me).first)
        #expect(help.kind == .helpUsed && help.instant == noon && help.device == DeviceID(rawValue: 1))
        let other = try #require(try store.log(of: nil).first)
        #expect(other.device == nil)
        #expect(other.detail.unicodeScalars.count == 1_000)
        // A forgotten device leaves its lines behind.
        try store.change { $0.devices = [] }
        #expect(try store.log(of: me).first?.device == nil)
    }

    @Test func everyKindIsOneTheSchemaKnows() throws {
        let store = try Scratch().open()
        for kind in LogEntry.Kind.allCases { try store.append(LogEntry(kind, person: me, at: noon)) }
        #expect(try store.log(of: me).map(\.kind) == LogEntry.Kind.allCases.reversed())
    }

    @Test func theOldestMakeRoom() throws {
        let store = try Scratch().open()
        try store.change { _, log in
            log = (1...EventLog.limit + 20).map {
                LogEntry(.helpUsed, person: me, at: noon, detail: "\($0)")
            }
        }
        let count = try store.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM event") }
        #expect(count == EventLog.limit)
        #expect(try store.log(of: me, limit: 1).first?.detail == "\(EventLog.limit + 20)")
    }

    @Test("A machine that joins takes in thousands of lines: room is made once, not for each")
    func roomIsMadeOnce() throws {
        let store = try Scratch().open()
        let entries = (1...200).map { LogEntry(.helpUsed, person: me, at: noon, detail: "\($0)") }
        let deletions = try store.queue.write { db in
            let seen = Mutex(0)
            db.trace { event in
                if "\(event)".contains("DELETE") { seen.withLock { $0 += 1 } }
            }
            try EventLog.append(db, entries)
            db.trace(options: [])
            return seen.withLock { $0 }
        }
        #expect(deletions == 1)
        #expect(try store.log(of: me, limit: 300).count == 200)
    }

    @Test("Kept for 90 days; another person's lines are their own")
    func theOldGo() throws {
        let store = try Scratch().open()
        let old = noon.addingTimeInterval(-EventLog.lifetime)
        try store.append(
            LogEntry(.ruleChanged, person: me, at: old - 60, detail: "too old"),
            LogEntry(.ruleChanged, person: me, at: old + 60, detail: "old"),
            LogEntry(.ruleChanged, person: nil, at: old - 60, detail: "the household's"))
        try store.append(LogEntry(.helpUsed, person: me, at: noon, detail: "new"))
        try store.forget(at: noon, isSynchronised: true)
        #expect(try store.log(of: me).map(\.detail) == ["new", "old"])
        #expect(try store.log(of: nil).map(\.detail) == ["the household's"])
    }

    @Test(
        "Every change is about its rule and by its hand; a page's own line is about the first"
    )
    func attribution() throws {
        let store = try Scratch().open()
        let hand = Hand(.program, "by the program x")
        try store.change { _, log in
            log.append(LogEntry(.ruleChanged, person: me, at: noon, detail: "waited"))
            log.append(LogEntry(.ruleChanged, person: me, at: noon, detail: "Nightly schedule"))
            log.append(LogEntry(.sessionStarted, person: me, at: noon))
            log.attribute(
                from: 1, to: hand,
                changes: [
                    RuleChange(me, .schedule), RuleChange(me, .tonight), RuleChange(nil, .timeZone),
                ], at: noon)
        }
        let log = try store.log(of: me)
        #expect(log.map(\.subject) == [.tonight, nil, .schedule, nil])
        #expect(log.map(\.hand) == [hand, hand, hand, nil])
        #expect(log[2].detail == "Nightly schedule")
        #expect(try store.log(of: nil).map(\.subject) == [.timeZone])
        let later = noon + 60
        try store.change { _, log in
            log.attribute(from: 0, to: .machine, changes: [RuleChange(me, .tonight)], at: later)
        }
        let latest = try store.latestChanges(of: me)
        #expect(Set(latest.keys) == [.schedule, .tonight])
        #expect(latest[.tonight]?.instant == later && latest[.tonight]?.hand == .machine)
        #expect(try store.latestChanges(of: nil)[.timeZone]?.hand == hand)
        #expect(try store.log(of: me, kinds: [.sessionStarted], limit: 9).map(\.kind) == [.sessionStarted])
    }

    @Test func sessionsThatAreOverAreHistory() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        func run(_ start: TimeInterval, then kind: LogEntry.Kind?) throws -> UUID {
            let session = SleepSession.example(from: noon.addingTimeInterval(start))
            try store.change { $0.people[0].session = session }
            try store.change { household, log in
                household.people[0].session = nil
                if let kind { log.append(LogEntry(kind, person: me, at: noon.addingTimeInterval(start + 9))) }
            }
            return session.id
        }
        let ended = try run(0, then: .sessionEnded)
        let cancelled = try run(100, then: .sessionCancelled)
        let reset = try run(200, then: .sessionReset)
        let silent = try run(300, then: nil)
        let replaced = SleepSession.example(from: noon.addingTimeInterval(400))
        try store.change { $0.people[0].session = replaced }
        try store.change { $0.people[0].session = .example(from: noon.addingTimeInterval(500)) }
        let past = try store.pastSessions(of: me)
        #expect(past.map(\.id) == [replaced.id, silent, reset, cancelled, ended])
        #expect(past.map(\.outcome) == [.replaced, .ended, .reset, .cancelled, .ended])
        #expect(
            past.map(\.endedAt?.milliseconds) == [
                nil, nil, noon.milliseconds + 209_000, noon.milliseconds + 109_000, noon.milliseconds + 9_000,
            ])
        let page = try store.pastSessions(of: me, before: past[1].startedAt, limit: 2)
        #expect(page.map(\.id) == [reset, cancelled])
    }

    @Test func whatSettlingReportsIsLogged() throws {
        let store = try Scratch().open()
        try store.change { $0.people[0].session = .example(minutes: 30) }
        try store.change { household, log in
            log += household.settle(at: noon.addingTimeInterval(7_200), newID: UUID.init)
                .map { LogEntry($0) }
        }
        #expect(try store.log(of: me).map(\.kind) == [.sessionEnded])
        let past = try #require(try store.pastSessions(of: me).first)
        #expect(past.outcome == .ended)
        #expect(past.endedAt == noon.addingTimeInterval(1_800))
    }

    @Test("A limit that is reached, and a change that waited, are logged once (TH-008)")
    func whatSettlingDoesToRulesIsLoggedOnce() throws {
        let tiktok = LimitTarget.app("tiktok")
        let store = try Scratch().open()
        let used = UsageTotals([me: [tiktok: TargetUse(day: 30, week: 30)]])
        let due = noon.addingTimeInterval(28_800)
        try store.change { household in
            household.people[0].limits.list = [UsageLimit(id: UUID(), target: tiktok, minutes: 30)]
            household.people[0].pending = [
                PendingChange(id: UUID(), due: due, change: .removeLimit(tiktok))
            ]
        }
        func settle(after seconds: TimeInterval, _ usage: UsageTotals) throws {
            try store.change { household, log in
                household.settle(
                    at: noon.addingTimeInterval(seconds), usage: usage, log: &log, newID: UUID.init)
            }
        }
        try settle(after: 0, .none)
        #expect(try store.log(of: me).isEmpty)
        for seconds in stride(from: 60.0, through: 600, by: 60) { try settle(after: seconds, used) }
        let reached = try store.log(of: me)
        #expect(reached.map(\.kind) == [.limitReached])
        #expect(reached[0].detail == "tiktok")
        #expect(reached[0].instant == noon.addingTimeInterval(60))
        // Settled late, and twice.
        for seconds in [30_000.0, 30_001] { try settle(after: seconds, used) }
        let log = try store.log(of: me)
        #expect(log.map(\.kind) == [.ruleChanged, .limitReached])
        #expect(log[0].detail == "After waiting: no limit of tiktok")
        #expect(log[0].instant == due)
        #expect(store.household.people[0].limits.list.isEmpty)
    }

    @Test("A change that was taken back is not logged as one that holds")
    func aChangeThatWasTakenBack() throws {
        let store = try Scratch().open()
        let change = PendingChange(id: UUID(), due: noon.addingTimeInterval(60), change: .windows([]))
        try store.change { $0.people[0].pending = [change] }
        try store.change { household, log in
            household.settle(at: noon, log: &log, newID: UUID.init)
            household.people[0].pending = []
            household.settle(at: noon, log: &log, newID: UUID.init)
        }
        #expect(try store.log(of: me).isEmpty)
    }
}
