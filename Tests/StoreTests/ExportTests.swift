import Foundation
import Policy
import Testing

@testable import Store

@Suite struct ExportTests {
    private func exported(_ store: HouseholdStore) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: store.export(at: noon)) as? [String: Any])
    }

    @Test func hasTheSeedsKeys() throws {
        let store = try Scratch().open()
        try store.change { household, log in
            household.people[0].defaultStrictness = .strict
            household.people[0].allowed = AppSelection(apps: ["phone", "maps"], domains: ["example.org"])
            household.people[0].schedule = .default
            household.people[0].session = .example(strictness: .strict)
            household.devices = [.example(1, person: me)]
            log.append(LogEntry(.sessionStarted, person: me, at: noon))
        }
        let all = try exported(store)
        #expect(all["timeZone"] as? String == "UTC")
        let people = try #require(all["people"] as? [[String: Any]])
        #expect(people[0]["defaultStrictness"] as? String == "strict")
        let allowed = try #require(people[0]["allowedApps"] as? [String: [String]])
        #expect(allowed == ["apps": ["maps", "phone"], "categories": [], "domains": ["example.org"]])
        let session = try #require(people[0]["activeSession"] as? [String: Any])
        #expect(session["startedAt"] as? String == "2026-11-21T12:00:00.000Z")
        #expect(session["strictness"] as? String == "strict")
        #expect(session["isActive"] as? Bool == true)
        let schedule = try #require(people[0]["recurringSchedule"] as? [String: Any])
        #expect(schedule["start"] as? String == "22:00")
        #expect((all["devices"] as? [[String: Any]])?[0]["addresses"] as? [String] == ["10.0.0.1"])
        #expect((all["log"] as? [[String: Any]])?[0]["kind"] as? String == "sessionStarted")
        #expect(all["pastSessions"] as? [String] == [])
    }

    @Test func whatIsNotThereHasNoKey() throws {
        let people = try #require(exported(Scratch().open())["people"] as? [[String: Any]])
        #expect(people[0]["activeSession"] == nil)
        #expect(people[0]["recurringSchedule"] == nil)
        #expect(people[0]["allowedApps"] != nil)
        #expect(people[0]["defaultStrictness"] as? String == "flexible")
    }

    @Test func neverHoldsASecret() throws {
        let store = try Scratch().open()
        try store.setPasscodeHash("$scrypt$hash")
        let login = try store.createLogin(at: noon)
        let token = try store.createToken(name: "my token", at: noon)
        let data = try store.export(at: noon)
        let secrets = [
            "scrypt", login.token, login.csrf, token, store.secret.base64EncodedString(),
            sha256(token).base64EncodedString(),
        ]
        for secret in secrets { #expect(data.range(of: Data(secret.utf8)) == nil) }
    }

    @Test func readsWhileAServerRuns() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { $0.people[0].name = "Ada" }
        #expect(
            try HouseholdStore.readOnly(directory: scratch.path).export(at: noon) == store.export(at: noon))
    }
}
