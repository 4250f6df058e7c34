import Foundation
import Testing

@testable import Policy

/// The rules of "a minute of use" one by one (A-03; design.md, Usage minutes).
@Suite struct UsageRecorderTests {
    private static let noon = at("2026-11-16T12:00:00Z")

    private static func hit(
        _ second: Double, _ kind: UsageHit.Kind, person: PersonID = me, blocked: Bool = false,
        category: String = "social"
    ) -> UsageHit {
        UsageHit(
            device: phone, person: person, app: "app", category: category, kind: kind, isBlocked: blocked,
            instant: noon.addingTimeInterval(second))
    }

    /// The counted minutes after noon for these lookups.
    private static func counted(_ hits: [UsageHit], resuming minute: Int? = nil) -> [Int] {
        var recorder = UsageRecorder()
        var ledger = UsageLedger()
        let start = Int(noon.timeIntervalSince1970) / 60
        if let minute {
            recorder.resume(
                device: phone, person: me, app: "app", category: "social", lastMinute: start + minute)
        }
        for hit in hits {
            if case .use(let change) = recorder.note(hit) { ledger.apply(change) }
        }
        return (0..<600).filter { minute in
            let instant = noon.addingTimeInterval(Double(minute) * 60)
            return ledger.minutes(of: me, in: instant..<instant.addingTimeInterval(60)) == 1
        }
    }

    private static func counted(_ seconds: [Double], category: String = "social") -> [Int] {
        counted(seconds.map { hit($0, .foreground(0), category: category) })
    }

    @Test("One lookup with its retries is not use; two within three minutes are, from the first on")
    func opening() {
        #expect(Self.counted([0]) == [])
        #expect(Self.counted([0, 0, 5, 12]) == [])
        #expect(Self.counted([0, 180]) == [0, 1, 2, 3])
        #expect(Self.counted([0, 181]) == [])
        #expect(Self.counted([Self.hit(0, .foreground(0)), Self.hit(1, .foreground(1))]) == [0])
    }

    @Test("A pause of five minutes is filled when the next lookup comes, ten for video")
    func pauses() {
        #expect(Self.counted([0, 60, 360]) == Array(0...6))
        #expect(Self.counted([0, 60, 361]) == [0, 1])
        #expect(Self.counted([0, 60, 660], category: "short-video") == Array(0...11))
        #expect(Self.counted([0, 60, 661], category: "video") == [0, 1])
    }

    @Test("A pause with a refusal is not filled, however short: nobody used a blocked app")
    func refused() {
        let open = { (seconds: Double) in Self.hit(seconds, .foreground(0)) }
        let blocked = { (seconds: Double) in Self.hit(seconds, .page, blocked: true) }
        #expect(
            Self.counted([open(0), open(60), blocked(90), blocked(200), open(240), open(300)]) == [
                0, 1, 4, 5,
            ])
        #expect(Self.counted([open(0), open(60), blocked(70), open(120)]) == [0, 1])
        #expect(Self.counted([open(0), blocked(60), open(120)]) == [])
        #expect(Self.counted([blocked(0), open(1), open(60), open(200)]) == [0, 1, 2, 3])
        #expect(Self.counted([blocked(90), open(120), open(150)], resuming: 1) == [2])
        // A player that goes on for longer than the memory reaches.
        let long = (0..<60).map { open(Double($0 * 200 + [0, 70, 20, 90][$0 % 4])) }
        #expect(Self.counted(long + [blocked(12_000), open(12_090), open(12_120)]) == Array(5...198) + [202])
    }

    @Test("Push, analytics and pages are not use, nor are blocked names")
    func others() {
        let kinds: [UsageHit.Kind] = [.other, .page]
        #expect(Self.counted((0..<30).map { Self.hit(Double($0) * 20, kinds[$0 % 2]) }) == [])
        #expect(
            Self.counted((0..<30).map { Self.hit(Double($0) * 20, .foreground($0 % 3), blocked: true) }) == []
        )
    }

    @Test("Opening a blocked app counts once a minute; what the app does by itself does not count")
    func attempts() {
        var recorder = UsageRecorder()
        let outcomes = [0.0, 1, 30, 61, 62, 200].map { recorder.note(Self.hit($0, .page, blocked: true)) }
        #expect(outcomes == [.attempt, .nothing, .nothing, .attempt, .nothing, .attempt])
        #expect(recorder.note(Self.hit(300, .foreground(0), blocked: true)) == .attempt)
        #expect(recorder.note(Self.hit(400, .other, blocked: true)) == .nothing)
    }

    @Test("A beat is taken back: after the fourth refresh, the minutes of the first three are gone")
    func beat() {
        let refreshes = (0..<4).flatMap { index in
            (0..<2).map { Self.hit(Double(index) * 900 + Double($0), .foreground($0)) }
        }
        #expect(Self.counted(Array(refreshes.prefix(6))) == [0, 15, 30])
        #expect(Self.counted(refreshes) == [])
    }

    @Test("A run that a restart interrupts goes on")
    func resuming() {
        #expect(Self.counted([Self.hit(240, .foreground(0))], resuming: 0) == [1, 2, 3, 4])
        #expect(Self.counted([Self.hit(301, .foreground(0))], resuming: 0) == [])
        #expect(
            Self.counted([Self.hit(30, .foreground(0))], resuming: 0) == [], "minute 0 was counted before")
    }

    @Test("A clock that is set back neither loses nor repeats a minute")
    func clockBack() {
        #expect(Self.counted([0, 60, 120, 180, -3000, 30, 90]).filter { $0 < 10 } == [0, 1, 2, 3])
    }

    @Test("A device's new owner gets none of the former one's minutes")
    func otherHands() {
        let hits =
            [0.0, 60, 120].map { Self.hit($0, .foreground(0)) }
            + [180.0, 240].map { Self.hit($0, .foreground(0), person: kid) }
        #expect(Self.counted(hits) == [0, 1, 2])
    }

    @Test("Hours of use neither slow it down nor lose counted minutes")
    func longUse() {
        var random = Generator(seed: 7)
        var second = 0.0
        var hits: [UsageHit] = []
        while second < 8 * 3600 {
            hits.append(Self.hit(second, .foreground(random.int(0...5))))
            second += Double(random.int(20...280))
        }
        let last = Int(hits.last!.instant.timeIntervalSince(Self.noon)) / 60
        #expect(Self.counted(hits) == Array(0...last))
    }
}
