import Foundation
import GRDB
import Policy
import Synchronization
import Testing

@testable import Store

@Suite("Nothing that is stored is forgotten by a clock that is not trusted")
struct TrustedTimeStoreTests {
    private static let years: TimeInterval = 3650 * 86_400
    private static let yesterday = CivilDate("2026-11-20")!

    /// A line of the log and a day of usage, and the time noted as it is.
    private func prepared(_ scratch: Scratch) throws -> HouseholdStore {
        let store = try scratch.open()
        store.note(noon, uptime: 1_000, isSynchronised: false)
        try store.setLastInstant(noon)
        try store.append(LogEntry(.helpUsed, person: me, at: noon, detail: "before"))
        var batch = UsageBatch()
        batch.days = [UsageDay(person: me, date: Self.yesterday, app: nil, minutes: 30, source: .dns)]
        try store.recordUsage(batch, at: noon)
        return store
    }

    /// What a house writes in a minute.
    private func live(_ store: HouseholdStore, at now: Date) throws {
        try store.append(LogEntry(.helpUsed, person: me, at: now, detail: "later"))
        try store.recordUsage(UsageBatch(), at: now)
    }

    private func isAllThere(_ store: HouseholdStore) throws -> Bool {
        let isLogged = try store.log(of: me).contains { $0.detail == "before" }
        let days = try store.usageDays(of: me, from: Self.yesterday, to: Self.yesterday)
        #expect(isLogged == !days.isEmpty)
        return isLogged
    }

    @Test("Ten years ahead for a minute, and for a day")
    func tenYearsAhead() throws {
        let store = try prepared(Scratch())
        for second in stride(from: 1.0, through: 86_400, by: 60) {
            store.note(noon + Self.years + second, uptime: 1_000 + second, isSynchronised: false)
        }
        let ahead = noon + Self.years + 86_400
        try live(store, at: ahead)
        #expect(try isAllThere(store))
        store.note(ahead + 1, uptime: 1_000 + 86_401, isSynchronised: false)
        try live(store, at: ahead)
        #expect(try !isAllThere(store), "by then it is what time it is")
    }

    @Test("A restart knows what was trusted, also when the last instant was noted by the wrong clock")
    func restarted() throws {
        let scratch = Scratch()
        let ahead = noon + Self.years
        try {
            let store = try prepared(scratch)
            store.note(ahead, uptime: 1_001, isSynchronised: false)
            try store.setLastInstant(ahead)
        }()
        let store = try scratch.open(at: ahead)
        #expect(store.lastInstant == ahead)
        #expect(store.trusted(at: ahead) == noon + 1)
        store.note(ahead, uptime: 10, isSynchronised: false)
        try live(store, at: ahead)
        #expect(try isAllThere(store))
    }

    @Test("A database of an earlier version begins with the last instant that was noted")
    func anEarlierVersion() throws {
        let scratch = Scratch()
        _ = try prepared(scratch)
        try scratch.execute("DELETE FROM meta WHERE key = 'trusted instant'")
        let store = try scratch.open(at: noon + Self.years)
        try live(store, at: noon + Self.years)
        #expect(try isAllThere(store))
    }

    @Test("A new house has nothing to forget: its clock is believed")
    func new() throws {
        let store = try Scratch().open()
        #expect(store.trusted(at: noon) == noon)
    }

    @Test("A disk that was full when the server started is asked when it is open")
    func openedAnew() throws {
        let scratch = Scratch()
        let store = try prepared(scratch)
        store.trust.withLock { $0 = TrustedTime() }
        try store.noteTrust(in: OpenDatabase(reading: store.path, log: .silent))
        #expect(store.trusted(at: noon + Self.years) == noon)
    }
}
