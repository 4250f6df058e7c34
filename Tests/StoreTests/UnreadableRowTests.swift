import Foundation
import Policy
import Testing

@testable import Store

/// Rows that were written past the schema never stop a page (SI-027, SI-029, SI-032), and open no session.
@Suite struct UnreadableRowTests {
    @Test(
        "A damaged session runs until its end as strictly as before, is said, and is mended; strict if nothing tells",
        arguments: [
            ("mode", "json('{\"manual\":{}}')"), ("mode", "'{broken'"), ("mode", "''"),
            ("allowed", "json('[]')"),
            ("allowed", "'x'"), ("allowed", "json('{\"apps\":3}')"), ("id", "'nobody'"), ("night", "'soon'"),
            ("mode", "json('{\"sometimes\":{}}')"), ("strictness", "'x'"), ("isActive", "json('false')"),
            ("endsAt", "'2026-11-21T11:59:59.000Z'"), ("endsAt", "'2058-11-21T11:59:59.000Z'"),
        ], [(true, StrictnessMode.flexible), (false, .flexible), (true, .strict), (false, .strict)])
    func session(change: (path: String, value: String), kept: (copy: Bool, strictness: StrictnessMode)) throws
    {
        let (hasCopy, strictness) = kept
        let isKnown = hasCopy || change.path != "strictness"
        let scratch = Scratch()
        let session = SleepSession.example(strictness: strictness)
        try {
            let store = try scratch.open()
            try store.setLastInstant(noon)
            try store.change { $0.people[0].session = session }
        }()
        try scratch.set(change.path, to: change.value, in: "session")
        if !hasCopy { unlink(LastKnown.path(scratch.path)) }
        let messages = Messages()
        for isAgain in [false, true] {
            let store = try HouseholdStore(directory: scratch.path, now: noon, log: .collecting(messages))
            let read = try #require(store.household[person: me]?.session)
            #expect(
                read.strictness == (isKnown ? strictness : .strict) && read.isRunning(at: noon)
                    && read.endsAt == session.endsAt)
            #expect(store.opening.rules == .stored && store.opening.damage.isEmpty == isAgain)
            #expect(store.damage(at: noon)?.contains("It counts as \(read.strictness) until 13:00.") == true)
            #expect(store.damage(at: noon + 8 * 86_400)?.isEmpty == (isAgain ? nil : false))
        }
        #expect(messages.all.filter { $0.contains("It counts as ") && $0.contains(" until ") }.count == 1)
        // The bad row does not prevent the end of the session.
        let store = try scratch.open()
        try store.change { _ = try $0.emergencyReset(me, at: noon) }
        #expect(try scratch.rows().people[0].session == nil)
    }

    @Test(
        "A row that is whole and not as it was saved: the stricter of the row and the copy holds",
        arguments: [
            "json = json_set(json, '$.strictness', 'flexible')",
            """
            json = json_set(json, '$.endsAt', '2026-11-21T12:01:00.000Z', '$.mode.manual.durationMinutes', 1)
            """, "id = 77",
        ]) func hidden(assignment: String) throws
    {
        let scratch = Scratch()
        let session = SleepSession.example(strictness: .strict)
        try { try scratch.open().change { $0.people[0].session = session } }()
        try scratch.execute("UPDATE document SET \(assignment) WHERE kind = 'session'")
        let store = try scratch.open()
        #expect(store.household[person: me]?.session == session)
        #expect(store.damage(at: noon)?.contains("session of Me was damaged") == true)
    }

    @Test("What reads the files beside a server says so too, and mends nothing") func reading() throws {
        let scratch = Scratch()
        let session = SleepSession.example(strictness: .strict)
        try { try scratch.open().change { $0.people[0].session = session } }()
        try scratch.set("strictness", to: "'flexible'", in: "session")
        for _ in 1...2 {
            let store = try HouseholdStore.readOnly(directory: scratch.path, at: noon, log: .silent)
            #expect(store.household[person: me]?.session == session && store.damage(at: noon) != nil)
        }
    }

    @Test("Damage that gives two devices one address is in the way of no change") func oneAddressOfTwo()
        throws
    {
        let scratch = Scratch()
        try {
            try scratch.open().change { house in
                house.devices = [5, 6].map {
                    Device(
                        id: DeviceID(rawValue: $0), name: "Phone \($0)", person: me,
                        addresses: ["192.168.1.\($0)"],
                        firstSeen: noon, lastSeen: noon)
                }
            }
        }()
        unlink(LastKnown.path(scratch.path))
        try scratch.execute(
            "UPDATE document SET json = replace(json, '192.168.1.6', '192.168.1.5') WHERE kind = 'device'")
        let store = try scratch.open()
        #expect(store.household.devices.map(\.addresses) == [["192.168.1.5"], []])
        try store.change { try $0.useHelp(DeviceID(rawValue: 6), at: noon) }
        #expect(store.household.devices[1].helpUntil != nil)
    }

    @Test func unknownStrictnessReadsAsFlexible() throws {
        let scratch = Scratch()
        try { try scratch.open().change { $0.people[0].defaultStrictness = .strict } }()
        unlink(LastKnown.path(scratch.path))
        try scratch.set("defaultStrictness", to: "'lenient'", in: "person")
        try scratch.seal()
        #expect(try scratch.open().household[person: me]?.defaultStrictness == .flexible)
    }

    @Test func selectionReadsAsEmptyAndScheduleAsNone() throws {
        let scratch = Scratch()
        try {
            try scratch.open().change { household in
                household.people[0].allowed.apps = ["maps"]
                household.people[0].schedule = .default
                household.people[0].tonight = TonightChange(
                    night: CivilDate(year: 2026, month: 11, day: 21), kind: .skip)
                household.ownApps = [App(id: "own-1", name: "Mine", category: "own", suffixes: ["a.example"])]
            }
        }()
        unlink(LastKnown.path(scratch.path))
        try scratch.set("allowedApps.apps", to: "json('{}')", in: "person")
        try scratch.set("recurringSchedule.start", to: "'late'", in: "person")
        try scratch.set("tonight.kind", to: "'earlier'", in: "person")
        try scratch.set("ownApps[0].suffixes", to: "3", in: "house")
        let store = try scratch.open()
        #expect(store.household[person: me]?.allowed == AppSelection())
        #expect(store.household.people[0].schedule == nil)
        #expect(store.household.people[0].tonight == nil)
        #expect(store.household.ownApps.isEmpty)
        #expect(store.opening.rules == .stored)
    }

    @Test func scheduleCanBeCleared() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { household in
            household.people[0].schedule = .default
            household.people[0].session = .example()
        }
        try store.change { $0.people[0].schedule = nil }
        #expect(store.household.people[0].schedule == nil)
        #expect(store.household.people[0].session != nil)
    }

    @Test func whatAnotherProgramWroteIsSeenByTheNextChange() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try scratch.set("name", to: "'Ada'", in: "person")
        try scratch.seal()
        let seen = try store.change { household in
            household.offersHelp = false
            return household.people[0].name
        }
        #expect(seen == "Ada")
        #expect(store.household.people[0].name == "Ada")
    }

    @Test(
        "JSON that is none costs its own document: the copy has it, else the last backup",
        arguments: ["house", "person", "device"], [true, false])
    func noJSON(kind: String, hasCopy: Bool) throws {
        let scratch = Scratch()
        let household = try {
            let store = try scratch.open()
            try store.change { household in
                household.timeZone = "Europe/Berlin"
                household.people[0].schedule = .default
                household.devices = [.example(1, person: me), .example(2)]
            }
            try store.backUpDaily(at: noon, isSynchronised: true)
            return store.household
        }()
        try scratch.replace(kind, by: "{\"id\":")
        if !hasCopy { unlink(LastKnown.path(scratch.path)) }
        let store = try scratch.open()
        #expect(store.household == household && store.opening.rules == .stored)
        let words = hasCopy ? "as the copy beside the database has it" : "as the last backup has it"
        #expect(store.damage(at: noon)?.contains(words) == true)
        #expect(try scratch.rows() == household)
    }

    @Test("A device of which nothing is left is a child's, and a session runs until it must be over")
    func nothingLeft() throws {
        let scratch = Scratch()
        let child = PersonID(rawValue: 2)
        try {
            let store = try scratch.open()
            try store.setLastInstant(noon)
            try store.change { household in
                household.people.append(Person(id: child, name: "Ada", role: .child))
                household.people[1].session = .example(strictness: .strict)
                household.devices = [.example(1, person: me)]
            }
        }()
        try scratch.replace("device", by: "x")
        try scratch.replace("session", by: "x")
        unlink(LastKnown.path(scratch.path))
        let store = try scratch.open()
        #expect(store.household.devices.map(\.person) == [child])
        #expect(store.household[person: child]?.session?.strictness == .strict)
        #expect(store.household[person: child]?.session?.isRunning(at: noon + 3600) == true)
        #expect(store.damage(at: noon)?.contains("the device Device 1: nothing of it could be read") == true)
    }
}
