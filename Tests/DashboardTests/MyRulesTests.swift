import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// Me has a phone, Anna a laptop, and Mia, a child, a tablet. It is 20:00, before a night at 22:00.
struct FairHouse {
    static let anna = PersonID(rawValue: 2)
    static let mia = PersonID(rawValue: 3)
    static let laptop = "192.168.1.30"
    static let tablet = "192.168.1.31"
    let house: TestHouse

    init(isConfirmed: Bool = true) throws {
        let schedule = RecurringSchedule(
            isEnabled: true, start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 7, minute: 0),
            strictness: .strict)
        let devices = [
            (1, TestHouse.phone, 1, "Phone"), (2, Self.laptop, 2, "Laptop"), (3, Self.tablet, 3, "Tablet"),
            (4, "192.168.1.32", 2, "Reader"),
        ].map {
            Device(
                id: DeviceID(rawValue: $0), name: $3, kind: .phone, person: PersonID(rawValue: $2),
                isConfirmed: $0 != 2 || isConfirmed, addresses: [$1], firstSeen: TestHouse.evening - 86_400,
                lastSeen: TestHouse.evening - 5)
        }
        house = try TestHouse(
            people: [
                Person(id: PersonID(rawValue: 1), name: "Me"),
                Person(id: Self.anna, name: "Anna", schedule: schedule),
                Person(id: Self.mia, name: "Mia", role: .child, schedule: schedule),
            ], devices: devices)
    }

    /// Makes a layer block Anna now.
    func hold(_ layer: String) throws {
        try house.store.change { household in
            switch layer {
            case "flexible", "strict":
                try household.startSession(
                    Self.anna, durationMinutes: 60, strictness: StrictnessMode(rawValue: layer)!, id: UUID(),
                    at: TestHouse.evening)
            case "windows":
                let window = TimeWindow(
                    id: UUID(), label: "", start: TimeOfDay(hour: 21, minute: 30),
                    end: TimeOfDay(hour: 21, minute: 45))
                household.people[1].antiRot = AntiRot(
                    restricted: AppSelection(apps: ["tiktok"]), windows: [window])
            case "limits":
                household.people[1].limits.list = [
                    UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)
                ]
            default:
                for index in [1, 3] {
                    household.devices[index].leaves = [1, 2].map {
                        Left(person: Self.anna, at: TestHouse.evening - $0 * 86_400)
                    }
                }
            }
        }
        if layer == "limits" { house.use([.app("tiktok"): TargetUse(day: 30, week: 30)], by: Self.anna) }
    }

    func device(_ id: Int64) -> Device? { house.store.household[device: DeviceID(rawValue: id)] }

    func log(_ person: PersonID) throws -> [String] {
        try house.store.log(of: person).map { entry in
            [entry.kind.rawValue, entry.subject?.rawValue, entry.hand?.words].compactMap { $0 }
                .joined(separator: " · ")
        }
    }
}

@Suite("Everybody who is enrolled reads their rules, and who changed them")
struct MyRulesTests {
    @Test("On the own device without a passcode; nobody else's, and no stranger's")
    func own() async throws {
        let fair = try FairHouse()
        try await fair.house.visit { guest in
            let page = try await guest.at(FairHouse.laptop).get("/my-rules")
            #expect(page.status == .ok)
            for words in ["Tonight at 22:00", "Strict:", "No change in the last 90 days.", "Leave…"] {
                #expect(page.text.contains(words), "\(words)")
            }
            let other = try await guest.at(FairHouse.laptop).get("/my-rules?person=1")
            #expect(other.status == .seeOther)
            let stranger = try await guest.at(TestHouse.stranger).get("/my-rules")
            #expect(stranger.status == .ok && stranger.text.contains("Nothing is blocked on this device"))
            #expect(!stranger.text.contains("22:00"))
            let owner = try await guest.signedIn().get("/my-rules?person=2").text
            #expect(owner.contains("Rules of <bdi>Anna</bdi>") && !owner.contains("Leave…"))
            #expect(!owner.contains("What was changed"))
            #expect(try await guest.signedIn().get("/my-rules?person=3").text.contains("What was changed"))
        }
    }

    @Test("A device that enrolled itself shows neither rules nor changes, until somebody logs in on it")
    func unconfirmed() async throws {
        let fair = try FairHouse(isConfirmed: false)
        try await fair.house.visit { guest in
            let page = try await guest.at(FairHouse.laptop).get("/my-rules").text
            #expect(page.contains("This device enrolled itself") && page.contains("Leave…"))
            for words in ["22:00", "What was changed", "Changed ", "What stays open", "Ask for"] {
                #expect(!page.contains(words), "\(words)")
            }
            #expect(page.contains("cannot use “I'm Eating”") && page.contains("Help works on it."))
            let asked = try await guest.at(FairHouse.laptop).post("/my-rules/ask", [("what", "skip")])
            #expect(asked.location == "/login" && fair.house.store.household.people[1].wishes.isEmpty)
            try fair.house.store.change { try $0.confirm(DeviceID(rawValue: 2)) }
            let known = try await guest.at(FairHouse.laptop).get("/my-rules").text
            #expect(known.contains("Tonight at 22:00") && known.contains("What was changed"))
        }
    }

    @Test("Who did it stands beside each rule: a browser, a program, a device of one's own")
    func hands() async throws {
        let fair = try FairHouse()
        let token = try fair.house.store.createToken(name: "homeassistant", at: fair.house.clock.now)
        try await fair.house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/schedule/tonight", [("person", "2"), ("change", "later")])
            let program = guest.with(.authorization, "Bearer \(token)")
            let body = "{\"apps\":[\"tiktok\"],\"categories\":[],\"domains\":[]}"
            _ = try await program.json(.put, "/api/v1/selections/allowed?person=2", body)
            _ = try await owner.post("/settings/help", [("person", "2")])
            fair.house.clock.advance(by: 60)
            let page = try await guest.at(FairHouse.laptop).get("/my-rules").text
            for words in [
                "Changed today at 20:00, by Me, on Phone.",
                "Changed today at 20:00, by the program homeassistant.",
                "Tonight", "22:30", "TikTok",
            ] {
                #expect(page.contains(words), "\(words)")
            }
        }
        let log = try fair.log(FairHouse.anna)
        #expect(
            log == [
                "ruleChanged · allowedApps · by the program homeassistant",
                "ruleChanged · tonight · by Me, on Phone",
            ])
    }

    @Test("A form that changes nothing leaves no line; several rules leave one each")
    func lines() async throws {
        let fair = try FairHouse()
        try await fair.house.visit { guest in
            let owner = try guest.signedIn()
            let fields = [
                ("person", "2"), ("resetHour", "4"), ("unlocksPerDay", "3"), ("looseningDelay", "8"),
            ]
            #expect(try await owner.post("/limits/settings", fields).status == .seeOther)
        }
        let log = try fair.log(FairHouse.anna)
        #expect(log.count { $0 == "ruleChanged · limitSettings · by Me, on Phone" } == 1)
        #expect(log.count { $0 == "ruleChanged · looseningDelay · by Me, on Phone" } == 1)
    }

    @Test(
        "Linked from where somebody looks for it",
        arguments: ["/help", "/just-blocked", "/login", "/more"])
    func links(_ path: String) async throws {
        let fair = try FairHouse()
        try await fair.house.visit { guest in
            let reader = path == "/more" ? try guest.signedIn() : guest.at(FairHouse.laptop)
            #expect(try await reader.get(path).text.contains("href=\"/my-rules"))
            // The pages to which a shield leads have no link for leaving (C-33).
            #expect(try await !guest.at(FairHouse.laptop).get("/anti-rot").text.contains("/my-rules"))
        }
    }
}

@Suite("An adult leaves from their own device")
struct LeaveRoutesTests {
    @Test("This device, or all of theirs; the household is told, and they come back as who they were")
    func leaves() async throws {
        let fair = try FairHouse()
        try await fair.house.visit { guest in
            let anna = guest.at(FairHouse.laptop)
            let confirm = try await anna.get("/my-rules/leave").text
            #expect(confirm.contains("Laptop and Reader") && !confirm.contains("bypass"))
            #expect(fair.device(2)?.person == FairHouse.anna)
            let answer = try await anna.post("/my-rules/leave", [("which", "all")])
            #expect(answer.location == "/my-rules?done=left")
            #expect(
                fair.device(2)?.person == nil && fair.device(4)?.person == nil
                    && fair.device(1)?.person != nil)
            let page = try await anna.get("/my-rules").text
            #expect(page.contains("Anna left on this device today at 20:00."))
            let owner = try guest.signedIn()
            for path in ["/", "/devices", "/household"] {
                let text = try await owner.get(path).text
                #expect(
                    text.contains("Anna left on “Laptop” today at 20:00. Nothing is blocked on it."),
                    "\(path)")
                #expect(!text.lowercased().contains("bypass"))
            }
            let back = try await anna.post("/devices/enroll")
            #expect(back.location == "/my-rules?done=enrolled")
            #expect(fair.device(2)?.person == FairHouse.anna && fair.device(2)?.isConfirmed == true)
            #expect(try await !owner.get("/").text.contains("left on “Laptop”"))
        }
        let log = try fair.log(FairHouse.anna)
        #expect(log.count { $0 == "deviceLeft · on Laptop, without the passcode" } == 2)
    }

    @Test("While a strict session runs it waits for its end, and can be taken back")
    func strict() async throws {
        let fair = try FairHouse()
        fair.house.clock.advance(by: 3 * 3600)
        try await fair.house.visit { guest in
            let anna = guest.at(FairHouse.laptop)
            let confirm = try await anna.get("/my-rules/leave").text
            #expect(confirm.contains("It is night") && confirm.contains("until tomorrow at 07:00"))
            let answer = try await anna.post("/my-rules/leave", [("which", "this")])
            #expect(answer.location == "/my-rules?done=leaving")
            #expect(fair.device(2)?.person == FairHouse.anna)
            #expect(try await anna.get("/my-rules").text.contains("It stays until tomorrow at 07:00"))
            #expect(try await anna.post("/my-rules/stay").location == "/my-rules?done=stayed")
            #expect(fair.device(2)?.departure == nil)
            _ = try await anna.post("/my-rules/leave", [("which", "this")])
            fair.house.clock.advance(by: 8 * 3600)
            #expect(try await anna.get("/my-rules").text.contains("Nothing is blocked on this device"))
        }
    }

    /// The layer that blocks Anna, the page's reason, and how long the device stays.
    static let layers: [(String, String, String)] = [
        ("flexible", "Leaving takes 30 seconds", "for 30 seconds"),
        ("strict", "A strict session is running", "until 21:00"),
        ("windows", "Anti-Rot is blocking now", "until 21:30"),
        ("limits", "A limit is reached", "until tomorrow at 00:00"),
        ("often", "You left here twice this week", "until tomorrow at 20:00"),
    ]

    @Test("C-33: leaving is as hard as the layer that it leaves, and the page says so", arguments: layers)
    func held(_ layer: String, _ reason: String, _ until: String) async throws {
        let fair = try FairHouse()
        try fair.hold(layer)
        try await fair.house.visit { guest in
            let anna = guest.at(FairHouse.laptop)
            let page = try await anna.get("/my-rules/leave").text
            #expect(page.contains(reason) && page.contains("The device stays \(until)."))
            for _ in 0..<5 {
                #expect(
                    try await anna.post("/my-rules/leave", [("which", "all")]).location
                        == "/my-rules?done=leaving")
            }
            #expect(fair.device(2)?.person == FairHouse.anna)
            #expect(try await anna.get("/my-rules").text.contains("It stays \(until)."))
            #expect(try await anna.post("/devices/enroll").status == .seeOther)
            let due = try #require(fair.device(2)?.departure?.due)
            fair.house.clock.advance(by: due.timeIntervalSince(fair.house.clock.now) - 1)
            #expect(!(try await anna.get("/my-rules").text.contains("Nothing is blocked on this device")))
            fair.house.clock.advance(by: 1)
            #expect(try await anna.get("/my-rules").text.contains("Nothing is blocked on this device"))
        }
    }

    @Test("Left and back in a loop: counted, in the log each time, and as the same person without a choice")
    func loop() async throws {
        let fair = try FairHouse()
        try await fair.house.visit { guest in
            let anna = guest.at(FairHouse.laptop)
            for _ in 0..<2 {
                #expect(
                    try await anna.post("/my-rules/leave", [("which", "this")]).location
                        == "/my-rules?done=left")
                #expect(try await anna.post("/devices/enroll", [("person", "1")]).status == .seeOther)
                #expect(fair.device(2)?.person == nil, "whoever has no passcode names nobody")
                #expect(try await anna.post("/devices/enroll").location == "/my-rules?done=enrolled")
                #expect(fair.device(2)?.person == FairHouse.anna)
            }
            #expect(
                try await anna.post("/my-rules/leave", [("which", "this")]).location
                    == "/my-rules?done=leaving")
            let changes = try await anna.get("/my-rules").text
            #expect(changes.components(separatedBy: "Left on Laptop").count == 3)
            #expect(changes.components(separatedBy: "Enrolled: Laptop").count == 3)
        }
        let log = try fair.log(FairHouse.anna)
        for kind in ["deviceLeft", "deviceEnrolled"] {
            #expect(log.count { $0 == "\(kind) · on Laptop, without the passcode" } == 2)
        }
    }

    @Test("What is refused, and with what")
    func refused() async throws {
        let fair = try FairHouse(isConfirmed: false)
        try await fair.house.visit { guest in
            let path = "/my-rules/leave"
            let (anna, mia) = (guest.at(FairHouse.laptop), guest.at(FairHouse.tablet))
            let owner = try guest.signedIn()
            let stranger = guest.at(TestHouse.stranger)
            for fields in [[], [("which", "both")], [("which", "this"), ("device", "1")]] {
                let answer = try await anna.post(path, fields)
                #expect(answer.status == .unprocessableContent)
                #expect(answer.text.contains("Leave on"))
            }
            #expect(try await anna.post(path, [("which", "all")]).status == .conflict)
            #expect(try await mia.post(path, [("which", "this")]).status == .conflict)
            #expect(try await mia.get(path).status == .conflict)
            #expect(try await owner.post(path, [("which", "this"), ("person", "2")]).status == .conflict)
            #expect(try await owner.post(path, [("which", "this")], csrf: "wrong").status == .forbidden)
            let foreign = anna.with(.origin, "http://evil.example")
            #expect(try await foreign.post(path, [("which", "this")]).status == .forbidden)
            #expect(try await anna.post(path, [("which", "this"), ("person", "1")]).status == .seeOther)
            #expect(try await stranger.post(path, [("which", "this")]).status == .seeOther)
            #expect(fair.house.store.household.devices.allSatisfy { $0.person != nil && $0.departure == nil })
            // It enrolled itself, so it can leave only by itself.
            #expect(try await anna.post(path, [("which", "this")]).status == .seeOther)
            #expect(fair.device(2)?.person == nil && fair.device(4)?.person == FairHouse.anna)
        }
    }
}

@Suite("A child asks from their own page")
struct AskRoutesTests {
    private func wish(_ fair: FairHouse) -> Wish? {
        fair.house.store.household[person: FairHouse.mia]?.wishes.last
    }

    @Test(
        "Asked, granted from the dashboard, and told on the child's page",
        arguments: ["later", "skip", "app"])
    func granted(_ what: String) async throws {
        let fair = try FairHouse()
        try await fair.house.visit { guest in
            let (mia, owner) = (guest.at(FairHouse.tablet), try guest.signedIn())
            let fields = [("what", what)] + (what == "app" ? [("app", "tiktok")] : [])
            #expect(try await mia.post("/my-rules/ask", fields).location == "/my-rules?done=asked")
            #expect(try await mia.get("/my-rules").text.contains("There is no answer yet."))
            let id = try #require(wish(fair)?.id.uuidString)
            for path in ["/", "/household"] {
                #expect(try await owner.get(path).text.contains("action=\"/requests/\(id)\""), "\(path)")
            }
            let answer = try await owner.post(
                "/requests/\(id)", [("answer", "grant"), ("from", "/household")])
            #expect(answer.location == "/household?done=wish-granted.\(id)")
            #expect(try await mia.get("/my-rules").text.contains("Yes: "))
            #expect(try await owner.post("/requests/\(id)", [("answer", "decline")]).status == .conflict)
            #expect(try await owner.get("/requests/\(id)").text.contains("Granted"))
        }
        let person = try #require(fair.house.store.household[person: FairHouse.mia])
        switch what {
        case "later": #expect(person.tonight?.minutes == 30)
        case "skip": #expect(person.tonight?.kind == .skip)
        default: #expect(person.allowed.apps == ["tiktok"])
        }
        let subject = what == "app" ? "allowedApps" : "tonight"
        let log = Set(try fair.log(FairHouse.mia))
        #expect(
            log == [
                "wishAsked · on Tablet, without the passcode", "wishGranted · by Me, on Phone",
                "ruleChanged · \(subject) · by Me, on Phone",
            ])
    }

    @Test("Declined kindly, changing nothing, and not asked twice")
    func declined() async throws {
        let fair = try FairHouse()
        try await fair.house.visit { guest in
            let (mia, owner) = (guest.at(FairHouse.tablet), try guest.signedIn())
            _ = try await mia.post("/my-rules/ask", [("what", "later")])
            let id = try #require(wish(fair)?.id.uuidString)
            let answer = try await owner.post("/requests/\(id)", [("answer", "decline")])
            #expect(answer.location == "/requests/\(id)?done=wish-declined.\(id)")
            let page = try await mia.get("/my-rules").text
            #expect(page.contains("Not this time") && page.contains("You can still talk about it."))
            #expect(!page.contains("value=\"later\"") && page.contains("value=\"skip\""))
            #expect(try await mia.post("/my-rules/ask", [("what", "later")]).status == .conflict)
        }
        #expect(fair.house.store.household[person: FairHouse.mia]?.tonight == nil)
    }

    @Test("More minutes of a limit that is reached go the way of its shield")
    func minutes() async throws {
        let fair = try FairHouse()
        let limit = UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)
        try fair.house.store.change { $0.people[2].limits.list = [limit] }
        try await fair.house.visit { guest in
            let mia = guest.at(FairHouse.tablet)
            let fields = [("what", "minutes"), ("limit", limit.id.uuidString)]
            let early = try await mia.post("/my-rules/ask", fields)
            #expect(early.status == .conflict, "there are minutes left")
            fair.house.use([.app("tiktok"): TargetUse(day: 30, week: 30)], by: FairHouse.mia)
            #expect(try await mia.get("/my-rules").text.contains("15 more minutes of <bdi>TikTok</bdi>"))
            #expect(try await mia.post("/my-rules/ask", fields).status == .seeOther)
            #expect(try await guest.signedIn().get("/").text.contains("asks: <b><bdi>15 more minutes of"))
        }
        #expect(fair.house.store.household[person: FairHouse.mia]?.limits.requests.count == 1)
    }

    @Test("What is refused: beside the form, with what was chosen")
    func refused() async throws {
        let fair = try FairHouse()
        try await fair.house.visit { guest in
            let path = "/my-rules/ask"
            let (mia, owner) = (guest.at(FairHouse.tablet), try guest.signedIn())
            for fields in [
                [], [("what", "moon")], [("what", "app")], [("what", "app"), ("app", "nope")],
                [("what", "minutes")],
                [("what", "minutes"), ("limit", "x")], [("what", "later"), ("device", "1")],
            ] {
                let answer = try await mia.post(path, fields)
                #expect(answer.status == .unprocessableContent, "\(fields)")
                #expect(answer.text.components(separatedBy: "class=\"error\"").count == 2, "said once")
            }
            let unknown = [("what", "minutes"), ("limit", UUID().uuidString)]
            #expect(try await mia.post(path, unknown).status == .conflict)
            #expect(try await owner.post(path, [("what", "later"), ("person", "3")]).status == .conflict)
            #expect(try await owner.post(path, [("what", "later")], csrf: "wrong").status == .forbidden)
            #expect(try await mia.post(path, [("what", "later"), ("person", "2")]).status == .seeOther)
            #expect(
                try await guest.at(TestHouse.stranger).post(path, [("what", "later")]).status == .seeOther)
            fair.house.clock.advance(by: 3 * 3600)
            #expect(try await mia.post(path, [("what", "later")]).status == .conflict)
            #expect(wish(fair) == nil)
            // An answer needs the passcode.
            let answer = try await mia.post("/requests/\(UUID().uuidString)", [("answer", "grant")])
            #expect(answer.location == "/login")
            for fields in [[], [("answer", "maybe")]] {
                let refused = try await owner.post("/requests/\(UUID().uuidString)", fields)
                #expect(refused.status == .unprocessableContent)
            }
            #expect(try await owner.get("/requests/\(UUID().uuidString)").status == .notFound)
        }
    }

    @Test("A grant that has to wait is said, and the question stays open")
    func waits() async throws {
        let fair = try FairHouse()
        try fair.house.store.change { household in
            household.people[2].limits.list = [UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)]
            household.people[2].looseningDelay = 24
        }
        try await fair.house.visit { guest in
            _ = try await guest.at(FairHouse.tablet).post("/my-rules/ask", [("what", "skip")])
            let id = try #require(wish(fair)?.id.uuidString)
            let answer = try await guest.signedIn().post("/requests/\(id)", [("answer", "grant")])
            #expect(answer.status == .conflict && answer.text.contains("get easier only after 24 hours"))
            #expect(wish(fair)?.answer == .open)
        }
    }

    @Test("The shield's app comes chosen already")
    func chosen() async throws {
        let fair = try FairHouse()
        try await fair.house.visit { guest in
            let page = try await guest.at(FairHouse.tablet).get("/my-rules?ask=tiktok").text
            #expect(page.contains("<option value=\"tiktok\" selected>"))
        }
    }
}
