import Foundation
import Testing

@testable import Policy

/// A limit falls after as many minutes of use as it allows, in whichever part of a minute the use began.
@Suite struct UsageLagTests {
    private static let noon = at("2026-11-20T12:00:00Z")
    private static let tiktok = LimitTarget.app("tiktok")

    private static func house() -> Household {
        var household = home()
        household.people[0].limits.list = [UsageLimit(id: UUID(), target: tiktok, minutes: 3)]
        return household
    }

    /// The seconds after the beginning of use at which the limit's 1st, 2nd and 3rd minute count.
    private static func falls(
        from start: Int, _ note: (inout UsageLedger, Date) -> Void
    ) -> [Int] {
        let household = house()
        var ledger = UsageLedger()
        var latest = LatestTotals()
        var falls: [Int] = []
        for second in 0..<300 {
            let now = noon.addingTimeInterval(Double(start + second))
            note(&ledger, now)
            let used = latest.totals(of: ledger, for: household, catalog: smallCatalog, at: now)[me, tiktok]
                .day
            while falls.count < min(3, used) { falls.append(second) }
        }
        return falls
    }

    @Test(
        "Use that began in any second of a minute: each minute counts 60 to 90 seconds after it began, or 59",
        arguments: 0..<60)
    func lookups(start: Int) {
        var recorder = UsageRecorder()
        let falls = Self.falls(from: start) { ledger, now in
            let second = Int(now.timeIntervalSince(Self.noon)) - start
            guard second % 4 == 0 else { return }
            let hit = UsageHit(
                device: phone, person: me, app: "tiktok", category: "social",
                kind: .foreground(second / 4 % 2), isBlocked: false, instant: now)
            if case .use(let change) = recorder.note(hit) { ledger.apply(change) }
        }
        #expect(falls.count == 3)
        for (minute, second) in falls.enumerated() {
            #expect(
                ((start == 1 ? 59 : 60)...90).contains(second - minute * 60),
                "minute \(minute + 1) counts after \(second) s")
        }
    }

    @Test("The same by relayed bytes", arguments: [0, 8, 29, 30, 52, 59])
    func bytes(start: Int) {
        var meter = RelayMeter()
        let falls = Self.falls(from: start) { ledger, now in
            if let change = meter.note(30_000, of: "tiktok", on: phone, by: me, at: now) {
                ledger.apply(change, source: .relay)
            }
        }
        #expect(falls == [60, 120, 180])
    }

    @Test("Use of eight seconds at a minute's end does not reach a limit of a minute")
    func eightSeconds() {
        var recorder = UsageRecorder()
        let falls = Self.falls(from: 52) { ledger, now in
            guard now < Self.noon + 60 else { return }
            let hit = UsageHit(
                device: phone, person: me, app: "tiktok", category: "social",
                kind: .foreground(Int(now.timeIntervalSince1970) % 2), isBlocked: false, instant: now)
            if case .use(let change) = recorder.note(hit) { ledger.apply(change) }
        }
        #expect(falls == [60], "the minute in which it was used counts a minute after it began")
    }
}
