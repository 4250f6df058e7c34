import Directory
import Foundation
import Logging
import NIOCore
import Policy
import Store
import Synchronization
import Testing

@testable import DNS
@testable import Enforcement

/// From DNS counts to a limit that holds, with a manual clock.
@Suite struct UsageCollectorTests {
    private static let me = PersonID(rawValue: 1)
    private static let kim = PersonID(rawValue: 2)

    /// A household with a limit of five minutes of TikTok, in a store in memory or in a directory.
    final class Scene: Sendable {
        let clock: ManualClock
        let store: HouseholdStore
        let tags = TagBook()
        let usage: UsageCollector
        let monitor: Monitor
        let rounds: Rounds
        private let counts = Mutex<[Count]>([])
        private let relayed = Mutex<[Relayed]>([])
        private let filter: Mutex<Filter?>
        private let table: NameTable

        init(_ instant: String, store given: HouseholdStore? = nil) throws {
            let clock = ManualClock(instant)
            let store = try given ?? HouseholdStore.inMemory(UsageCollectorTests.household())
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let usage = UsageCollector(
                store: store, catalog: TagBookTests.catalog, clock: clock.wall, tags: tags, logger: logger)
            let box = Box()
            let monitor = Monitor(
                store: store, catalog: TagBookTests.catalog, clock: clock.wall,
                effects: .init(
                    enforce: { filter in box.scene?.filter.withLock { $0 = filter } }, onChange: { _ in }),
                logger: logger, tags: tags, usage: usage.totals,
                uptime: { .uptimeNanoseconds(UInt64(clock.now.timeIntervalSince1970 * 1e9)) })
            rounds = Rounds(
                hasNews: { box.scene?.hasNews ?? false },
                collect: { box.scene?.take() ?? Collected() },
                relayed: {
                    box.scene?.relayed.withLock { relayed in
                        defer { relayed = [] }
                        return relayed
                    } ?? []
                },
                sightings: Sightings(
                    store: store, clock: clock.wall, neighbours: { Neighbours() }, logger: logger),
                usage: usage, onUse: { await monitor.step() })
            filter = Mutex(nil)
            table = NameTable(
                sets: [], counted: tags.names(in: TagBookTests.catalog.counting(["school.example"])))
            (self.clock, self.store, self.usage, self.monitor) = (clock, store, usage, monitor)
            box.scene = self
        }

        private final class Box: @unchecked Sendable { weak var scene: Scene? }

        private var hasNews: Bool {
            !counts.withLock { $0.isEmpty } || !relayed.withLock { $0.isEmpty }
        }

        private func take() -> Collected {
            counts.withLock { counts in
                defer { counts = [] }
                return Collected(counts: counts, clients: Set(counts.map(\.client)))
            }
        }

        /// A lookup of both address types, answered by the current filter.
        func ask(_ name: String, from address: String = "10.0.0.1") throws {
            let client = try #require(ClientAddress(address))
            let tag = try #require(table.match(name)).tag
            let isBlocked = try isBlocked(name, from: address)
            counts.withLock { $0.append(Count(client: client, tag: tag, blocked: isBlocked, queries: 2)) }
        }

        /// Bytes that this server relays.
        func move(_ bytes: Int, of app: String, from address: String = "10.0.0.1") throws {
            let client = try #require(ClientAddress(address))
            relayed.withLock { $0.append(Relayed(client: client, app: app, bytes: bytes)) }
        }

        func isBlocked(_ name: String = "www.tiktok.com", from address: String = "10.0.0.1") throws -> Bool {
            guard let filter = filter.withLock({ $0 }) else { return false }
            return try CompiledFilterTests.blocks(filter, name, address)
        }

        /// Lets seconds pass, with a round where one is due, and a step in each; looks `asking` names up every 20 seconds.
        func pass(_ seconds: Int, asking names: [String] = [], from address: String = "10.0.0.1") async throws
        {
            for second in 0..<seconds {
                if second % 20 == 0 { for name in names { try ask(name, from: address) } }
                if rounds.areDue { await rounds.make() }
                if second % 60 == 59 { usage.write() }
                await monitor.step()
                clock.advance(1)
            }
        }

        var used: TargetUse {
            usage.totals(for: store.household, catalog: TagBookTests.catalog, at: clock.now)[
                UsageCollectorTests.me, .app("tiktok")]
        }
    }

    private static func household() -> Household {
        var household = Household(
            timeZone: "Europe/Berlin", people: [Person(id: me, name: "Me"), Person(id: kim, name: "Kim")],
            devices: [
                CompiledFilterTests.device(1, person: me), CompiledFilterTests.device(2, person: me),
                CompiledFilterTests.device(3, person: kim), CompiledFilterTests.device(4, person: nil),
            ])
        for index in household.devices.indices {
            household.devices[index].addresses = ["10.0.0.\(index + 1)"]
        }
        household.people[0].limits.list = [
            UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 5)
        ]
        return household
    }

    private static let names = ["www.tiktok.com", "v16.cdn.com"]

    @Test("TH-008: a limit of five minutes blocks after five, within a second, on every device of the person")
    func limit() async throws {
        let scene = try Scene("2026-11-21T12:00:00Z")
        try await scene.pass(299, asking: Self.names)
        #expect(try !scene.isBlocked())
        #expect(scene.used == TargetUse(day: 4, week: 4))
        try await scene.pass(2, asking: Self.names)
        #expect(try scene.isBlocked() && scene.isBlocked(from: "10.0.0.2"))
        #expect(try !scene.isBlocked(from: "10.0.0.3") && !scene.isBlocked("m.youtube.com"))
        // TH-007: at midnight it opens again.
        scene.clock.set("2026-11-21T22:59:59Z")
        await scene.monitor.step()
        #expect(try scene.isBlocked())
        scene.clock.set("2026-11-21T23:00:00Z")
        await scene.monitor.step()
        #expect(try !scene.isBlocked())
    }

    @Test(
        "DD-034: a domain without an app counts only for the person who chose it as productive")
    func domain() async throws {
        let scene = try Scene("2026-11-21T12:00:00Z")
        try scene.store.change {
            $0.people[0].verified.productive = AppSelection(domains: ["school.example"])
        }
        for pause in [40, 30, 70, 20, 60] {
            for address in ["10.0.0.1", "10.0.0.3"] {
                try scene.ask("desk.school.example", from: address)
            }
            try await scene.pass(pause)
        }
        #expect(try !scene.isBlocked("desk.school.example"))
        let day = try #require(CivilZone("Europe/Berlin")).interval(of: CivilDate("2026-11-21")!)
        let minutes = { (person: PersonID) in
            scene.usage.ledger.minutes(of: person, apps: ["school.example"], in: day)
        }
        #expect(minutes(Self.me) == 3)
        #expect(minutes(Self.kim) == 0 && scene.usage.ledger.apps(of: Self.kim).isEmpty)
    }

    @Test("Relayed apps count by bytes from an hour's first bytes on, else by lookups; limits use both")
    func relayed() async throws {
        let scene = try Scene("2026-11-21T12:00:00Z")
        try await scene.pass(180, asking: Self.names)
        try scene.store.change { household in
            household.people[0].relayed = RelayedApps(includesRuled: true)
        }
        try await scene.pass(1)
        #expect(scene.used.day == 3, "nothing was relayed yet: choosing it makes nobody's count smaller")
        try scene.move(RelayMeter.bytesOfUse, of: "tiktok")
        try scene.move(5_000_000, of: "tiktok", from: "10.0.0.4")
        try await scene.pass(59, asking: Self.names)
        #expect(scene.used == TargetUse(day: 4, week: 4), "nor does the first minute of bytes")
        try await scene.pass(300, asking: Self.names)
        #expect(scene.used == TargetUse(day: 4, week: 4), "bytes are the more exact source from then on")
        #expect(try !scene.isBlocked())
        try scene.move(RelayMeter.bytesOfUse, of: "tiktok")
        try await scene.pass(61)
        #expect(try scene.isBlocked())
    }

    @Test("Look-ups count again from the minute after relaying is switched off, and no minute counts twice")
    func relayedNoMore() async throws {
        let scene = try Scene("2026-11-21T12:00:00Z")
        try scene.store.change { $0.people[0].relayed = RelayedApps(chosen: ["tiktok"]) }
        try await scene.pass(1)
        try scene.move(RelayMeter.bytesOfUse, of: "tiktok")
        try await scene.pass(119, asking: Self.names)
        #expect(scene.used.day == 1, "the second minute moved nothing, whatever was looked up")
        try scene.store.change { $0.people[0].relayed = RelayedApps() }
        try await scene.pass(180, asking: Self.names)
        #expect(scene.used.day == 3, "12:03 and 12:04; 12:02 was begun with by bytes")
        try scene.store.change { $0.people[0].relayed = RelayedApps(chosen: ["tiktok"]) }
        try await scene.pass(120, asking: Self.names)
        #expect(scene.used.day == 3, "and bytes alone once it is on again")
        #expect(try !scene.isBlocked())
    }

    @Test("After a restart in such an hour, look-ups count from the next minute on")
    func relayedBeforeARestart() async throws {
        let first = try Scene("2026-11-21T12:00:00Z")
        try first.store.change { $0.people[0].relayed = RelayedApps(chosen: ["tiktok"]) }
        try await first.pass(1)
        try first.move(RelayMeter.bytesOfUse, of: "tiktok")
        try await first.pass(59)
        await first.rounds.finish()
        try first.store.change { $0.people[0].relayed = RelayedApps() }
        let second = try Scene("2026-11-21T12:01:00Z", store: first.store)
        try await second.pass(180, asking: Self.names)
        #expect(second.used.day == 3)
    }

    @Test("Bytes of an app that is not chosen come by an old answer: they neither remove nor add a minute")
    func passedOn() async throws {
        let scene = try Scene("2026-11-21T12:00:00Z")
        try await scene.pass(180, asking: Self.names)
        for chosen in [RelayedApps(), RelayedApps(chosen: ["youtube"])] {
            try scene.store.change { $0.people[0].relayed = chosen }
            try scene.move(RelayMeter.bytesOfUse, of: "tiktok")
            try await scene.pass(1)
            #expect(scene.used.day == 3)
        }
        try await scene.pass(58, asking: Self.names)
        #expect(scene.used.day == 4, "lookups count on in the same hour")
        // Another person's choice does not count here.
        try scene.store.change { $0.people[1].relayed = RelayedApps(chosen: ["tiktok"]) }
        try scene.move(RelayMeter.bytesOfUse, of: "tiktok", from: "10.0.0.2")
        try scene.move(RelayMeter.bytesOfUse, of: "tiktok", from: "10.0.0.3")
        try await scene.pass(1)
        #expect(scene.used.day == 4)
        let range = ManualClock.date("2026-11-21T12:00:00Z")..<ManualClock.date("2026-11-21T13:00:00Z")
        #expect(scene.usage.ledger.minutes(of: Self.kim, in: range) == 1)
    }

    @Test(
        "Two devices at once count one minute; devices of others, or of nobody, do not count here")
    func union() async throws {
        let scene = try Scene("2026-11-21T12:00:00Z")
        for _ in 0..<9 {
            for address in 1...4 {
                for name in Self.names { try scene.ask(name, from: "10.0.0.\(address)") }
            }
            try await scene.pass(20)
        }
        #expect(scene.used.day == 3)
        let range = ManualClock.date("2026-11-21T11:00:00Z")..<ManualClock.date("2026-11-21T13:00:00Z")
        #expect(scene.usage.ledger.minutes(of: Self.kim, in: range) == 3)
    }

    @Test("A blocked name counts as an attempt, not as use; use is recorded even without a rule")
    func attempts() async throws {
        let scene = try Scene("2026-11-21T12:00:00Z")
        try await scene.pass(301, asking: Self.names + ["m.youtube.com"])
        try await scene.pass(180, asking: Self.names)
        await scene.rounds.finish()
        let today = CivilDate("2026-11-21")!
        let attempts = try scene.store.attempts(of: Self.me, from: today, to: today)
        #expect(attempts.map(\.app) == ["tiktok"])
        #expect((3...4).contains(attempts[0].count), "once a minute")
        let days = try scene.store.usageDays(of: Self.me, from: today, to: today)
        #expect(days.first { $0.app == "youtube" }?.minutes == 6, "the sixth has begun")
        #expect(
            days.first { $0.app == "tiktok" }?.minutes == 5 || days.first { $0.app == "tiktok" }?.minutes == 6
        )
        #expect(days.allSatisfy { $0.source == .dns })
    }

    @Test("During a try, nothing counts as an attempt or as use")
    func trying() async throws {
        let scene = try Scene("2026-11-21T12:00:00Z")
        try scene.store.change { try $0.beginTry($0.devices[0].id, at: scene.clock.now) }
        await scene.monitor.step()
        #expect(try scene.isBlocked() && !scene.isBlocked(from: "10.0.0.2"))
        try await scene.pass(119, asking: Self.names)
        await scene.rounds.finish()
        let today = CivilDate(year: 2026, month: 11, day: 21)
        #expect(try scene.store.attempts(of: Self.me, from: today, to: today).isEmpty)
        #expect(scene.used == TargetUse(day: 0, week: 0))
        scene.clock.set("2026-11-21T12:02:00Z")
        await scene.monitor.step()
        #expect(try !scene.isBlocked(), "it ends by itself, to the second")
        #expect(scene.store.household.devices[0].tryUntil == nil)
    }

    @Test("One write a minute; a kill -9 loses at most a minute, and a run goes on over it")
    func kill() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let store = try HouseholdStore(directory: directory, now: ManualClock.date("2026-11-21T12:00:00Z"))
        let household = Self.household()
        try store.change { $0 = household }
        let before = try Scene("2026-11-21T12:00:00Z", store: store)
        try await before.pass(230, asking: Self.names)
        #expect(before.used.day == 3)
        // The state of the disk at that instant: there is no shutdown and no last write.
        let copy = directory + "-killed"
        try FileManager.default.copyItem(atPath: directory, toPath: copy)
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let again = try HouseholdStore(directory: copy, now: ManualClock.date("2026-11-21T12:03:55Z"))
        let scene = try Scene("2026-11-21T12:03:55Z", store: again)
        #expect(scene.used.day >= 2)
        try scene.ask("v16.cdn.com")
        try await scene.pass(70)
        #expect(scene.used.day >= 4, "the gap is filled: the run went on")
    }

    @Test("A disk that refuses everything does not stop the counting")
    func fullDisk() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let writer = try HouseholdStore(directory: directory, now: ManualClock.date("2026-11-21T12:00:00Z"))
        let household = Self.household()
        try writer.change { $0 = household }
        let scene = try Scene("2026-11-21T12:00:00Z", store: .readOnly(directory: directory))
        try await scene.pass(302, asking: Self.names)
        #expect(try scene.isBlocked())
        #expect(scene.used.day == 5)
    }
}
