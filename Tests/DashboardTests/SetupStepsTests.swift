import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@testable import Dashboard

/// The guided way behind the passcode: people, a phone, a bedtime, two minutes of it.
@Suite struct SetupStepsTests {
    private static let iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Mobile/15E148"

    /// A household in the middle of set-up, with no device.
    private func house(at step: SetupStep? = .people, devices: [Device] = []) throws -> TestHouse {
        let house = try TestHouse(
            people: [
                Person(id: PersonID(rawValue: 1), name: "Me", allowed: TestHouse.starting),
                Person(id: PersonID(rawValue: 2), name: "Mia", role: .child),
            ], devices: devices)
        try house.store.change { $0.setupStep = step }
        return house
    }

    @Test("Each step can be skipped, goes back, and is found again by /setup and by a login")
    func walks() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for (step, next) in [
                ("people", "/setup/device"), ("device", "/setup/bedtime"), ("bedtime", "/setup/try"),
                ("try", "/"),
            ] {
                #expect(try await owner.get("/setup").location == "/setup/\(step)")
                let page = try await owner.get("/setup/\(step)").text
                #expect(page.contains("aria-current=\"step\""))
                #expect(try await owner.post("/setup/next", [("step", step)]).location == next)
            }
            #expect(try await owner.get("/setup").location == "/")
            #expect(try await !owner.get("/setup/people").text.contains("aria-current=\"step\""))
            #expect(try await owner.post("/setup/next", [("step", "house")]).status == .unprocessableContent)
            #expect(try await guest.get("/setup/people").location?.hasPrefix("/login") == true)
        }
    }

    @Test("Somebody who left comes back to the step where they were, also behind an earlier one")
    func goesOn() async throws {
        let house = try house(at: .bedtime)
        try await house.visit { guest in
            let right = [("passcode", TestHouse.passcode)]
            #expect(try await guest.post("/login", right).location == "/setup/bedtime")
            let owner = try guest.signedIn()
            #expect(try await owner.post("/setup/next", [("step", "people")]).location == "/setup/device")
            #expect(try await owner.get("/setup").location == "/setup/bedtime")
            #expect(try await owner.get("/setup/begin").location == "/setup/device")
        }
    }

    @Test("Finish later leads home, which leads back until Done; from then on a log-in leads home too")
    func finishesLater() async throws {
        let house = try house(at: .bedtime)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let right = [("passcode", TestHouse.passcode)]
            #expect(try await owner.get("/setup/bedtime").text.contains("formaction=\"/setup/later\""))
            let later = try await owner.post("/setup/later", [("step", "bedtime")])
            #expect(later.location == "/")
            #expect(house.store.household.setupStep == .bedtime)
            #expect(try await guest.post("/login", right).location == "/")
            let home = try await owner.get("/").text
            #expect(home.contains("Set-up is not finished.") && home.contains("href=\"/setup/bedtime"))
            #expect(try await owner.get("/setup").location == "/setup/bedtime", "the way goes on")
            #expect(try await owner.post("/setup/end").location == "/?done=set-up")
            #expect(house.store.household.setupStep == nil)
            #expect(try await !owner.get("/").text.contains("Set-up is not finished."))
            #expect(try await guest.post("/setup/end").location?.hasPrefix("/login") == true)
        }
    }

    @Test("Pages that set-up leads away to lead back there, also after saving")
    func leadsBack() async throws {
        let house = try house(at: .bedtime)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let steps = try await owner.get("/setup/bedtime").text
            #expect(steps.contains("name=\"then\" value=\"2\""))
            // A child is proposed an earlier bedtime.
            #expect(steps.contains("name=\"start-1\" value=\"22:00\""))
            #expect(steps.contains("name=\"start-2\" value=\"20:30\""))
            let open = [("on-1", "on"), ("start-1", "22:00"), ("end-1", "07:00"), ("then", "2")]
            let left = try await owner.post("/setup/bedtime", open + [("begin", "tomorrow")])
            #expect(left.location == "/allowed-apps?person=2&from=setup")
            #expect(
                house.store.household.people.map { $0.schedule?.isEnabled } == [true, nil], "saved on the way"
            )
            for path in ["/schedule?person=2&from=setup", "/allowed-apps?person=2&from=setup"] {
                let page = try await owner.get(path).text
                #expect(page.contains("href=\"/setup/bedtime?person=2\"") && page.contains("Back to set-up"))
                #expect(page.contains("name=\"back\" value=\"setup\""))
            }
            #expect(try await !owner.get("/schedule?person=2").text.contains("Back to set-up"))
            let times = [
                ("person", "2"), ("back", "setup"), ("isEnabled", "on"), ("strictness", "flexible"),
                ("start", "23:30"), ("end", "07:00"),
            ]
            #expect(try await owner.post("/schedule", times).location == "/setup/bedtime?person=2&done=saved")
            let refused = try await owner.post("/schedule", times.dropLast() + [("end", "23:30")])
            #expect(refused.text.contains("Back to set-up"))
            let set = [("person", "2"), ("back", "setup"), ("set", "on-call")]
            let added = try await owner.post("/allowed-apps/set", set).location
            #expect(added == "/allowed-apps?person=2&from=setup&done=saved")
        }
    }

    @Test("Open all night is a list for each person, and one for those who have the same")
    func opensAllNight() async throws {
        let house = try house(at: .bedtime)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let page = try await owner.get("/setup/bedtime").text
            #expect(page.contains("Open all night for <bdi>Me</bdi>"))
            #expect(page.contains("Open all night for <bdi>Mia</bdi>"), "Mia has none")
            try house.store.change { $0.people[1].allowed = $0.people[0].allowed }
            let same = try await owner.get("/setup/bedtime").text
            #expect(same.contains("Open all night for <bdi>Me and Mia</bdi>"))
            #expect(same.contains("Change for <bdi>Mia</bdi>"))
            try house.store.change { $0.people.removeLast() }
            let alone = try await owner.get("/setup/bedtime").text
            #expect(alone.contains(">Open all night</h2>") && alone.contains("Change what stays open"))
        }
    }

    @Test("The question about bedtimes names all whose apps would rest, and until when")
    func questionNamesEveryone() async throws {
        let house = try house(at: .bedtime)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let mine = [("on-1", "on"), ("start-1", "00:00"), ("end-1", "23:59")]
            func hers(_ end: String) -> [(String, String)] {
                [("on-2", "on"), ("start-2", "00:00"), ("end-2", end)]
            }
            let one = try await owner.post("/setup/bedtime", hers("23:59")).text
            #expect(one.contains("aria-current=\"step\""), "it is a part of the step")
            #expect(!one.contains("aria-label=\"Whose rules\""), "it is about nobody in particular")
            #expect(one.contains("until 23:59 for <b><bdi>Mia</bdi></b>."))
            let all = try await owner.post("/setup/bedtime", mine + hers("23:59")).text
            #expect(all.contains("until 23:59 for <b><bdi>Me and Mia</bdi></b>."))
            let each = try await owner.post("/setup/bedtime", mine + hers("23:58")).text
            #expect(
                each.contains(
                    "until 23:58 for <b><bdi>Mia</bdi></b>, until 23:59 for <b><bdi>Me</bdi></b>."))
            #expect(each.contains("name=\"end-2\" value=\"23:58\""), "the answer sends everything again")
            let back = try await owner.post("/setup/bedtime", mine + hers("23:58") + [("begin", "back")])
            #expect(back.status == .ok && back.text.contains("value=\"23:58\""))
            #expect(house.store.household.people.allSatisfy { $0.session == nil && $0.schedule == nil })
        }
    }

    @Test("One form saves every name, adds people and leads on; nothing that was typed is lost")
    func people() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let names = [("name-1", "Anna"), ("role-1", "adult"), ("name-2", "Mia"), ("role-2", "child")]
            let leo = [("new", "Leo"), ("add", "child")]
            let added = try await owner.post("/setup/people", names + leo)
            #expect(added.location == "/setup/people?done=added")
            #expect(house.store.household.people.map(\.name) == ["Anna", "Mia", "Leo"])
            #expect(house.store.household.people[2].role == .child)

            let three = [("name-1", "Me"), ("name-2", "Mia"), ("name-3", "Leo")]
            let refused = try await owner.post("/setup/people", three + leo)
            #expect(refused.status == .unprocessableContent && refused.text.contains("Who sleeps here?"))
            #expect(refused.text.contains("value=\"Leo\"") && refused.text.contains("value=\"Me\""))
            #expect(house.store.household.people.map(\.name) == ["Anna", "Mia", "Leo"], "all or nothing")

            let unsaid = try await owner.post("/setup/people", three + [("new", "Tom")])
            #expect(
                unsaid.status == .unprocessableContent && unsaid.text.contains("Press Add child or Add adult")
            )
            #expect(unsaid.text.contains("value=\"Tom\""))
            let nameless = try await owner.post("/setup/people", [("new", ""), ("add", "child")])
            #expect(nameless.status == .unprocessableContent)

            let on = try await owner.post("/setup/people", three + [("role-3", "adult"), ("new", "")])
            #expect(on.location == "/setup/device")
            #expect(house.store.household.people.map(\.name) == ["Me", "Mia", "Leo"])
            #expect(house.store.household.people[2].role == .adult)
            #expect(house.store.household.setupStep == .device)
        }
    }

    @Test("One form saves every bedtime and leads on; nothing that was typed is lost")
    func bedtime() async throws {
        let house = try house(at: .bedtime)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let page = try await owner.get("/setup/bedtime").text
            #expect(page.contains("name=\"on-2\" value=\"on\" checked") && page.contains("Alarms"))
            let mine = [("on-1", "on"), ("start-1", "23:00"), ("end-1", "06:45")]
            let same = [("on-2", "on"), ("start-2", "21:00"), ("end-2", "21:00")]
            let wrong = try await owner.post("/setup/bedtime", mine + same)
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("When is bedtime?"))
            #expect(wrong.text.contains("value=\"06:45\"") && wrong.text.contains("id=\"end-error-2\""))
            #expect(house.store.household.people.allSatisfy { $0.schedule == nil }, "all or nothing")
            let night = [("start-2", "21:00"), ("end-2", "06:30"), ("begin", "tomorrow")]
            let both = try await owner.post("/setup/bedtime", mine + [("on-2", "on")] + night)
            #expect(both.location == "/setup/try")
            #expect(house.store.household.people.map { $0.schedule?.end.description } == ["06:45", "06:30"])
            #expect(house.store.household.setupStep == .look)

            let exception = ScheduleException(
                days: [.sat], start: TimeOfDay(hour: 23, minute: 0), end: TimeOfDay(hour: 8, minute: 0))
            try house.store.change { $0.people[1].schedule?.exceptions = [exception] }
            _ = try await owner.post("/setup/bedtime", [("start-1", "?")] + [("on-2", "on")] + night)
            #expect(house.store.household.people[0].schedule?.isEnabled == false)
            #expect(house.store.household.people[1].schedule?.exceptions == [exception], "weekends stay")
        }
    }

    @Test("The phone that opened the code says whose it is with one tap, and is called after them")
    func invitation() async throws {
        let house = try house(at: .device)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/setup/device").text.contains("class=\"qr-code\""))
            let key = house.site.invitations.key(at: house.clock.now)
            let phone = guest.at("192.168.1.77").with(.userAgent, Self.iPhone)
            let page = try await phone.get("/setup/device?key=\(key)").text
            #expect(page.contains("Whose phone is this?") && page.contains("Mia"))
            #expect(try await !phone.get("/setup/device").text.contains("Mia"), "names are for the invited")
            let fields = [("person", "2"), ("key", key), ("from", "setup")]
            let taken = try await phone.post("/devices/enroll", fields)
            #expect(taken.location == "/setup/device?done=enrolled")
            let device = try #require(house.store.household.devices.first)
            #expect(device.person == PersonID(rawValue: 2) && device.isConfirmed)
            #expect(device.name == "Mia’s phone" && device.kind == .phone)
            #expect(try await owner.get("/setup/device").text.contains("One step is left on it: its DNS."))
            try house.store.change { $0.devices[0].lastSeen = house.clock.now }
            let told = try await owner.get("/setup/device").text
            #expect(told.contains("<bdi>Mia’s phone</bdi> just arrived."))
            let other = try await phone.post("/devices/enroll", [("person", "1"), ("key", key)])
            #expect(other.status == .conflict, "an invitation takes no device away")
            let new = guest.at("192.168.1.78").with(.userAgent, Self.iPhone)
            let second = try await new.post("/devices/enroll", [("person", "1"), ("key", key)])
            #expect(second.location?.hasPrefix("/login") == true, "a key works for one device")
            #expect(house.store.household.devices.count == 1)
            let stale = try await new.get("/setup/device?key=\(key)").text
            #expect(stale.contains("This code was used already") && !stale.contains("Mia"))
            #expect(try await phone.get("/setup/device?key=\(key)").text.contains("This is the device of"))
            let next = house.site.invitations.key(at: house.clock.now)
            #expect(next != key, "the laptop shows another")
            #expect(try await new.get("/setup/device?key=\(next)").text.contains("Whose phone is this?"))
            let fresh = [("person", "1"), ("key", next)]
            #expect(try await new.post("/devices/enroll", fresh).location == "/setup/device?done=enrolled")
            #expect(
                try await new.post("/devices/enroll", fresh).status == .seeOther, "again, on the same phone")
            let adults = try #require(house.store.household.devices.last)
            #expect(adults.person == PersonID(rawValue: 1) && !adults.isConfirmed, "until the passcode")
            #expect(try await owner.get("/setup/device").text.contains("value=\"1\">Yes<"))
        }
    }

    @Test("Without the code no device gets a Yes for an adult; a device is called after its last owner")
    func claimWithoutCode() async throws {
        let house = try house(at: .device)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await guest.at("192.168.1.77").post("/devices/enroll").status == .seeOther)
            let page = try await owner.get("/setup/device").text
            #expect(page.contains("Whose is it?") && !page.contains(">Yes<"))
            let id = try #require(house.store.household.devices.first).id
            try house.store.change {
                try $0.enroll(id, for: PersonID(rawValue: 1))
                $0.nameAfterOwner(id)
            }
            let fields = [("device", "\(id.rawValue)"), ("person", "2"), ("from", "setup")]
            _ = try await owner.post("/devices/enroll", fields)
            #expect(house.store.household.devices[0].name == "Mia’s device")
        }
    }

    @Test("An invitation ends after an hour, and nobody makes one")
    func invitationEnds() async throws {
        let house = try house(at: .device)
        try await house.visit { guest in
            let key = house.site.invitations.key(at: house.clock.now)
            let phone = guest.at("192.168.1.77")
            for forged in ["", String(key.dropLast()), key + "0", "a.b.c"] {
                let fields = [("person", "2"), ("key", forged)]
                let refused = try await phone.post("/devices/enroll", fields)
                #expect(refused.location?.hasPrefix("/login") == true)
            }
            let named = [("person", "2"), ("key", key), ("device", "1")]
            let namedReply = try await phone.post("/devices/enroll", named)
            #expect(namedReply.location?.hasPrefix("/login") == true)
            house.clock.advance(by: 3600)
            let late = [("person", "2"), ("key", key)]
            let lateReply = try await phone.post("/devices/enroll", late)
            #expect(lateReply.location?.hasPrefix("/login") == true)
            #expect(house.store.household.devices.isEmpty)
        }
    }

    @Test("A device that asks while nobody said whose it is gets its person with one tap")
    func arrivals() async throws {
        let stranger = Device(
            id: DeviceID(rawValue: 9), name: "Device 9", isNamed: false, addresses: ["192.168.1.77"],
            firstSeen: TestHouse.evening - 60, lastSeen: TestHouse.evening - 5)
        let house = try house(at: .device, devices: [stranger])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let page = try await owner.get("/setup/device").text
            #expect(page.contains("A new device just arrived: <bdi>Device 9</bdi>."))
            let fields = [("device", "9"), ("person", "2"), ("from", "setup")]
            let given = try await owner.post("/devices/enroll", fields)
            #expect(given.location == "/setup/device?done=saved")
            #expect(house.store.household.devices[0].name == "Mia’s device")
            house.clock.advance(by: 2 * 3600)
            #expect(try await !owner.get("/setup/device").text.contains("just arrived"))
        }
    }

    @Test("An open page about two minutes is drawn again when they end")
    func looksAgain() async throws {
        let house = try house(at: .look)
        let end = house.clock.now.addingTimeInterval(120)
        let device = Device(
            id: DeviceID(rawValue: 9), name: "Mia’s phone", person: PersonID(rawValue: 2),
            addresses: ["192.168.1.77"], firstSeen: TestHouse.evening, lastSeen: TestHouse.evening,
            tryUntil: end)
        try house.store.change { $0.devices = [device] }
        try await house.visit { guest in
            let (owner, phone) = (try guest.signedIn(), guest.at("192.168.1.77"))
            let old = "data-tomorrow=\"\(end.instantText)\""
            for page in [try await owner.get("/setup/try").text, try await phone.get("/check/try").text] {
                #expect(page.contains(old))
            }
            house.clock.advance(by: 120)
            let ended = try await owner.get("/setup/try").text
            #expect(
                !ended.contains(old) && ended.contains("See it<span")
                    && ended.contains("data-fresh=\"tries\""))
        }
    }

    @Test("Two minutes on another device are for somebody with the passcode")
    func looks() async throws {
        let phone = Device(
            id: DeviceID(rawValue: 9), name: "Mia’s phone", person: PersonID(rawValue: 2),
            addresses: ["192.168.1.77"], firstSeen: TestHouse.evening, lastSeen: TestHouse.evening)
        let house = try house(at: .look, devices: [phone])
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let other = [("device", "9")]
            #expect(try await guest.post("/check/try", other).location?.hasPrefix("/login") == true)
            #expect(try await owner.post("/check/try", other, csrf: "wrong").status == .forbidden)
            #expect(try await owner.post("/check/try", other).location == "/setup/try")
            #expect(house.store.household.devices[0].tryUntil == TestHouse.evening + 120)
            #expect(try await owner.get("/setup/try").text.contains("Rests until 20:02"))
            #expect(try await guest.post("/check/try/end", other).location?.hasPrefix("/login") == true)
            _ = try await owner.post("/check/try/end", other)
            #expect(house.store.household.devices[0].tryUntil == nil)
        }
    }
}
