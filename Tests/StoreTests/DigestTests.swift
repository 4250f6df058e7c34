import Foundation
import GRDB
import Policy
import Testing

@testable import Store

@Suite("A document bears its digest: what was damaged is found, and what an earlier version wrote is whole")
struct DigestTests {
    private static let child = PersonID(rawValue: 3)

    /// An adult, a child with a bedtime, and a phone of each.
    private func filled(_ scratch: Scratch, backsUp: Bool = false) throws -> Household {
        let store = try scratch.open()
        try store.change { household in
            household.people.append(
                Person(id: Self.child, name: "Ada", role: .child, schedule: .default))
            household.devices = [.example(1, person: me), .example(2, person: Self.child)]
        }
        if backsUp { try store.backUpDaily(at: noon, isSynchronised: true) }
        return store.household
    }

    /// One bit each, and JSON that can be read: a bedtime an hour later, a child's phone that is an adult's, a name.
    private static let flips = [
        ("person", "22:00", "23:00"), ("device", "\"person\":3", "\"person\":1"), ("person", "Ada", "Ade"),
    ]

    private func flip(_ flip: (String, String, String), in scratch: Scratch) throws {
        try scratch.execute(
            "UPDATE document SET json = replace(json, '\(flip.1)', '\(flip.2)') WHERE kind = '\(flip.0)'")
    }

    @Test(
        "A flipped bit costs one document: the copy has it, or a backup that holds the same", arguments: flips
    )
    func flippedBit(_ change: (String, String, String)) throws {
        for hasCopy in [true, false] {
            let scratch = Scratch()
            let household = try filled(scratch, backsUp: true)
            try flip(change, in: scratch)
            if !hasCopy { unlink(LastKnown.path(scratch.path)) }
            let store = try scratch.open()
            #expect(store.household == household && store.opening.rules == .stored)
            let words = hasCopy ? "as the copy beside the database has it." : "as the last backup has it."
            #expect(store.damage(at: noon)?.hasSuffix(words) == true)
            #expect(try scratch.rows() == household)
        }
    }

    @Test(
        "Where nothing else holds it, a person counts as a child, and a device is a child's", arguments: flips
    )
    func flippedBitAlone(_ change: (String, String, String)) throws {
        let scratch = Scratch()
        _ = try filled(scratch)
        try flip(change, in: scratch)
        unlink(LastKnown.path(scratch.path))
        let store = try scratch.open()
        let damage = try #require(store.damage(at: noon))
        #expect(
            damage.contains("what can be read of it holds") && damage.contains("The strictest rules apply"))
        if change.0 == "device" {
            #expect(store.household.devices.map(\.person) == [me, Self.child])
        } else {
            #expect(store.household.people.map(\.role) == [.adult, .child])
            #expect(store.household.people[1].looseningDelay == 24)
        }
        #expect(try scratch.rows() == store.household)
    }

    @Test("A role that cannot be read is a child's, an owner a child, and whose new devices are too")
    func strictest() throws {
        let scratch = Scratch()
        _ = try filled(scratch, backsUp: true)
        try { try scratch.open().change { $0.devices[0].name = "Tablet" } }()
        unlink(LastKnown.path(scratch.path))
        try scratch.set("role", to: "'x'", in: "person", id: 1)
        try scratch.set("person", to: "'x'", in: "device", id: 1)
        try scratch.set("formerDNS", to: "3", in: "house")
        // Of the digest that a backup has, too, nothing is left for the person and the house.
        try scratch.execute("UPDATE document SET digest = zeroblob(32) WHERE kind <> 'device' AND id = 1")
        let store = try scratch.open()
        #expect(store.household.people.map(\.role) == [.child, .child])
        #expect(
            store.household.devices[0].person == Self.child && store.household.devices[0].name == "Tablet")
        #expect(store.household.newDevicesBelongTo == Self.child)
    }

    @Test("Any bit of the kind, the id, the JSON or the digest") func anyBit() throws {
        let document = Document(
            Document.Key(kind: .person, id: 3),
            json: try Entity.person(Person(id: Self.child, name: "Ada")).json())
        #expect(document.isWhole)
        var other = document
        for bit in 0..<62 {
            other.id = document.id ^ (1 << Int64(bit))
            #expect(!other.isWhole)
        }
        other = document
        other.kind = .device
        #expect(!other.isWhole)
        for (bytes, path) in [
            (Data(document.json.utf8), \Document.jsonBytes), (document.digest, \Document.digest),
        ] {
            for bit in 0..<(bytes.count * 8) {
                other = document
                var flipped = bytes
                flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                other[keyPath: path] = flipped
                #expect(!other.isWhole, "\(bit)")
            }
        }
    }

    @Test("Documents of an earlier version, which lack what came later, are whole at every start")
    func upgrade() throws {
        let scratch = Scratch()
        let household = try filled(scratch)
        for (kind, member) in [("person", "wishes"), ("device", "hasNoMobileData"), ("house", "ownApps")] {
            try scratch.execute(
                "UPDATE document SET json = json_remove(json, '$.\(member)') WHERE kind = '\(kind)'")
        }
        try scratch.seal()
        for number in 1...3 {
            let store = try scratch.open()
            #expect(
                store.household.people == household.people && store.household.devices == household.devices)
            #expect(store.opening.damage.isEmpty && store.damage(at: noon) == nil)
            try store.change { $0.formerDNS = "\(number)" }
        }
        let rows = try DatabaseQueue(path: scratch.database).read(DocumentTable.all)
        #expect(
            rows.filter { $0.kind != .house && $0.json.contains("wishes") }.isEmpty, "nobody changed them")
        unlink(LastKnown.path(scratch.path))
        #expect(try scratch.open().damage(at: noon) == nil)
    }

    @Test("An id that is damaged in either record makes nobody of nothing") func ghosts() throws {
        for kind in [Document.Kind.person, .device] {
            let scratch = Scratch()
            let household = try filled(scratch)
            var record = try #require(LastKnown.record(scratch.path))
            let place = try #require(record.documents.firstIndex { $0.kind == kind && $0.id != 1 })
            record.documents[place].id = 77
            try LastKnown.write(record, directory: scratch.path)
            #expect(try scratch.open().household == household)
            try scratch.execute("UPDATE document SET id = 77 WHERE kind = '\(kind)' AND id <> 1")
            let store = try scratch.open()
            #expect(store.household == household && store.damage(at: noon) != nil)
        }
    }

    @Test("The copy alone is damaged as little: what it says is said where it is needed") func copyAlone()
        throws
    {
        let scratch = Scratch()
        let household = try filled(scratch)
        var record = try #require(LastKnown.record(scratch.path))
        let place = try #require(record.documents.firstIndex { $0.kind == .person && $0.id == 3 })
        record.documents[place].json = record.documents[place].json.replacingOccurrences(
            of: "\"child\"", with: "\"adult\"")
        try LastKnown.write(record, directory: scratch.path)
        try DamageTests.Damage.noise.happen(to: scratch.database)
        let store = try scratch.open()
        #expect(store.opening.rules == .lastKnown)
        #expect(store.household.people.map(\.role) == household.people.map(\.role))
        #expect(store.damage(at: noon)?.contains("the rules of Ada: what can be read of it holds") == true)
    }

    @Test("A row from which history hangs is put back") func owners() throws {
        let scratch = Scratch()
        _ = try filled(scratch)
        try scratch.execute("DELETE FROM person; DELETE FROM device", ignoringConstraints: true)
        let store = try scratch.open()
        let device = DeviceID(rawValue: 2)
        try store.append(LogEntry(.helpUsed, person: Self.child, device: device, at: noon))
        #expect(try store.log(of: Self.child).map(\.device) == [device])
    }

    @Test(
        "What no rule can make is left out, also where a crafted backup bears the right digest",
        arguments: [
            ("person", "recurringSchedule.end", "'22:00'"),
            ("person", "recurringSchedule.days", "json('[]')"),
            ("person", "focus.finished[0].durationSeconds", "-1"),
            ("person", "focus.finished[0].durationSeconds", "86401"),
            ("device", "hardwareAddress", "'02:00:00:00:00:0G'"),
            ("device", "hardwareAddress", "'02-00-00-00-00-01'"),
            ("device", "formerHardwareAddresses", "json('[\"x\"]')"),
            ("device", "trustedAuthority", "'A'"), ("house", "ownApps[0].id", "'tiktok'"),
        ]) func impossible(kind: String, path: String, value: String) throws
    {
        let (scratch, other) = (Scratch(), Scratch())
        let file = scratch.path + "/crafted.sqlite"
        let run = FocusSession(
            id: UUID(), start: noon, end: noon + 60, durationSeconds: 60, presetLabel: nil, completed: true)
        let app = App(id: "own-1", name: "Mine", category: "own", suffixes: ["a.example"])
        let store = try scratch.open()
        try store.change { household in
            household.people[0].schedule = .default
            household.devices = [.example(1)]
            household.devices[0].hardwareAddress = "02:00:00:00:00:01"
            household.devices[0].trustedAuthority = String(repeating: "a", count: 64)
            household.ownApps = [app]
        }
        try store.backup(to: file)
        let queue = try DatabaseQueue(path: file)
        try queue.write { db in
            let finished = String(decoding: try JSONEncoder.ofDocuments.encode([run]), as: UTF8.self)
            try db.execute(
                sql:
                    "UPDATE document SET json = json_set(json, '$.focus.finished', json(?)) WHERE kind = 'person'",
                arguments: [finished])
            try db.execute(
                sql: "UPDATE document SET json = json_set(json, '$.\(path)', \(value)) WHERE kind = '\(kind)'"
            )
        }
        try queue.close()
        try scratch.seal(file)
        let restored = try other.open()
        try restored.restore(from: file, at: noon)
        let (person, device) = (restored.household.people[0], restored.household.devices[0])
        #expect((person.schedule == nil) == path.hasPrefix("recurring"))
        #expect(person.focus.finished.isEmpty == path.hasPrefix("focus"))
        #expect((device.hardwareAddress == nil) == (path == "hardwareAddress"))
        #expect(device.formerHardwareAddresses.isEmpty)
        #expect((device.trustedAuthority == nil) == (path == "trustedAuthority"))
        #expect(restored.household.ownApps == (path.hasPrefix("ownApps") ? [] : [app]))
        try restored.change { $0.people[0].name = "Grace" }
    }
}

extension Document {
    fileprivate var jsonBytes: Data {
        get { Data(json.utf8) }
        set { json = String(decoding: newValue, as: UTF8.self) }
    }
}
