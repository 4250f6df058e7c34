import Foundation
import Policy
import Store
import Testing

@testable import Enforcement

/// Minutes of use over two machines that a phone asks in turn are those of one.
@Suite struct UsageOfTwoMachinesTests {
    private typealias Scene = UsageCollectorTests.Scene
    private static let begin = "2026-11-21T12:00:00Z"
    private static let me = PersonID(rawValue: 1)

    private static func minutes(_ scene: Scene) -> Int {
        let day = Date(timeInterval: 0, since: ManualClock.date(begin))..<ManualClock.date(begin) + 86_400
        return scene.usage.ledger.minutes(of: me, apps: ["tiktok"], in: day)
    }

    private static func exchange(_ one: Scene, _ other: Scene) {
        let (said, answered) = (one.usage.takeHits(), other.usage.takeHits())
        if let said { _ = other.usage.hear(said) }
        if let answered { _ = one.usage.hear(answered) }
    }

    @Test("a phone that asks two machines in turn has the minutes of one", arguments: [25, 50, 110, 170])
    func inTurn(gap: Int) async throws {
        let (alone, first, second) = (try Scene(Self.begin), try Scene(Self.begin), try Scene(Self.begin))
        for scene in [alone, first, second] {
            try scene.store.change { $0.people[0].limits.list[0].minutes = 1_440 }
        }
        first.usage.beginTelling()
        second.usage.beginTelling()
        // Seconds of the look-ups: neither a beat nor the same name each time.
        var (next, turn) = (3, 0)
        for at in 0..<1_800 {
            if at == next {
                let name = ["www.tiktok.com", "v16.cdn.com"][turn / 3 % 2]
                try alone.ask(name)
                try (turn % 2 == 0 ? first : second).ask(name)
                turn += 1
                next += gap + turn * turn * 7 % 10 - (turn % 4 == 0 ? gap / 2 : 0)
            }
            for scene in [alone, first, second] { try await scene.pass(1) }
            if at % 30 == 29 { Self.exchange(first, second) }
        }
        #expect(Self.minutes(alone) >= 20)
        #expect(Self.minutes(first) == Self.minutes(alone))
        #expect(Self.minutes(second) == Self.minutes(alone))
    }

    @Test("TH-008: a limit that the minutes on both machines reach holds on both")
    func limit() async throws {
        let (first, second) = (try Scene(Self.begin), try Scene(Self.begin))
        first.usage.beginTelling()
        second.usage.beginTelling()
        for round in 0..<32 {
            let asked = round % 2 == 0 ? first : second
            if !(try asked.isBlocked()) { try asked.ask("www.tiktok.com") }
            for _ in 0..<10 { for scene in [first, second] { try await scene.pass(1) } }
            if round % 3 == 2 { Self.exchange(first, second) }
            for scene in [first, second] { await scene.monitor.step() }
        }
        #expect(try first.isBlocked() && second.isBlocked())
    }

    @Test("a machine tells only what a limit counts, and no look-up that one within a minute implies")
    func little() async throws {
        let scene = try Scene(Self.begin)
        try scene.store.change { $0.people[0].limits.list[0].minutes = 1_440 }
        scene.usage.beginTelling()
        var told: [UsageHit] = []
        for second in 0..<600 {
            if second % 3 == 0 { for name in ["www.tiktok.com", "v16.cdn.com"] { try scene.ask(name) } }
            try await scene.pass(1)
            if second % 30 == 29, let hits = scene.usage.takeHits() {
                told += try JSONDecoder().decode([UsageHit].self, from: hits)
            }
        }
        let instants = Dictionary(grouping: told, by: \.kind).values.map { $0.map(\.instant) }
        #expect(instants.count == 2)
        for instants in instants {
            #expect((9...11).contains(instants.count))
            #expect(zip(instants, instants.dropFirst()).allSatisfy { $1.timeIntervalSince($0) >= 50 })
        }
        try scene.store.change { $0.people[0].limits.list = [] }
        try await scene.pass(60)
        _ = scene.usage.takeHits()
        try scene.ask("www.tiktok.com")
        try await scene.pass(2)
        #expect(scene.usage.takeHits() == nil)
    }

    @Test("what another machine tells and cannot be read, or says of nobody, counts for nothing")
    func unreadable() throws {
        let scene = try Scene(Self.begin)
        #expect(!scene.usage.hear(Data("[7]".utf8)))
        let hit = UsageHit(
            device: DeviceID(rawValue: 1), person: PersonID(rawValue: 99), app: "tiktok", category: "video",
            kind: .foreground(0), isBlocked: false, instant: scene.clock.now)
        #expect(!scene.usage.hear(try JSONEncoder().encode([hit, hit])))
        #expect(scene.usage.ledger.apps(of: PersonID(rawValue: 99)).isEmpty)
    }

    private static func mask(_ minutes: UInt64, hoursAgo: Int, person: PersonID = me) -> HourMask {
        HourMask(
            person: person, device: DeviceID(rawValue: 1), app: "tiktok",
            hour: Int(ManualClock.date(begin).timeIntervalSince1970) / 3600 - hoursAgo, source: .dns,
            minutes: minutes)
    }

    @Test("TH-008: minutes that another machine counted while it was cut off reach a limit here")
    func later() async throws {
        let scene = try Scene(Self.begin)
        await scene.monitor.step()
        #expect(try scene.usage.join([Self.mask(0b1111, hoursAgo: 1)]))
        #expect(try !scene.usage.join([Self.mask(0b1111, hoursAgo: 1)]))
        await scene.monitor.step()
        #expect(try !scene.isBlocked())
        #expect(try scene.usage.join([Self.mask(0b11000, hoursAgo: 1)]))
        await scene.monitor.step()
        #expect(try scene.isBlocked())
        // The past is for the charts, and nobody comes back.
        #expect(try !scene.usage.join([Self.mask(1, hoursAgo: 24 * 40)]))
        #expect(try !scene.usage.join([Self.mask(1, hoursAgo: 1, person: PersonID(rawValue: 99))]))
        #expect(try scene.store.usageHours(latest: 3_000, at: scene.clock.now).joined().count == 2)
    }

    @Test(
        "what is counted here and not written yet, and what another machine counted in that hour, both stay")
    func sameHour() async throws {
        let scene = try Scene(Self.begin)
        try scene.store.change { $0.people[0].limits.list = [] }
        try await scene.pass(180, asking: ["www.tiktok.com", "v16.cdn.com"])
        let own = Self.minutes(scene)
        #expect(own >= 2)
        var mask = try #require(scene.usage.ledger.lastMinutes().first).mask
        mask.minutes = 1 << 59
        #expect(try scene.usage.join([mask]))
        scene.usage.write()
        let stored = try scene.store.usageHours(latest: 1, at: scene.clock.now).joined()
        #expect(stored.map(\.minutes.nonzeroBitCount) == [own + 1])
        let day = try scene.store.usageDays(
            of: Self.me, from: CivilDate("2026-11-21")!, to: CivilDate("2026-11-21")!)
        #expect(day.allSatisfy { $0.minutes == own + 1 } && !day.isEmpty)
    }
}
