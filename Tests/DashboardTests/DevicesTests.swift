import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct DevicesRoutesTests {
    private func twoPeople(devices: [Device]? = nil) throws -> TestHouse {
        try TestHouse(
            people: [
                Person(id: PersonID(rawValue: 1), name: "Me"), Person(id: PersonID(rawValue: 2), name: "Ana"),
            ], devices: devices)
    }

    @Test("Among several people a device that says it is somebody's waits until the passcode says whose")
    func waitsForItsOwner() async throws {
        let house = try twoPeople(devices: [])
        try await house.visit { guest in
            let tablet = guest.at("192.168.1.77")
            #expect(try await tablet.get("/setup/device").text.contains("This is my device"))
            #expect(try await tablet.post("/devices/enroll").location == "/setup/device")
            let device = try #require(house.store.household.device(at: "192.168.1.77"))
            #expect(device.person == nil, "nobody said that it is the first person's")
            let waiting = try await tablet.get("/setup/device").text
            #expect(waiting.contains("data-waiting") && !waiting.contains("This is my device"))
            #expect(!waiting.contains("Ana"), "names are for the invited")
            let owner = try guest.signedIn()
            #expect(try await owner.get("/setup/device").text.contains("Whose is it?"))
            let fields = [("device", "\(device.id.rawValue)"), ("person", "2")]
            #expect(try await owner.post("/devices/enroll", fields).status == .seeOther)
            let told = try await tablet.get("/setup/device").text
            #expect(told.contains("This is the device of <bdi>Ana</bdi>") && !told.contains("data-waiting"))
        }
    }

    @Test("Every device can say that it is somebody's, without a login, for itself only")
    func enrollsItself() async throws {
        let house = try TestHouse(devices: [])
        try await house.visit { guest in
            let tablet = guest.at("fd00::7")
            #expect(try await tablet.post("/devices/enroll").status == .seeOther)
            let device = try #require(house.store.household.device(at: "fd00::7"))
            #expect(device.person == house.me.id)
            // A second press changes nothing.
            _ = try await tablet.post("/devices/enroll")
            #expect(house.store.household.devices.count == 1)
            #expect(try house.store.log(of: house.me.id).count { $0.kind == .deviceEnrolled } == 1)
            // Enrolling for another person, or another device, needs a login.
            for fields in [[("person", "2")], [("device", "\(device.id.rawValue)")]] {
                let refused = try await guest.at("fd00::8").post("/devices/enroll", fields)
                #expect(refused.location == "/login")
            }
            let foreign = try await tablet.with(.origin, "http://evil.example").post("/devices/enroll")
            #expect(foreign.status == .forbidden)
        }
    }

    @Test("A phone that is enrolled over IPv4 is the one whose IPv6 address asked before")
    func enrollsWithBothAddresses() async throws {
        let mac = "02:00:00:00:00:01"
        let seen = Device(
            id: DeviceID(rawValue: 5), name: "Device 5", addresses: ["fd00::2"], hardwareAddress: mac,
            firstSeen: TestHouse.evening, lastSeen: TestHouse.evening)
        let house = try TestHouse(
            devices: [seen], hardwareAddresses: ["10.0.0.2": mac, "10.0.0.3": mac, "10.0.0.4": mac])
        try await house.visit { guest in
            _ = try await guest.at("10.0.0.2").post("/devices/enroll")
            #expect(house.store.household.devices.map(\.id.rawValue) == [5])
            #expect(house.store.household.devices[0].person == house.me.id)
            // A fresh address is no way to be somebody else; behind a repeater only the passcode says who it is.
            _ = try await guest.at("10.0.0.3").post("/devices/enroll")
            #expect(house.store.household.devices.count == 1)
            try house.store.change { household in
                household.devices.append(
                    Device(
                        id: DeviceID(rawValue: 6), name: "Tablet", addresses: ["10.0.0.9"],
                        hardwareAddress: mac,
                        firstSeen: TestHouse.evening, lastSeen: TestHouse.evening))
            }
            let refused = try await guest.at("10.0.0.4").post("/devices/enroll")
            #expect(refused.status == .conflict && refused.text.contains("shares its Wi‑Fi address"))
            #expect(house.store.household.devices.count == 2)
        }
    }

    @Test(
        "Where new devices are a child's, one that enrolls itself before it asks for anything is the child's")
    func enrollsUnderTheRule() async throws {
        let house = try TestHouse(people: [Person(id: PersonID(rawValue: 2), name: "Ada", role: .child)])
        try house.store.change { $0.newDevicesBelongTo = PersonID(rawValue: 2) }
        try await house.visit { guest in
            _ = try await guest.at("10.0.0.2").post("/devices/enroll")
            #expect(house.store.household.device(at: "10.0.0.2")?.person == PersonID(rawValue: 2))
        }
    }

    @Test("Who has taken another device's address is still who they are")
    func aTakenAddress() async throws {
        let (phone, television) = ("02:00:00:00:00:01", "02:00:00:00:00:02")
        let now = TestHouse.evening
        let devices = [("10.0.0.2", phone, PersonID(rawValue: 1)), ("10.0.0.9", television, nil)].enumerated()
            .map {
                Device(
                    id: DeviceID(rawValue: Int64($0 + 5)), name: "Device", person: $1.2, addresses: [$1.0],
                    hardwareAddress: $1.1, firstSeen: now, lastSeen: now)
            }
        let house = try TestHouse(devices: devices, hardwareAddresses: ["10.0.0.9": phone])
        try await house.visit { guest in
            _ = try await guest.at("10.0.0.9").post("/devices/enroll")
            #expect(house.store.household.devices.map(\.person) == [house.me.id, nil])
            #expect(try await guest.at("10.0.0.9").get("/my-rules").status == .ok)
        }
    }

    @Test(
        "A device that a forwarder asks for is known on the first page that it opens, and takes no more by pages"
    )
    func isMet() async throws {
        let mac = "02:00:00:00:00:01"
        var seen = Device(
            id: DeviceID(rawValue: 5), name: "Device 5", person: PersonID(rawValue: 1), addresses: [],
            hardwareAddress: mac, firstSeen: TestHouse.evening, lastSeen: TestHouse.evening)
        seen.isConfirmed = true
        let house = try TestHouse(
            devices: [seen],
            hardwareAddresses: [
                "10.0.0.2": mac, "10.0.0.3": mac, "fd00::2": mac, "10.0.0.4": "02:00:00:00:00:09",
            ])
        try await house.visit { guest in
            #expect(try await guest.at("10.0.0.2").get("/my-rules").status == .ok)
            #expect(house.store.household.devices.map(\.addresses) == [["10.0.0.2"]])
            // Another address can be another device behind a repeater; opening a page alone adds no device.
            for address in ["10.0.0.3", "10.0.0.4", "10.0.0.5", "fd00::2"] {
                _ = try await guest.at(address).get("/my-rules")
            }
            #expect(house.store.household.devices.map(\.addresses) == [["10.0.0.2"]])
            #expect(house.store.household.devices[0].lastSeen == TestHouse.evening, "a page is no question")
        }
    }

    @Test("Saved as it stands, whose a device is stands by a parent's word, no more only by the rule's")
    func confirms() async throws {
        let house = try twoPeople()
        try house.store.change { household in
            household.devices[0].person = PersonID(rawValue: 2)
            household.devices[0].isConfirmed = false
        }
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fields = [("name", "Device 1"), ("kind", "phone"), ("owner", "2")]
            #expect(try await owner.post("/devices/1", fields).location == "/devices?done=saved#device-1")
            #expect(house.store.household.devices[0].isConfirmed)
        }
    }

    @Test("The owner assigns, renames, marks and removes")
    func owner() async throws {
        let house = try twoPeople()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fields = [("name", "Ana's <phone>"), ("kind", "phone"), ("owner", "2")]
            #expect(try await owner.post("/devices/1", fields).location == "/devices?done=saved#device-1")
            #expect(house.store.household.devices[0].person?.rawValue == 2)
            #expect(try await owner.get("/devices").text.contains("Ana&#39;s &lt;phone&gt;"))
            _ = try await owner.post("/devices/enroll", [("device", "1"), ("person", "1")])
            #expect(house.store.household.devices[0].person?.rawValue == 1)
            _ = try await owner.post("/devices/1", [("owner", "")])
            #expect(house.store.household.devices[0].person == nil)
            _ = try await owner.post("/devices/enroll", [("device", "::ffff:192.168.1.77"), ("person", "2")])
            #expect(house.store.household.device(at: "192.168.1.77")?.person?.rawValue == 2)
            #expect(try await owner.post("/devices/enroll", [("device", "nonsense")]).status == .notFound)
            for fields in [
                [("kind", "toaster")], [("name", "")], [("name", "a"), ("name", "b")],
                [("name", String(repeating: "x", count: 61))], [("colour", "red")],
            ] {
                #expect(try await owner.post("/devices/1", fields).status == .unprocessableContent)
            }
            for path in ["/devices/99", "/devices/x", "/devices/99/remove"] {
                let response = try await owner.post(path, [("name", "A")])
                #expect([.notFound, .conflict].contains(response.status), "\(path)")
            }
            _ = try await owner.post("/devices/1/remove")
            #expect(house.store.household.devices.map(\.addresses) == [["192.168.1.77"]])
        }
    }

    /// As many devices as forgers make in an hour, the first the latest; one of them is named.
    private func crowd() -> [Device] {
        (1...230).map { number in
            let seen = TestHouse.evening - Double(number) * 60
            return Device(
                id: DeviceID(rawValue: Int64(number)), name: number == 120 ? "Lamp" : "Device \(number)",
                isNamed: number == 120, addresses: ["fd00::\(String(number, radix: 16))"], firstSeen: seen,
                lastSeen: seen)
        }
    }

    @Test("Fifty devices a page, the latest first; whoever saves one stays on its page")
    func pages() async throws {
        let house = try twoPeople(devices: crowd())
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let first = try await owner.get("/devices").text
            #expect(first.split(separator: "<li class=\"panel device\"").count == 51)
            #expect(first.contains("id=\"device-1\"") && !first.contains("id=\"device-51\""))
            #expect(
                first.contains("1 to 50 of 230") && first.contains("/devices?page=2\"")
                    && !first.contains("Newer"))
            let last = try await owner.get("/devices?page=5&person=2").text
            #expect(last.contains("201 to 230 of 230") && last.contains("id=\"device-230\""))
            #expect(last.contains("/devices?page=4&amp;person=2") && !last.contains("Older"))
            #expect(try await owner.get("/devices?page=99").text.contains("201 to 230 of 230"))
            for odd in ["0", "x", "-1"] {
                #expect(try await owner.get("/devices?page=\(odd)").text.contains("1 to 50 of 230"))
            }
            let saved = try await owner.post("/devices/120", [("name", "Lamp 2")])
            #expect(saved.location == "/devices?page=3&done=saved#device-120")
            let refused = try await owner.post("/devices/120", [("name", "")])
            #expect(refused.status == .unprocessableContent && refused.text.contains("id=\"device-120\""))
        }
    }

    @Test("Those that were seen once go at one press, and nobody else")
    func removesThoseSeenOnce() async throws {
        let house = try twoPeople(devices: crowd())
        try await house.visit { guest in
            #expect(try await guest.at("fd00::1").post("/devices/once-seen/remove").location == "/login")
            let owner = try guest.signedIn()
            // The first nine asked within the last ten minutes, so they may still be here.
            #expect(try await owner.get("/devices").text.contains("Remove 220 devices"))
            #expect(
                try await owner.post("/devices/once-seen/remove").location
                    == "/devices?done=removed#device-list")
            #expect(house.store.household.devices.map(\.id.rawValue) == Array(1...9) + [120])
            #expect(!(try await owner.get("/devices").text.contains("seen once")))
        }
    }

    @Test("While a strict session runs, what would loosen it is refused with the reason")
    func strict() async throws {
        let house = try twoPeople()
        try house.start(.strict)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for (path, fields) in [
                ("/devices/1", [("owner", "")]), ("/devices/1", [("owner", "2")]),
                ("/devices/1", [("kind", "medical"), ("owner", "")]), ("/devices/1", [("kind", "safety")]),
                ("/devices/1/remove", []), ("/settings/time-zone", [("timeZone", "Asia/Tokyo")]),
                ("/settings/people/1/delete", []), ("/devices/enroll", [("person", "2")]),
            ] {
                let response = try await owner.post(path, fields)
                #expect(response.status == .conflict, "\(path) \(fields)")
                #expect(response.text.contains("strict session"), "\(path)")
            }
        }
        #expect(house.store.household.devices[0].person == house.me.id)
    }
}

@Suite struct HelpRoutesTests {
    @Test("Help opens the asking device for 15 minutes, in any mode, without a login, and stands in the log")
    func helps() async throws {
        let house = try TestHouse()
        try house.start(.strict)
        try await house.visit { guest in
            #expect(try await guest.get("/help").text.contains("112"))
            #expect(try await guest.post("/help").location == "/help")
            #expect(house.store.household.devices[0].helpUntil == TestHouse.evening + 900)
            #expect(try await guest.get("/help").text.contains("20:15"))
            #expect(try await guest.at(TestHouse.stranger).post("/help").status == .conflict)
            let foreign = try await guest.with(.origin, "https://evil.example").post("/help")
            #expect(foreign.status == .forbidden)
            #expect(try await guest.get("/help").text.contains("15 minutes more"))
            // A page of an older login opens it too: only the Origin is checked.
            let old = try await guest.signedIn().post("/help", csrf: "old")
            #expect(old.location == "/help")
        }
        #expect(house.session != nil)
        #expect(try house.store.log(of: house.me.id).map(\.kind) == [.helpUsed, .helpUsed])
    }

    @Test(
        "C-34: the third press of a night opens messages a minute later, and the page says so and looks again"
    )
    func thirdPress() async throws {
        let house = try TestHouse()
        try house.start(.flexible)
        try await house.visit { guest in
            for _ in 0..<2 { _ = try await guest.post("/help") }
            let second = try await guest.get("/help").text
            #expect(second.contains("Calls, messages, maps and health are open"))
            #expect(second.contains("Help was pressed twice tonight:"))
            _ = try await guest.post("/help")
            let third = try await guest.get("/help").text
            #expect(
                third.contains("Calls, maps and health are open") && third.contains("Messengers open in <b")
                    && third.contains(">60</b> s."))
            #expect(third.contains("<meta http-equiv=\"refresh\" content=\"60\">"))
            house.clock.advance(by: 60)
            let open = try await guest.get("/help").text
            #expect(open.contains("Calls, messages, maps and health are open") && !open.contains("refresh"))
        }
        #expect(try house.store.log(of: house.me.id).count { $0.kind == .helpUsed } == 3)
    }

    @Test("Each press stands in the morning's summary, for its person alone")
    func morning() async throws {
        let house = try TestHouse(people: [
            Person(id: PersonID(rawValue: 1), name: "Me"), Person(id: PersonID(rawValue: 2), name: "Ben"),
        ])
        try await house.visit { guest in
            for _ in 0..<3 { _ = try await guest.post("/help") }
            house.clock.advance(by: 11 * 3600)
            let owner = try guest.signedIn()
            #expect(try await owner.get("/").text.contains("Last night: Help was pressed 3 times."))
            #expect(
                try await !guest.at(TestHouse.stranger).signedIn().get("/").text.contains("Help was pressed"))
        }
    }

    @Test("A household can take it away")
    func switchedOff() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/settings/help")
            #expect(!house.store.household.offersHelp)
            #expect(try await guest.get("/help").status == .notFound)
            #expect(try await guest.post("/help").status == .conflict)
            _ = try await owner.post("/settings/help", [("offersHelp", "on")])
            #expect(house.store.household.offersHelp)
        }
    }
}
