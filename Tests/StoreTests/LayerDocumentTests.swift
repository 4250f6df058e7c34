import Foundation
import Policy
import Testing

@testable import Store

/// Every later version must read the JSON that is on disks.
@Suite struct LayerDocumentTests {
    private static let window = """
        {"days":["mon","sat"],"end":"13:00","id":"9F9619FF-8B86-D011-B42D-00C04FC964FF","label":"Lunch",\
        "start":"12:00"}
        """

    @Test(
        arguments: [
            (
                .restricted(AppSelection(apps: ["b", "a"])),
                #"{"restricted":{"_0":{"apps":["a","b"],"categories":[],"domains":[]}}}"#
            ),
            (.windows([LayersTests.lunch]), #"{"windows":{"_0":["# + window + #"]}}"#),
            (
                .limit(LayersTests.limit),
                #"{"limit":{"_0":{"id":"monitor_AF9619FF-8B86-D011-B42D-00C04FC964FF","kind":"app","#
                    + #""minutes":30,"minutesByDay":{"sat":60,"sun":90},"target":"tiktok","weeklyMinutes":200}}}"#
            ),
            (
                .removeLimit(.category("games")),
                #"{"removeLimit":{"_0":{"kind":"category","target":"games"}}}"#
            ),
            (.unlocksPerDay(nil), #"{"unlocksPerDay":{}}"#),
            (.looseningDelay(hours: 24), #"{"looseningDelay":{"hours":24}}"#),
            (
                .dateException(LayersTests.holidays),
                #"{"dateException":{"_0":{"first":"2026-11-30","id":"CF9619FF-8B86-D011-B42D-00C04FC964FF","#
                    + #""instead":"weekday","last":"2026-12-06","weekday":"sat"}}}"#
            ),
            (
                .removeDateException(LayersTests.holidays.id),
                #"{"removeDateException":{"_0":"CF9619FF-8B86-D011-B42D-00C04FC964FF"}}"#
            ),
        ] as [(PendingChange.Change, String)])
    func aChangeThatWaits(change: PendingChange.Change, text: String) throws {
        #expect(String(decoding: try JSONEncoder.ofDocuments.encode(change), as: UTF8.self) == text)
        #expect(
            try JSONDecoder.ofDocuments.decode(PendingChange.Change.self, from: Data(text.utf8)) == change)
    }

    @Test("The seeds' own keys, for every person (AR-014 to AR-017, TH-004, TH-019, TH-020, TH-027)")
    func theSeedsKeys() throws {
        let store = try Scratch().open()
        try store.change { LayersTests.fill(&$0) }
        let all = try #require(JSONSerialization.jsonObject(with: store.export(at: noon)) as? [String: Any])
        let me = try #require((all["people"] as? [[String: Any]])?[0])
        let antiRot = try #require(me["antiRot"] as? [String: Any])
        let limits = try #require(me["limits"] as? [String: Any])
        func list(_ key: String) -> [[String: Any]] { limits[key] as? [[String: Any]] ?? [] }

        #expect((antiRot["selectedApps"] as? [String: [String]])?["apps"] == ["tiktok"])
        let window = try #require((antiRot["allowedWindows"] as? [[String: Any]])?.first)
        #expect(window["start"] as? String == "12:00" && window["days"] as? [String] == ["mon", "sat"])
        #expect(
            antiRot["overrideState"] as? [String: String] == [
                "lastUsedDate": "2026-11-21T12:00:00.000Z", "overrideExpiresAt": "2026-11-21T12:45:00.000Z",
            ])
        #expect(list("list")[0]["id"] as? String == "monitor_\(LayersTests.limit.id.uuidString)")
        #expect(list("list")[0]["minutesByDay"] as? [String: Int] == ["sat": 60, "sun": 90])
        #expect((list("list")[1]["id"] as? String)?.hasPrefix("monitor_cat_") == true)
        let reached = try #require(list("PersistentBlockedTokens").first)
        #expect(reached["target"] as? [String: String] == ["kind": "app", "target": "tiktok"])
        #expect((reached["use"] as? [String: Int])?["day"] == 60)
        let probation = store.household.people[0].limits.probations[0]
        #expect(list("ProbationTokens")[0]["id"] as? String == probation.id)
        #expect(list("ProbationTokens")[0]["expiresAt"] as? String == "2026-11-21T12:01:00.000Z")
        #expect(me["looseningDelay"] as? Int == 8)
        #expect(list("extraTime")[0]["minutes"] as? Int == 15)
        #expect(list("requests")[0]["answer"] as? String == "open")
        #expect((me["pendingChanges"] as? [[String: Any]])?.count == 1)
    }

    @Test func whatIsNotThereHasNoKey() throws {
        let store = try Scratch().open()
        func antiRot() throws -> [String: Any] {
            let all = try JSONSerialization.jsonObject(with: store.export(at: noon)) as? [String: Any]
            let person = try #require((all?["people"] as? [[String: Any]])?.first)
            #expect(["activeSession", "recurringSchedule", "tonight"].allSatisfy { person[$0] == nil })
            return try #require(person["antiRot"] as? [String: Any])
        }
        #expect(try antiRot().keys.sorted() == ["overrideState"])
        #expect((try antiRot()["overrideState"] as? [String: Any])?.isEmpty == true)
        try store.change { $0.people[0].antiRot.windows = [] }
        #expect((try antiRot()["allowedWindows"] as? [Any])?.isEmpty == true)
    }

    @Test("A document of an earlier version lacks what came later: that is its type's default")
    func oldJSON() throws {
        func read(_ kind: Document.Kind, _ json: String) throws -> Entity {
            try Entity(Document.Key(kind: kind, id: 1), json: json)
        }
        #expect(
            try read(.house, #"{"timeZone":"UTC","offersHelp":true}"#)
                == .house(Household(timeZone: "UTC", people: [])))
        #expect(try read(.person, #"{"id":1,"name":"Me"}"#) == .person(Person(id: me, name: "Me")))
        let device = #"""
            {"id":1,"name":"Phone","isNamed":true,"isConfirmed":true,"addresses":[],
            "firstSeen":"2026-11-21T12:00:00.000Z","lastSeen":"2026-11-21T12:00:00.000Z"}
            """#
        #expect(
            try read(.device, device)
                == .device(
                    Device(
                        id: DeviceID(rawValue: 1), name: "Phone", addresses: [], firstSeen: noon,
                        lastSeen: noon)))
        let session = SleepSession.example()
        var members = try #require(
            JSONSerialization.jsonObject(with: Data(Entity.session(session).json().utf8)) as? [String: Any])
        members["allowed"] = [String: Any]()
        let bare = String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
        guard case .session(let read) = try read(.session, bare) else { return #expect(Bool(false)) }
        #expect(read.allowed == AppSelection() && read.endsAt == session.endsAt)
    }

    @Test(
        "A member that nobody can read costs that member only",
        arguments: [
            "role", "defaultStrictness", "allowedApps", "recurringSchedule", "tonight", "dateExceptions",
            "nightDone",
            "antiRot",
            "limits", "focus", "disciplineDungeon", "relayed", "looseningDelay", "helpPresses",
            "pendingChanges",
            "wishes",
        ]) func oneMember(name: String) throws
    {
        let whole = try Entity.person(Person(id: me, name: "Me", nightDone: CivilDate("2026-11-20"))).json()
        var members = try #require(
            JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [String: Any])
        members[name] = [["x": 3]]
        let json = String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
        guard case .person(let person) = try Entity(Document.Key(kind: .person, id: 1), json: json)
        else { return #expect(Bool(false)) }
        #expect(person.name == "Me" && (person.nightDone == nil) == (name == "nightDone"))
    }
}
