import Foundation
import GRDB
import Policy
import Testing

@testable import Store

@Suite("A damaged log and a damaged copy open no session that a backup holds")
struct DamagedTwiceTests {
    private static let log = "sleep-inducer.sqlite-wal"
    private static let copy = "last-known.json"

    /// The files of a directory as a crash leaves them: the database without a session, the log and the copy with a strict
    /// one, and a backup that was made soon after.
    private func crashed(resetting: Bool = false) throws -> (files: [String: Data], session: SleepSession) {
        let scratch = Scratch()
        let store = try scratch.open()
        for number in 1...20 { try store.change { $0.people[0].name = "Ada \(number)" } }
        store.shortenLog()
        let session = SleepSession.example(minutes: 480, strictness: .strict)
        try store.change { $0.people[0].session = session }
        #expect(try store.backUpDaily(at: noon, isSynchronised: true))
        if resetting { try store.change { _ = try $0.emergencyReset(me, at: noon + 60) } }
        store.flush()
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: scratch.path) where name != "lock" {
            files[name] = FileManager.default.contents(atPath: scratch.path + "/" + name)
        }
        #expect(files[Self.log]?.isEmpty == false && files.keys.contains { $0.hasPrefix("backups/") })
        return (files, session)
    }

    private func open(_ files: [String: Data]) throws -> HouseholdStore {
        let scratch = Scratch()
        try makeDirectory(scratch.path + "/backups")
        for (name, data) in files { try data.write(to: URL(fileURLWithPath: scratch.path + "/" + name)) }
        return try HouseholdStore(directory: scratch.path, now: noon + 120, log: .silent)
    }

    /// A copy that is damaged in many ways: gone bytes, other bytes, one flipped bit.
    private func damaged(_ copy: Data) -> [(String, Data)] {
        var found: [(String, Data)] = [
            ("empty", Data()), ("zeros", Data(count: copy.count)), ("no JSON", Data("{\"people\":".utf8)),
            ("an empty list", Data(#"{"revision":1,"documents":[]}"#.utf8)),
        ]
        for length in [1, 20, 100, copy.count / 2, copy.count - 1] {
            found.append(("the first \(length)", copy.prefix(length)))
        }
        var numbers = Seeded(state: 33)
        let revision = copy.range(of: Data("revision".utf8))!
        let places =
            Array(revision.lowerBound..<revision.upperBound + 5)
            + (0..<120).map { _ in Int.random(in: 0..<copy.count, using: &numbers) }
        for place in places {
            var text = copy
            let bit = UInt8.random(in: 0..<8, using: &numbers)
            text[place] ^= 1 << bit
            found.append(("bit \(bit) of byte \(place)", text))
        }
        for word in ["session", "strict", "\"id\":1", "endsAt"] {
            guard let range = copy.range(of: Data(word.utf8)) else { continue }
            var text = copy
            text[range.lowerBound + 1] ^= 1
            found.append(("a bit of \(word)", text))
        }
        // A document that says that it is another one, so that the first is missing.
        for number in copy.ranges(of: Data(#""id":1"#.utf8)) {
            var text = copy
            text[number.upperBound - 1] ^= 8
            found.append(("the number at \(number.lowerBound)", text))
        }
        return found
    }

    @Test("Whatever of the log is gone, and however the copy is damaged", arguments: [0, 1, 2]) func both(
        _ cut: Int
    ) throws {
        var (files, session) = try crashed()
        let whole = try #require(files[Self.log])
        files[Self.log] = [Data(), whole.prefix(whole.count / 2), whole.dropLast(24)][cut]
        for (name, text) in damaged(try #require(files[Self.copy])) {
            files[Self.copy] = text
            let held = try open(files).household.people.first?.session
            #expect(
                held?.strictness == .strict && held.map { $0.endsAt >= session.endsAt } == true, "\(name)")
        }
    }

    @Test("A database that is damaged beyond repair, and a copy that is damaged too") func beyondRepair()
        throws
    {
        var (files, session) = try crashed()
        files[Self.log] = Data()
        files["sleep-inducer.sqlite"] = Data(repeating: 7, count: 40_960)
        for (name, text) in damaged(try #require(files[Self.copy])) {
            files[Self.copy] = text
            let held = try open(files).household.people.first?.session
            #expect(
                held?.strictness == .strict && held.map { $0.endsAt >= session.endsAt } == true, "\(name)")
        }
    }

    @Test("A copy that is damaged alone brings no session back that was reset since") func copyAlone() throws
    {
        var (files, _) = try crashed(resetting: true)
        for (name, text) in damaged(try #require(files[Self.copy])) where !name.contains("revision") {
            files[Self.copy] = text
            let store = try open(files)
            guard !store.opening.damage.contains(where: { $0.contains("older than the copy") }) else {
                continue
            }
            #expect(store.household.people[0].session == nil, "\(name)")
        }
    }

    @Test("Nor does it undo a restore, though a backup from before it has later changes") func restored()
        throws
    {
        let scratch = Scratch()
        do {
            let store = try scratch.open()
            try store.change { $0.people[0].name = "Ada" }
            try store.backup(to: scratch.path + "/old.backup")
            for number in 1...50 { try store.change { $0.people[0].name = "Grace \(number)" } }
            #expect(try store.backUpDaily(at: noon, isSynchronised: true))
            try store.restore(from: scratch.path + "/old.backup", at: noon)
            store.flush()
        }
        try Data("{".utf8).write(to: URL(fileURLWithPath: LastKnown.path(scratch.path)))
        #expect(try scratch.open().household.people[0].name == "Ada")
    }

    @Test("One flipped bit anywhere in the copy is noticed") func digest() throws {
        let (files, _) = try crashed()
        let copy = try #require(files[Self.copy])
        let scratch = Scratch()
        try makeDirectory(scratch.path)
        func isWhole(_ bytes: Data) throws -> Bool? {
            try bytes.write(to: URL(fileURLWithPath: LastKnown.path(scratch.path)))
            return LastKnown.record(scratch.path)?.isWhole
        }
        #expect(try isWhole(copy) == true)
        for place in copy.indices {
            var text = copy
            text[place] ^= 1
            #expect(try isWhole(text) != true, "\(place)")
        }
    }
}
