import Foundation
import GRDB
import Policy
import Synchronization
import Testing

@testable import Store

@Suite struct HouseholdStoreTests {
    @Test func newHouseHasOnePersonAndNothingBlocked() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        #expect(store.opening == Opening(rules: .new))
        #expect(store.opening.notice == nil)
        #expect(store.household.people.map(\.name) == ["Me"])
        #expect(store.household.people[0].session == nil)
        #expect(store.household.timeZone == "UTC")
        #expect(store.household.newDevicesBelongTo == nil)
    }

    @Test(arguments: 0..<60) func anyHouseholdComesBackAsItWas(seed: UInt64) throws {
        var maker = RandomHousehold(random: Seeded(state: seed))
        let scratch = Scratch()
        var store: HouseholdStore? = try scratch.open()
        // One after the other, so that all differences between two households are written.
        for _ in 0..<4 {
            let wanted = maker.household()
            try store!.change { $0 = wanted }
            let committed = store!.household
            let stored = try wanted.asStored(after: nil)
            #expect(committed == stored.withHistoryWritten)
            for person in stored.people {
                let history = Set(try store!.allFocusSessions(of: person.id))
                #expect(history.isSuperset(of: person.focus.finished))
            }
            #expect(committed.people.map(\.allowed) == wanted.people.map(\.allowed))
            store!.flush()
            #expect(LastKnown.read(directory: scratch.path)?.entities == committed.entities)
            store = nil
            store = try scratch.open()
            #expect(store!.household == committed)
            #expect(store!.opening == Opening(rules: .stored))
        }
    }

    @Test func instantsAreKeptToTheMillisecond() throws {
        let exact = noon.addingTimeInterval(0.123456)
        let store = try Scratch().open()
        try store.change { $0.people[0].session = .example(from: exact) }
        let kept = try #require(store.household.people[0].session)
        #expect(abs(kept.startedAt.timeIntervalSince(exact)) <= 0.0005)
        #expect(kept.startedAt.timeIntervalSince(noon) == 0.123 || kept.startedAt.milliseconds % 1000 == 123)
    }

    @Test func aRuleThatThrowsChangesNothing() throws {
        struct No: Error {}
        let store = try Scratch().open()
        let before = store.household
        #expect(throws: No.self) {
            try store.change { household, log in
                household.people[0].name = "Somebody"
                log.append(LogEntry(.ruleChanged, person: me, at: noon))
                throw No()
            }
        }
        #expect(store.household == before)
        #expect(try store.log(of: me).isEmpty)
    }

    @Test func whatTheRuleReturnsIsReturned() throws {
        let store = try Scratch().open()
        #expect(try store.change { $0.people.count } == 1)
        #expect(try store.change { household, _ in household.timeZone } == "UTC")
    }

    @Test func writesOnlyTheDocumentsThatDiffer() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { household in
            household.people.append(Person(id: PersonID(rawValue: 2), name: "Ada"))
            household.people[1].schedule = .default
            household.devices = (1...50).map { .example($0) }
        }
        let written = try DocumentsWritten(store)
        try store.change { $0.people[1].session = .example() }
        #expect(try written.take() == ["session 2"])
        try store.change { $0.people[0].defaultStrictness = .strict }
        #expect(try written.take() == ["person 1"])
        try store.change { $0.devices[7].name = "Kitchen" }
        #expect(try written.take() == ["device 8"])
        try store.change { $0.offersHelp = false }
        #expect(try written.take() == ["house 1"])
        try store.change { $0.people[1].allowed.apps = ["maps"] }
        #expect(try written.take() == ["person 2"])
        try store.change { $0.devices[7].lastSeen = noon + 60 }
        #expect(try written.take() == [])
        #expect(try scratch.rows().devices[7].lastSeen == noon + 60)
        try store.change { _ in }
        #expect(try written.take() == [])
    }

    @Test func removingAPersonFreesTheirDevicesAndRules() throws {
        let store = try Scratch().open()
        let ada = PersonID(rawValue: 2)
        try store.change { household in
            household.people.append(Person(id: ada, name: "Ada", schedule: .default, session: .example()))
            household.devices = [.example(1, person: ada), .example(2, person: me)]
            household.newDevicesBelongTo = ada
        }
        try store.append(LogEntry(.helpUsed, person: ada, at: noon))
        try store.change { $0[person: ada] = nil }
        #expect(store.household.devices.map(\.person) == [nil, me])
        #expect(store.household.newDevicesBelongTo == nil)
        #expect(try store.log(of: ada).isEmpty)
    }

    @Test func idsOfPeopleNeverComeBack() throws {
        let scratch = Scratch()
        var store: HouseholdStore? = try scratch.open()
        let first = try store!.newPersonID()
        #expect(first.rawValue == 2)
        try store!.change { $0.people.append(Person(id: first, name: "Ada")) }
        try store!.change { $0[person: first] = nil }
        store = nil
        store = try scratch.open()
        #expect(try store!.newPersonID().rawValue == 3)
    }

    @Test func addressesAndHardwareAddressesCanChangeHands() throws {
        let store = try Scratch().open()
        try store.change { household in
            household.devices = [.example(1), .example(2)]
            household.devices[0].hardwareAddress = "02:00:00:00:00:01"
            household.devices[1].hardwareAddress = "02:00:00:00:00:02"
        }
        try store.change { household in
            let (a, b) = (household.devices[0], household.devices[1])
            household.devices[0].addresses = b.addresses
            household.devices[1].addresses = a.addresses
            household.devices[0].hardwareAddress = b.hardwareAddress
            household.devices[1].hardwareAddress = a.hardwareAddress
        }
        #expect(store.household.devices[0].addresses == ["10.0.0.2"])
        #expect(store.household.devices[0].hardwareAddress == "02:00:00:00:00:02")
    }

    @Test func inMemoryKeepsEverythingButTheDisk() throws {
        let household = Household(
            timeZone: "Europe/Berlin", people: [Person(id: me, name: "Me", session: .example())])
        let store = try HouseholdStore.inMemory(household)
        #expect(store.household == household)
        try store.change { $0.people[0].session = nil }
        #expect(store.household.people[0].session == nil)
        #expect(try !store.backUpDaily(at: noon, isSynchronised: true))
    }
}

/// The documents that were written since the last call, unchanged ones too, by their kinds and ids.
final class DocumentsWritten {
    private let store: HouseholdStore

    init(_ store: HouseholdStore) throws {
        self.store = store
        try store.queue.write { db in
            try db.execute(sql: "CREATE TEMP TABLE written (document TEXT PRIMARY KEY)")
            for move in ["INSERT", "UPDATE"] {
                try db.execute(
                    sql: """
                        CREATE TEMP TRIGGER written_\(move) AFTER \(move) ON main.document
                        BEGIN INSERT OR IGNORE INTO written VALUES (new.kind || ' ' || new.id); END
                        """)
            }
        }
    }

    func take() throws -> [String] {
        try store.queue.write { db in
            defer { try? db.execute(sql: "DELETE FROM temp.written") }
            return try String.fetchAll(db, sql: "SELECT document FROM temp.written ORDER BY document")
        }
    }
}

/// The tables that statements wrote to.
final class TablesWritten: Sendable {
    private let tables = Mutex<[String]>([])

    func watch(_ db: Database) {
        db.trace { [self] event in
            let words = "\(event)".split(whereSeparator: { " \n(".contains($0) }).map(String.init)
            let name: String? =
                switch words.first {
                case "INSERT": words[words.firstIndex(of: "INTO")! + 1]
                case "DELETE": words[2]
                case "UPDATE": words[1]
                default: nil
                }
            // Every change updates `meta` (`Revision`).
            if let name, name != "meta" { tables.withLock { $0.append(name) } }
        }
    }

    func take() -> [String] {
        tables.withLock { tables in
            defer { tables = [] }
            return tables
        }
    }
}
