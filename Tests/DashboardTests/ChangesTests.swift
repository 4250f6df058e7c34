import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Synchronization
import Testing

/// Notices and goodbye: what the owner sees, what others see, and who may press what.
@Suite struct ChangesTests {
    private static func facts(_ house: TestHouse) -> HouseFacts {
        HouseFacts(now: house.clock.now, isClockSynchronised: false)
    }

    @Test("The owner's dashboard says it until it is put away for a day; the list goes on saying it")
    func away() async throws {
        let house = try TestHouse()
        house.store.take(Self.facts(house))
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/").text.contains("The clock is not synchronised"))
            #expect(try await owner.get("/settings").text.contains(#"href="/health""#))
            let wrong = try await owner.post("/health/away", [("notice", "clock")], csrf: "wrong")
            #expect(wrong.status == .forbidden)
            let home = try await owner.post("/health/away", [("notice", "clock"), ("from", "home")])
            #expect(home.location == "/")
            #expect(try await !owner.get("/").text.contains("not synchronised"))
            let list = try await owner.get("/health").text
            #expect(list.contains("not synchronised") && list.contains("Not on the dashboard until tomorrow"))
            #expect(try await owner.post("/health/away", [("notice", "gone")]).location == "/health")
            #expect(try await owner.post("/health/away").status == .unprocessableContent)
            house.clock.advance(by: 86_400)
            #expect(try await guest.signedIn().get("/").text.contains("not synchronised"))
        }
    }

    @Test("Status looks before it is shown; without a login it does not")
    func statusLooks() async throws {
        let looks = Mutex(0)
        let house = try TestHouse(look: { looks.withLock { $0 += 1 } })
        try await house.visit { guest in
            let without = try await guest.get("/health")
            #expect(without.status == .ok && looks.withLock { $0 } == 0)
            let with = try await guest.signedIn().get("/health")
            #expect(with.status == .ok && looks.withLock { $0 } == 1)
        }
    }

    @Test("The dashboard says two things and how many more there are")
    func more() async throws {
        let house = try TestHouse()
        var facts = Self.facts(house)
        facts.disk = .init(free: 1, total: 1_000_000_000)
        facts.refused = ["DNS on port 53: taken"]
        facts.otherServers = ["192.168.1.77"]
        house.store.take(facts)
        try await house.visit { guest in
            let home = try await guest.signedIn().get("/").text
            #expect(home.contains("port 53: taken") && home.contains("MB are free"))
            #expect(home.contains("Status: 2 more") && !home.contains("192.168.1.77"))
        }
    }

    @Test("Not during sleep, and without a login only what is about the own devices")
    func others() async throws {
        let me = PersonID(rawValue: 1)
        let old = TestHouse.evening - 86_400
        func device(_ id: Int64, _ name: String, _ person: PersonID, _ address: String, asked: Date) -> Device
        {
            Device(
                id: DeviceID(rawValue: id), name: name, kind: .phone, person: person, addresses: [address],
                firstSeen: old, lastSeen: asked)
        }
        let ada = PersonID(rawValue: 2)
        let house = try TestHouse(
            people: [Person(id: me, name: "Me"), Person(id: ada, name: "Ada")],
            devices: [
                device(1, "My phone", me, TestHouse.phone, asked: TestHouse.evening),
                device(2, "My other phone", me, "192.168.1.21", asked: old),
                device(3, "Her phone", ada, "192.168.1.22", asked: old),
            ])
        var facts = Self.facts(house)
        facts.runningSince = old
        house.store.take(facts)
        try await house.visit { guest in
            let own = try await guest.get("/health").text
            #expect(own.contains("My other phone") && !own.contains("Her phone"))
            #expect(!own.contains("synchronised") && !own.contains("/health/away"))
            #expect(try await guest.at(TestHouse.stranger).get("/health").status == .seeOther)
            #expect(try await guest.post("/health/away", [("notice", "clock")]).status == .seeOther)
            let owner = try guest.signedIn()
            let all = try await owner.get("/health").text
            #expect(all.contains("Her phone") && all.contains("synchronised"))
            try house.start()
            let asleep = try await owner.get("/").text
            #expect(asleep.contains("Sleep Mode Active") && !asleep.contains("synchronised"))
        }
    }

    @Test("Goodbye ticks off who has gone quiet, and is linked where it is looked for")
    func list() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            #expect(try await guest.get("/goodbye").status == .seeOther)
            #expect(try await guest.get("/goodbye/erase").status == .seeOther)
            let owner = try guest.signedIn()
            #expect(try await owner.get("/settings").text.contains(#"href="/goodbye""#))
            #expect(try await owner.get("/devices").text.contains(#"href="/devices/router""#))
            #expect(try await owner.get("/goodbye").text.contains("Still asks here"))
            house.clock.advance(by: 599)
            #expect(try await owner.get("/goodbye").text.contains("Still asks here"))
            house.clock.advance(by: 1)
            let quiet = try await owner.get("/goodbye").text
            #expect(!quiet.contains("Still asks here") && quiet.contains("All of them have gone quiet."))
            let router = try await owner.get("/devices/router").text
            #expect(router.contains("Before you change the router") && !router.contains("/goodbye/erase"))
        }
    }

    @Test(
        "Nothing is erased without the confirmed passcode, and never under a strict session",
        arguments: [
            ([], false, 200), ([("confirm", "erase")], false, 422),
            ([("confirm", "erase"), ("passcode", "wrong")], false, 422),
            ([("confirm", "yes"), ("passcode", TestHouse.passcode)], false, 422),
            ([("passcode", TestHouse.passcode)], false, 422),
            ([("confirm", "erase"), ("passcode", TestHouse.passcode)], true, 409),
        ] as [([(String, String)], Bool, Int)])
    func refused(fields: [(String, String)], isStrict: Bool, status: Int) async throws {
        let erased = Mutex(0)
        let house = try TestHouse(erase: { erased.withLock { $0 += 1 } })
        if isStrict { try house.start(.strict) }
        try await house.visit { guest in
            let none = try await guest.post("/goodbye/erase", fields)
            #expect(none.status == .seeOther)
            let owner = try guest.signedIn()
            #expect(try await owner.post("/goodbye/erase", fields, csrf: "wrong").status == .forbidden)
            let answer = try await owner.post("/goodbye/erase", fields)
            #expect(answer.status.code == status)
            #expect(!answer.text.contains("Everything is erased"))
            if isStrict { #expect(answer.text.contains("strict session running")) }
        }
        #expect(erased.withLock { $0 } == 0)
    }

    @Test("Guessing the passcode there is as slow as at the login")
    func slow() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for _ in 0..<3 {
                _ = try await owner.post("/goodbye/erase", [("confirm", "erase"), ("passcode", "x")])
            }
            let fourth = try await owner.post(
                "/goodbye/erase", [("confirm", "erase"), ("passcode", TestHouse.passcode)])
            #expect(fourth.status == .tooManyRequests && fourth.headers[.retryAfter] == "2")
        }
    }

    @Test("The last page names who still asks, and takes the login along")
    func farewell() async throws {
        let erased = Mutex(0)
        let house = try TestHouse(erase: { erased.withLock { $0 += 1 } })
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let last = try await owner.post(
                "/goodbye/erase", [("confirm", "erase"), ("passcode", TestHouse.passcode)])
            #expect(last.status == .ok && last.text.contains("Everything is erased"))
            #expect(last.text.contains("Still asking here: <bdi>Phone</bdi>"))
            #expect(last.setCookie?.contains("Max-Age=0") == true)
        }
        #expect(erased.withLock { $0 } == 1)
    }

    @Test("A webhook for an ntfy topic, on the page and over the API")
    func ntfy() async throws {
        let house = try TestHouse()
        let token = try house.store.createToken(name: "test", at: house.clock.now)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fields = [("url", "https://ntfy.sh/x"), ("event", "notice.raised")]
            let unknown = try await owner.post("/webhooks", fields + [("form", "<a>")])
            #expect(
                unknown.status == .unprocessableContent && unknown.text.contains("Choose what to send"))
            #expect(try await owner.post("/webhooks", fields + [("form", "ntfy")]).status == .seeOther)
            #expect(try await owner.get("/webhooks").text.contains("(ntfy): Something needs attention"))
            let program = guest.with(.authorization, "Bearer \(token)")
            let body = #"{"url":"https://ntfy.sh/y","events":["notice.cleared"],"form":"#
            #expect(
                try await program.json(.post, "/api/v1/webhooks", body + #""ntfy"}"#).object["form"]
                    as? String == "ntfy")
            #expect(
                try await program.json(.post, "/api/v1/webhooks", body + #""x"}"#).status
                    == .unprocessableContent)
        }
        #expect(house.store.webhooks.map(\.form) == [.ntfy, .ntfy])
    }
}
