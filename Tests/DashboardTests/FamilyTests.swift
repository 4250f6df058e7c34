import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@testable import Dashboard

/// The pages of a television that is the family's.
@Suite struct FamilyTests {
    private static let address = "192.168.1.50"
    private static let mia = PersonID(rawValue: 2)

    private func house(_ people: [Person]? = nil, setUpAt step: SetupStep? = nil) throws -> TestHouse {
        let device = Device(
            id: DeviceID(rawValue: 7), name: "Living room", addresses: [Self.address],
            firstSeen: TestHouse.evening - 60, lastSeen: TestHouse.evening - 5)
        let house = try TestHouse(
            people: people ?? [
                Person(id: PersonID(rawValue: 1), name: "Me", allowed: TestHouse.starting),
                Person(id: Self.mia, name: "Mia", role: .child, allowed: TestHouse.starting),
            ], devices: [device])
        try house.store.change { $0.setupStep = step }
        return house
    }

    private static func use(_ house: TestHouse) -> FamilyUse? {
        house.store.household[device: DeviceID(rawValue: 7)]?.family
    }

    @Test("Devices, Add a device, and one tap on The family's: it follows every child")
    func fourTaps() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/devices").text.contains(#"href="/setup/device"#))
            let arrived = try await owner.get("/setup/device").text
            #expect(arrived.contains("A new device just arrived") && arrived.contains(#"name="family""#))
            let sent = try await owner.post(
                "/devices/enroll", [("device", "7"), ("family", "on"), ("from", "setup")])
            #expect(sent.location?.hasPrefix("/setup/device") == true)
            #expect(Self.use(house) == FamilyUse(.anyChild))
            let page = try await owner.get("/devices").text
            #expect(
                page.contains("It is blocked while any child sleeps") && page.contains("count for nobody"))
            let refused = try await guest.at("192.168.1.51").post("/devices/enroll", [("family", "on")])
            #expect(refused.location?.hasPrefix("/login") == true)
        }
    }

    @Test("Whose times hold and whose minutes count are chosen on its row, its own times too")
    func choices() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/devices/7", [("owner", "family")])
            #expect(Self.use(house) == FamilyUse(.anyChild))
            _ = try await owner.post(
                "/devices/7", [("owner", "family"), ("times", "allChildren"), ("minutesOf", "2")])
            #expect(Self.use(house) == FamilyUse(.allChildren, minutesOf: Self.mia))
            #expect(
                try await owner.get("/devices").text.contains("Mia has no bedtime, so no night blocks it."))
            _ = try await owner.post(
                "/devices/7", [("owner", "family"), ("times", "2"), ("minutesOf", "")])
            #expect(Self.use(house) == FamilyUse(.person(Self.mia)))
            #expect(try await owner.get("/devices").text.contains("It follows Mia’s times."))
            _ = try await owner.post(
                "/devices/7", [("name", "Big screen"), ("owner", "family"), ("times", "own")])
            let own = try #require(house.store.household.people.last)
            #expect(own.role == .shared && own.name == "Big screen")
            #expect(try await owner.get("/devices").text.contains("None are set yet"))
            #expect(Self.use(house) == FamilyUse(.person(own.id), minutesOf: own.id))
            #expect(try await owner.get("/household").text.contains("Shared device"))
            let rules = try await owner.get("/my-rules?person=\(own.id.rawValue)").text
            #expect(rules.contains("the family’s devices that have these times"))
            let wrong = try await owner.post("/devices/7", [("owner", "family"), ("times", "always")])
            #expect(wrong.status == .unprocessableContent)
            _ = try await owner.post("/settings/people/2/delete", [("confirm", "remove")])
            _ = try await owner.post("/devices/7", [("owner", "family"), ("times", "anyChild")])
            #expect(try await owner.get("/devices").text.contains("There is no child here"))
            _ = try await owner.post("/devices/7", [("owner", "1")])
            #expect(Self.use(house) == nil)
        }
    }

    @Test(
        "On the family's device My rules says whose rules hold, and a child's ways around stay unread there")
    func myRules() async throws {
        let house = try house()
        let nothing = "Nothing is blocked on this device"
        try await house.visit { guest in
            let screen = guest.at(Self.address)
            #expect(try await screen.get("/my-rules").text.contains(nothing))
            #expect(try await screen.get("/check/around").location == nil)
            try house.store.change { $0.letNewDevicesFollowChildren() }
            let stranger = guest.at("192.168.1.88")
            let new = try await stranger.get("/my-rules").text
            #expect(new.contains("The rules for new devices hold") && new.contains("This is my device"))
            #expect(try await stranger.get("/check/around").location?.hasPrefix("/check") == true)
            _ = try await guest.signedIn().post("/devices/7", [("owner", "family")])
            let help = try await screen.get("/help").text
            #expect(help.contains("This device is the family’s: messengers open one minute later"))
            #expect(!help.contains("Help is listed"))
            let familys = try await screen.get("/my-rules").text
            #expect(familys.contains("This device is the family’s. It is blocked while any child sleeps"))
            #expect(!familys.contains(nothing) && !familys.contains("This is my device"))
            #expect(try await screen.get("/check/around").location?.hasPrefix("/check") == true)
            _ = try await guest.signedIn().post("/devices/7", [("owner", "family"), ("times", "never")])
            #expect(
                try await screen.get("/my-rules").text.contains(
                    "This device is the family’s. Nothing blocks it."))
        }
    }

    @Test("A new phone under the children's rules waits to be told whose it is, as any new phone")
    func newPhone() async throws {
        let house = try house()
        try house.store.change { $0.letNewDevicesFollowChildren() }
        try await house.visit { guest in
            let phone = guest.at("192.168.1.88")
            _ = try await phone.post("/devices/enroll")
            #expect(try await phone.get("/setup/device").text.contains("Whose device is this?"))
        }
    }

    @Test("A removed person's device says on its row that it follows every child now")
    func fallback() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/devices/7", [("owner", "family"), ("times", "2")])
            let asked = try await owner.post("/settings/people/2/delete").text
            #expect(asked.contains("follow every child from then on: <bdi>Living room</bdi>"))
            _ = try await owner.post("/settings/people/2/delete", [("confirm", "remove")])
            #expect(try await owner.get("/devices").text.contains("Whom it followed is gone"))
        }
    }

    @Test("Programs read and set it")
    func programs() async throws {
        let house = try house()
        try await house.visit { guest in
            let program = guest.with(
                .authorization, "Bearer \(try house.store.createToken(name: "x", at: house.clock.now))")
            let set = try await program.json(
                .patch, "/api/v1/devices/7", #"{"family":{"times":"person","person":2,"minutesOf":2}}"#)
            let family = set.object["family"] as? [String: Any]
            #expect(set.status == .ok && family?["times"] as? String == "person")
            #expect(Self.use(house) == FamilyUse(.person(Self.mia), minutesOf: Self.mia))
            for body in [
                #"{"family":{"times":"person"}}"#, #"{"family":{"times":"always"}}"#,
                #"{"family":{"times":"never","person":2}}"#, #"{"person":1,"family":{"times":"never"}}"#,
            ] {
                let wrong = try await program.json(.patch, "/api/v1/devices/7", body)
                #expect(wrong.status == .unprocessableContent, "\(body)")
            }
            #expect(Self.use(house) == FamilyUse(.person(Self.mia), minutesOf: Self.mia))
        }
    }

    @Test(
        "A television's or console's own steps come first, and it is no computer",
        arguments: [
            ("Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36", "LG (webOS)", Device.Kind.television),
            ("Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36", "Samsung (Tizen)", .television),
            ("Mozilla/5.0 (Linux; Android 9; AFTMM) AppleWebKit/537.36", "Fire TV", .television),
            ("Mozilla/5.0 (Linux; Android 11; BRAVIA 4K) AppleWebKit/537.36", "Android TV", .television),
            ("Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 CrKey/1.54", "Chromecast", .television),
            ("Mozilla/5.0 (PlayStation; PlayStation 5/6.00) AppleWebKit/605.1", "PlayStation", .console),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) Edge/44", "Xbox", .console),
            ("Mozilla/5.0 (Nintendo Switch; WebApplet) AppleWebKit/609.4", "Nintendo Switch", .console),
        ])
    func steps(_ agent: String, _ name: String, _ kind: Device.Kind) async throws {
        let house = try house()
        try await house.visit { guest in
            let page = try await guest.with(.userAgent, agent).get("/setup/device").text
            let first = try #require(page.components(separatedBy: "<details").dropFirst().first)
            #expect(first.hasPrefix(" open") && first.contains(name))
            #expect(page.components(separatedBy: "<details open").count == 2)
        }
        #expect(ClientSystem.kind(agent: agent) == kind)
    }

    @Test("Set-up asks what happens to new devices once there is a child, and settings can change it")
    func newDevices() async throws {
        let house = try house(setUpAt: .people)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let page = try await owner.get("/setup/people").text
            #expect(page.contains(#"name="newDevices" value="children" checked"#))
            let nobodys = #"name="newDevices" value="nobody" checked"#
            let added = try await owner.post(
                "/setup/people", [("new", "Ada"), ("add", "child"), ("newDevices", "nobody")])
            #expect(try await owner.get(added.location ?? "").text.contains(nobodys), "the answer stays")
            _ = try await owner.post("/setup/people", [("newDevices", "nobody")])
            #expect(try await owner.get("/setup/people").text.contains(nobodys), "also on the way back")
            _ = try await owner.post("/setup/people", [("newDevices", "children")])
            #expect(house.store.household.familyOfNew == FamilyUse(.anyChild))
            #expect(try await owner.get("/settings").text.contains("The children’s rules"))
            _ = try await guest.at("192.168.1.88").post("/devices/enroll")
            let phone = try #require(house.store.household.device(at: "192.168.1.88"))
            #expect(phone.family == FamilyUse(.anyChild) && !phone.isConfirmed && !phone.isUnplaced)
            _ = try await owner.post("/settings/new-devices", [("newDevices", "")])
            #expect(house.store.household.holdersOfNew.isNobody)
        }
        let alone = try self.house([Person(id: PersonID(rawValue: 1), name: "Me")], setUpAt: .people)
        try await alone.visit { guest in
            let page = try await guest.signedIn().get("/setup/people")
            #expect(!page.text.contains("newDevices"))
        }
    }

    @Test("An adult opens and closes the ways out of a child with a limit on the page Limits")
    func waysOut() async throws {
        let house = try house()
        let limit = UsageLimit(id: UUID(), target: .category("social"), minutes: 30)
        try house.store.change { $0.people[1].limits.list = [limit] }
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/limits?person=2").text.contains("are closed for <bdi>Mia</bdi>"))
            #expect(try await !owner.get("/limits?person=1").text.contains("VPN sites"))
            let shield = try await owner.get("/shield?name=www.nordvpn.com&person=2").text
            #expect(shield.contains("Closed here") && !shield.contains("Anti-Rot"))
            #expect(
                try await owner.get("/my-rules?person=2").text.contains(
                    "VPN sites and encrypted DNS are closed"))
            _ = try await owner.post("/limits/ways-out", [("person", "2"), ("open", "on")])
            #expect(house.store.household[person: Self.mia]?.closesWaysOut == false)
            #expect(try await owner.get("/limits?person=2").text.contains("are open for <bdi>Mia</bdi>"))
            _ = try await owner.post("/limits/ways-out", [("person", "2")])
            #expect(house.store.household[person: Self.mia]?.closesWaysOut == true)
        }
    }
}
