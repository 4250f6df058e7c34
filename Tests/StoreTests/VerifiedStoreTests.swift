import Foundation
import GRDB
import Policy
import Testing

@testable import Store

/// Verified minutes on the disk: received data, exported data, and the token that nobody sees.
@Suite struct VerifiedStoreTests {
    private static let server = try! VerifiedServer(typed: "https://example.org")
    private static let secret = "eyJhbGciOi.super-secret.token"

    private static func upload(_ date: String, _ minutes: Int) throws -> VerifiedUpload {
        try VerifiedUpload(
            date: date, verifiedMinutes: minutes, source: VerifiedUpload.source, timezone: "Europe/Berlin",
            selection: WireSelection(AppSelection(apps: ["khan"])), computedAtISO8601: "2026-11-21T06:00:00Z",
            at: noon)
    }

    static func filled() -> VerifiedMinutes {
        var verified = VerifiedMinutes()
        verified.productive = AppSelection(apps: ["khan"], categories: ["learning"], domains: ["example.org"])
        verified.timeZone = "Asia/Tokyo"
        verified.server = server
        verified.request = ScreenTimeComputationRequest(
            date: CivilDate("2026-11-20")!, timezone: "Asia/Tokyo")
        verified.stagedAt = noon
        verified.snapshot = ScreenTimeSnapshot(
            date: CivilDate("2026-11-19")!, timezone: "UTC", verifiedMinutes: 7, computedAt: noon + 0.125)
        verified.invokedAt = noon + 0.5
        verified.completedAt = (noon + 1.001).asStored
        verified.upload = UploadResult(
            date: CivilDate("2026-11-19")!, minutes: 7, at: noon, outcome: UploadOutcome(minutes: 7, known: 9)
        )
        verified.sync = SyncResult(at: noon, failure: "It did not answer.")
        return verified
    }

    @Test("DD-012, DD-031, DD-007, DD-013: kept under the app group's own keys, and read as they were")
    func roundTrip() throws {
        let scratch = Scratch()
        do {
            let store = try scratch.open()
            try store.change { $0.people[0].verified = Self.filled() }
            store.flush()
            #expect(LastKnown.read(directory: scratch.path)?.people[0].verified == Self.filled())
            let text = try store.queue.read {
                try String.fetchOne(
                    $0,
                    sql: """
                        SELECT json_extract(json, '$."disciplineDungeon"."group.com.disciplinedungeon.shared"')
                        FROM document WHERE kind = 'person'
                        """)
            }
            for key in [
                "dd.screentime.request.v1", "dd.screentime.snapshot.v1", "dd_ext_completed_ts",
                "dd_ext_invoked_ts",
            ] { #expect(text?.contains("\"\(key)\"") == true) }
        }
        let store = try scratch.open()
        #expect(store.household.people[0].verified == Self.filled())
        try store.change { $0.people[0].verified = VerifiedMinutes() }
        #expect(try scratch.rows().people[0].verified == VerifiedMinutes())
    }

    @Test("What cannot be read counts as none, and everything else is there")
    func unreadable() throws {
        let scratch = Scratch()
        do { try scratch.open().change { $0.people[0].verified = Self.filled() } }
        unlink(LastKnown.path(scratch.path))
        let shared = #"disciplineDungeon."group.com.disciplinedungeon.shared""#
        for (path, value) in [
            ("disciplineDungeon.timeZone", "'Nope/Zone'"),
            ("disciplineDungeon.baseURL", "'javascript:alert(1)'"), ("disciplineDungeon.upload", "3"),
            (shared + #"."dd.screentime.request.v1""#, "'x'"),
            (shared + #"."dd.screentime.snapshot.v1""#, "'x'"),
        ] { try scratch.set(path, to: value, in: "person") }
        let verified = try scratch.open().household.people[0].verified
        #expect(verified.timeZone == nil && verified.server == nil && verified.upload == nil)
        #expect(verified.request == nil && verified.snapshot == nil)
        #expect(verified.productive == Self.filled().productive)
        #expect(verified.invokedAt == Self.filled().invokedAt)
    }

    @Test("DD-057 to DD-059: created, updated, unchanged; by date, whatever the token; in usage as an upload")
    func deltas() throws {
        let store = try Scratch().open()
        func receive(_ date: String, _ minutes: Int, _ token: Int64? = 1) throws -> UploadOutcome {
            try store.receive(Self.upload(date, minutes), with: token, for: me, at: noon)
        }
        #expect(try receive("2026-11-20", 120) == UploadOutcome(status: .created, deltaMinutes: 120))
        #expect(try receive("2026-11-20", 120) == UploadOutcome(status: .unchanged, deltaMinutes: 0))
        #expect(try receive("2026-11-20", 90) == UploadOutcome(status: .updated, deltaMinutes: -30))
        #expect(try receive("2026-11-19", 90) == UploadOutcome(status: .created, deltaMinutes: 90))
        #expect(try receive("2026-11-20", 90, 2) == UploadOutcome(status: .unchanged, deltaMinutes: 0))
        #expect(try receive("2026-11-20", 30, 2) == UploadOutcome(status: .updated, deltaMinutes: -60))
        #expect(try receive("2026-11-20", 31, nil) == UploadOutcome(status: .updated, deltaMinutes: 1))
        #expect(try receive("2025-12-17", 5) == UploadOutcome(status: .created, deltaMinutes: 5))
        let day = CivilDate("2026-11-20")!
        let use = try store.usageDays(of: me, from: day, to: day)
        #expect(
            use == [UsageDay(person: me, date: day, app: "verified-minutes", minutes: 31, source: .upload)])
        #expect(
            try store.receivedUploads(of: me).map { "\($0.date) \($0.token ?? 0) \($0.minutes)" } == [
                "2026-11-20 0 31", "2026-11-19 1 90", "2025-12-17 1 5",
            ])
        let old = CivilDate("2025-12-17")!
        #expect(try store.usageDays(of: me, from: old, to: old).isEmpty, "usage keeps 90 days")
    }

    @Test("1,000 uploads of one day at the same time: the deltas add up to the last value")
    func sameDay() async throws {
        let store = try Scratch().open()
        let deltas = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    try store.receive(
                        Self.upload("2026-11-20", number * 7 % 1_501), with: 1, for: me, at: noon
                    ).deltaMinutes
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(try store.receivedUploads(of: me).map(\.minutes) == [deltas])
    }

    @Test("1,000 uploads of 100 days at the same time: every day's deltas add up to its last value")
    func differentDays() async throws {
        let store = try Scratch().open()
        let start = CivilDate("2026-08-01")!
        let deltas = try await withThrowingTaskGroup(of: (CivilDate, Int).self) { group in
            for number in 0..<1_000 {
                let date = start.adding(days: number % 100)
                group.addTask {
                    let upload = try Self.upload(date.description, number * 13 % 1_501)
                    return (date, try store.receive(upload, with: 1, for: me, at: noon).deltaMinutes)
                }
            }
            return try await group.reduce(into: [CivilDate: Int]()) { $0[$1.0, default: 0] += $1.1 }
        }
        let kept = try store.receivedUploads(of: me, limit: 200)
        #expect(Dictionary(uniqueKeysWithValues: kept.map { ($0.date, $0.minutes) }) == deltas)
    }

    @Test(
        "DD-061: what a device says of itself replaces what it said before")
    func connections() throws {
        let store = try Scratch().open()
        func connection(_ enabled: Bool, _ text: String) throws -> VerifiedConnection {
            try VerifiedConnection(
                enabled: enabled, timezone: "America/New_York",
                selection: WireSelection(
                    version: 1, encodedPlistBase64: text, applicationTokenCount: 5, categoryTokenCount: 2,
                    webDomainTokenCount: 0))
        }
        try store.receive(connection(true, "YnBsaXN0MDA="), with: 1, for: me, at: noon)
        #expect(try store.receivedConnection(of: me)?.selection?.encodedPlistBase64 == "YnBsaXN0MDA=")
        let ours = WireSelection(AppSelection(apps: ["khan"])).encodedPlistBase64
        try store.receive(connection(false, ours), with: 2, for: me, at: noon + 1)
        let known = try store.receivedConnection(of: me)
        #expect(known?.isEnabled == false && known?.token == 2)
        #expect(known?.selection?.encodedPlistBase64 == ours)
        #expect(known?.selection?.applicationTokenCount == 5)
        #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM verified_selection") } == 1)
    }

    @Test(
        "DD-042: the token stands in no file in clear, in no export, backup or log, and opens for its server only"
    )
    func token() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { $0.people[0].verified = Self.filled() }
        try store.setOutboundToken(Self.secret, of: me, for: Self.server)
        #expect(try store.outboundToken(of: me, for: Self.server) == Self.secret)
        let other = try VerifiedServer(typed: "https://evil.example")
        #expect(try store.outboundToken(of: me, for: other) == nil)
        let backup = scratch.path + "/copy.sqlite"
        try store.backup(to: backup)
        store.flush()
        for name in scratch.names {
            guard let data = FileManager.default.contents(atPath: scratch.path + "/" + name) else { continue }
            #expect(data.range(of: Data(Self.secret.utf8)) == nil, "\(name)")
        }
        let export = try store.export(at: noon)
        for word in [Self.secret, Data(Self.secret.utf8).base64EncodedString(), "sealed"] {
            #expect(!String(decoding: export, as: UTF8.self).contains(word))
        }
        let key = scratch.path + "/outbound.key"
        let rights = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
        #expect(rights == 0o600)
        // Another machine has the backup, but not the key.
        unlink(key)
        #expect(try store.outboundToken(of: me, for: Self.server) == nil)
        try store.setOutboundToken("another", of: me, for: Self.server)
        #expect(try store.outboundToken(of: me, for: Self.server) == "another")
        try store.removeOutboundToken(of: me)
        #expect(try store.outboundToken(of: me, for: Self.server) == nil)
    }

    @Test("The export has everything else")
    func export() throws {
        let store = try Scratch().open()
        try store.change { $0.people[0].verified = Self.filled() }
        _ = try store.receive(Self.upload("2026-11-20", 45), with: 3, for: me, at: noon)
        let all = try #require(JSONSerialization.jsonObject(with: store.export(at: noon)) as? [String: Any])
        let person = try #require((all["people"] as? [[String: Any]])?[0])
        let dungeon = try #require(person["disciplineDungeon"] as? [String: Any])
        #expect(dungeon["baseURL"] as? String == "https://example.org")
        let shared = try #require(dungeon["group.com.disciplinedungeon.shared"] as? [String: Any])
        #expect((shared["dd.screentime.snapshot.v1"] as? [String: Any])?["verifiedMinutes"] as? Int == 7)
        #expect(
            (shared["dd.screentime.request.v1"] as? [String: Any])?["timezone"] as? String == "Asia/Tokyo")
        #expect(shared["dd_ext_completed_ts"] as? Double == noon.timeIntervalSince1970 + 1.001)
        let received = try #require((all["verified"] as? [[String: Any]])?[0])
        #expect((received["uploads"] as? [[String: Any]])?[0]["verifiedMinutes"] as? Int == 45)
    }

    @Test("A wipe takes the key along, and a person who is removed everything of theirs")
    func gone() throws {
        let scratch = Scratch()
        do {
            let store = try scratch.open()
            let ada = try store.newPersonID()
            try store.change {
                try $0.addPerson(
                    ada, name: "Ada", catalog: Catalog(categories: [], apps: [], alwaysReachable: []))
            }
            try store.setOutboundToken(Self.secret, of: ada, for: Self.server)
            _ = try store.receive(Self.upload("2026-11-20", 45), with: 3, for: ada, at: noon)
            try store.receive(
                VerifiedConnection(
                    enabled: true, timezone: "UTC", selection: WireSelection(AppSelection())),
                with: 3, for: ada, at: noon)
            try store.change { try $0.removePerson(ada, at: noon) }
            for table in [
                "outbound_credential", "verified_upload", "verified_connection", "verified_selection",
            ] {
                #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } == 0)
            }
        }
        try HouseholdStore.wipe(directory: scratch.path)
        #expect(
            scratch.names.filter { $0.hasPrefix("outbound") || $0.hasPrefix("sleep-inducer.sqlite") }.isEmpty)
    }
}
