import Foundation
import GRDB
import Policy
import Testing

@testable import Store

@Suite("What is stored is forgotten by age only while the clock is synchronised")
struct ForgettingStoreTests {
    private static let years: TimeInterval = 3650 * 86_400
    private static let today = CivilDate("2026-11-21")!

    @Test("Ten years ahead cost nothing before the kernel vouches for the clock")
    func tenYearsAhead() throws {
        let store = try Scratch().open()
        try store.append(LogEntry(.helpUsed, person: me, at: noon, detail: "before"))
        var batch = UsageBatch()
        batch.days = [UsageDay(person: me, date: Self.today, app: nil, minutes: 30, source: .dns)]
        try store.recordUsage(batch)
        try store.append(LogEntry(.helpUsed, person: me, at: noon + Self.years, detail: "later"))
        for isSynchronised in [false, true] {
            try store.forget(at: noon + Self.years, isSynchronised: isSynchronised)
            let isLogged = try store.log(of: me).contains { $0.detail == "before" }
            let days = try store.usageDays(of: me, from: Self.today, to: Self.today)
            #expect(isLogged == !isSynchronised && days.isEmpty == isSynchronised)
        }
    }

    @Test("Without a synchronised clock twice as many days stay, whatever they are called")
    func days() throws {
        let store = try Scratch().open()
        var batch = UsageBatch()
        batch.days = (0..<200).map {
            UsageDay(person: me, date: Self.today.adding(days: -$0), app: nil, minutes: 1, source: .dns)
        }
        try store.recordUsage(batch)
        func kept() throws -> Int {
            try store.usageDays(of: me, from: CivilDate("2000-01-01")!, to: Self.today).count
        }
        try store.forget(at: noon + Self.years, isSynchronised: false)
        #expect(try kept() == 180)
        try store.forget(at: noon, isSynchronised: true)
        #expect(try kept() == 91, "today and 90 days")
    }
}
