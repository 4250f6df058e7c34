import Foundation
import Policy
import Testing

@testable import Store

/// What is on disks as JSON must be read by every later version: its text does not change.
@Suite struct LayerDocumentTests {
    private static let window = """
        {"days":["mon","sat"],"end":"13:00","id":"9F9619FF-8B86-D011-B42D-00C04FC964FF","label":"Lunch",\
        "start":"12:00"}
        """

    @Test(
        arguments: [
            (
                .restricted(AppSelection(apps: ["b", "a"])),
                #"{"kind":"selectedApps","selectedApps":{"apps":["a","b"],"categories":[],"domains":[]}}"#
            ),
            (
                .windows([LayersTests.lunch]),
                #"{"allowedWindows":["# + window + #"],"kind":"allowedWindows"}"#
            ),
            (.windows([]), #"{"allowedWindows":[],"kind":"allowedWindows"}"#),
            (
                .limit(LayersTests.limit),
                #"{"kind":"limit","limit":{"id":"monitor_AF9619FF-8B86-D011-B42D-00C04FC964FF","kind":"app","#
                    + #""minutes":30,"minutesByDay":{"sat":60,"sun":90},"target":"tiktok","weeklyMinutes":200}}"#
            ),
            (
                .removeLimit(.category("games")),
                #"{"kind":"removeLimit","target":{"kind":"category","target":"games"}}"#
            ),
            (.resetHour(4), #"{"kind":"resetHour","number":4}"#),
            (.unlocksPerDay(0), #"{"kind":"unlocksPerDay","number":0}"#),
            (.unlocksPerDay(nil), #"{"kind":"unlocksPerDay"}"#),
            (.looseningDelay(hours: 24), #"{"kind":"looseningDelay","number":24}"#),
        ] as [(PendingChange.Change, String)])
    func aChangeThatWaits(change: PendingChange.Change, text: String) throws {
        #expect(try jsonText(ChangeDocument(change)) == text)
        let read = try JSONDecoder().decode(ChangeDocument.self, from: Data(text.utf8))
        #expect(read.change == change)
    }

    @Test("The seeds' own keys, for every person (AR-014 to AR-017, TH-004, TH-019, TH-020, TH-027)")
    func theSeedsKeys() throws {
        let store = try Scratch().open()
        try store.change { LayersTests.fill(&$0) }
        let all = try #require(JSONSerialization.jsonObject(with: store.export(at: noon)) as? [String: Any])
        let me = try #require((all["people"] as? [[String: Any]])?[0])
        let limits = store.household.people[0].limits
        func list(_ key: String) -> [[String: Any]] { me[key] as? [[String: Any]] ?? [] }

        #expect((me["selectedApps"] as? [String: [String]])?["apps"] == ["tiktok"])
        #expect(list("allowedWindows")[0]["start"] as? String == "12:00")
        #expect(list("allowedWindows")[0]["days"] as? [String] == ["mon", "sat"])
        #expect(
            me["overrideState"] as? [String: String] == [
                "lastUsedDate": "2026-11-21T12:00:00.000Z", "overrideExpiresAt": "2026-11-21T12:45:00.000Z",
            ])
        #expect(list("limits")[0]["id"] as? String == "monitor_\(LayersTests.limit.id.uuidString)")
        #expect(list("limits")[0]["minutesByDay"] as? [String: Int] == ["sat": 60, "sun": 90])
        #expect((list("limits")[1]["id"] as? String)?.hasPrefix("monitor_cat_") == true)
        let reached = try #require(list("PersistentBlockedTokens").first)
        #expect(reached["target"] as? [String: String] == ["kind": "app", "target": "tiktok"])
        #expect(reached["dayMinutes"] as? Int == 60)
        #expect(list("ProbationTokens")[0]["id"] as? String == limits.probations[0].id)
        #expect(list("ProbationTokens")[0]["expiresAt"] as? String == "2026-11-21T12:01:00.000Z")
        #expect((me["limitSettings"] as? [String: Any])?["looseningDelay"] as? Int == 8)
        #expect(list("extraTime")[0]["minutes"] as? Int == 15)
        #expect(list("timeRequests")[0]["answer"] as? String == "open")
        #expect(
            (list("pendingChanges")[0]["change"] as? [String: Any])?["kind"] as? String == "allowedWindows")
    }

    @Test func whatIsNotThereHasNoKey() throws {
        let store = try Scratch().open()
        let people = try #require(
            JSONSerialization.jsonObject(with: store.export(at: noon)) as? [String: Any])["people"]
        let keys = try #require((people as? [[String: Any]])?[0].keys)
        #expect(keys.sorted() == ["allowedApps", "defaultStrictness", "id", "name", "role"])
        try store.change { $0.people[0].antiRot.windows = [] }
        #expect(
            String(decoding: try store.export(at: noon), as: UTF8.self).contains("\"allowedWindows\" : ["))
    }
}
