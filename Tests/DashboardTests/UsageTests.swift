import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct UsageTests {
    private let me = PersonID(rawValue: 1)
    private let ana = PersonID(rawValue: 2)
    private let today = CivilDate(year: 2026, month: 11, day: 20)

    /// TikTok from 19:00 to 19:30 in Berlin, and WhatsApp in the same half hour.
    private func record(_ house: TestHouse, of person: PersonID) throws {
        let hour = Int(TestHouse.evening.timeIntervalSince1970) / 3600 - 1
        var batch = UsageBatch()
        for app in ["tiktok", "whatsapp"] {
            batch.hours.append(
                HourMask(
                    person: person, device: DeviceID(rawValue: 1), app: app, hour: hour, source: .dns,
                    minutes: (1 << 30) - 1))
            batch.days.append(UsageDay(person: person, date: today, app: app, minutes: 30, source: .dns))
        }
        batch.days.append(UsageDay(person: person, date: today, app: nil, minutes: 30, source: .dns))
        batch.attempts = [UsageAttempts(person: person, date: today, app: "tiktok", count: 7)]
        try house.store.recordUsage(batch)
    }

    private func couple(role: Person.Role) throws -> TestHouse {
        let house = try TestHouse(
            people: [Person(id: me, name: "Me"), Person(id: ana, name: "Ana", role: role)])
        try record(house, of: ana)
        return house
    }

    @Test("Two apps in the same half hour are half an hour, by hour and by day")
    func page() async throws {
        let house = try TestHouse()
        try record(house, of: me)
        try await house.visit { guest in
            let text = try await guest.signedIn().get("/usage").text
            #expect(text.contains("Today, Fri 20 Nov") && text.contains("<b>30m</b>"))
            #expect(text.contains("Most between 19:00 and 20:00."))
            #expect(text.contains("7 blocked attempts"))
            let one = try await guest.signedIn().get("/usage?app=whatsapp&date=2026-11-20").text
            #expect(one.contains("<bdi>WhatsApp</bdi>") && !one.contains("7 blocked attempts"))
            let before = try await guest.signedIn().get("/usage?date=2026-11-19").text
            #expect(before.contains("No app was used on this day"))
            // Today replaces any date outside the four weeks.
            for date in ["2026-11-21", "2020-01-01", "x"] {
                #expect(try await guest.signedIn().get("/usage?date=\(date)").text.contains("<b>30m</b>"))
            }
        }
    }

    @Test("Apps one after the other on one device: headline, chart and table are one sum")
    func oneSum() async throws {
        let house = try TestHouse()
        let hour = Int(TestHouse.evening.timeIntervalSince1970) / 3600 - 1
        var batch = UsageBatch()
        for (app, minutes) in [("tiktok", 0..<18), ("whatsapp", 12..<24), ("youtube", 19..<35)] {
            batch.hours.append(
                HourMask(
                    person: me, device: DeviceID(rawValue: 1), app: app, hour: hour, source: .dns,
                    minutes: HourMask.bits(of: minutes, in: 0)))
        }
        try house.store.recordUsage(batch)
        let token = try house.store.createToken(name: "t", at: house.clock.now)
        try await house.visit { guest in
            let text = try await guest.signedIn().get("/usage").text
            #expect(text.contains("<b>35m</b>"), "the headline")
            #expect(text.contains("Minutes by hour, Friday, 20 November: 35m. Most between 19:00 and 20:00."))
            let day = try await guest.with(.authorization, "Bearer \(token)").get("/api/v1/usage").object
            #expect(day["minutes"] as? Int == 35 && (day["hours"] as? [Int])?[19] == 35)
            let apps = try #require(day["apps"] as? [[String: Any]])
            #expect(apps.map { $0["minutes"] as? Int } == [18, 16, 12])
        }
    }

    @Test("An adult's usage is seen on that adult's devices only; a child's by whoever holds the passcode")
    func privacy() async throws {
        for (role, isOpen) in [(Person.Role.adult, false), (.child, true)] {
            let house = try couple(role: role)
            let token = try house.store.createToken(name: "t", at: house.clock.now)
            try await house.visit { guest in
                let owner = try guest.signedIn()
                #expect(try await owner.get("/usage?person=2").status == (isOpen ? .ok : .forbidden))
                #expect(
                    try await owner.get("/widget?person=2").text.contains("Only Ana") == !isOpen)
                let program = guest.at(TestHouse.stranger).with(.authorization, "Bearer \(token)")
                let answer = try await program.get("/api/v1/usage?person=2")
                #expect(answer.status == (isOpen ? .ok : .forbidden))
            }
            try house.store.change { $0.devices[0].person = ana }
            try await house.visit { guest in
                #expect(
                    try await guest.get("/usage").text.contains("<b>30m</b>"), "Ana's own phone, no login")
                let other = try await guest.get("/usage?person=1")
                #expect(other.location?.hasPrefix("/login") == true)
            }
        }
    }

    @Test("Programs read a day; what is no day of the four weeks is refused beside its name")
    func api() async throws {
        let house = try TestHouse()
        try record(house, of: me)
        let token = try house.store.createToken(name: "t", at: house.clock.now)
        try await house.visit { guest in
            let program = guest.with(.authorization, "Bearer \(token)")
            let day = try await program.get("/api/v1/usage").object
            #expect(day["date"] as? String == "2026-11-20" && day["minutes"] as? Int == 30)
            #expect((day["hours"] as? [Int])?[19] == 30 && (day["hours"] as? [Int])?.reduce(0, +) == 30)
            let apps = try #require(day["apps"] as? [[String: Any]])
            #expect(apps.map { $0["app"] as? String } == ["tiktok", "whatsapp"])
            #expect(apps[0]["attempts"] as? Int == 7 && apps[0]["source"] as? String == "dns")
            for date in ["2026-11-21", "2026-02-30", ""] {
                let refused = try await program.get("/api/v1/usage?date=\(date)")
                #expect(refused.status == .unprocessableContent)
                #expect((refused.object["errors"] as? [String: String])?["date"] != nil)
            }
        }
    }

    @Test("The log counts what bent the rules, and what kept them")
    func bends() async throws {
        let house = try TestHouse()
        try house.store.change { _, log in
            for kind in [LogEntry.Kind.unlocked, .unlocked, .suggestionTaken] {
                log.append(LogEntry(kind, person: me, at: house.clock.now))
            }
            log.append(LogEntry(.unlocked, person: me, at: house.clock.now - 40 * 86_400))
        }
        try await house.visit { guest in
            let text = try await guest.signedIn().get("/usage").text
            #expect(text.contains("<span>Unlocked for 1 minute</span> <b>2</b>"))
            #expect(text.contains("<span>“I&#39;ll do it” instead</span> <b>1</b>"))
            #expect(!text.contains("Emergency resets"))
        }
    }

    @Test("The widget shows today's use, with limits and without, without a login on the person's own device")
    func widget() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let unused = try await guest.get("/widget").text
            #expect(unused.contains("<p class=\"corner-total\">0m</p>"))
        }
        try record(house, of: me)
        try await house.visit { guest in
            let unlimited = try await guest.get("/widget").text
            #expect(unlimited.contains("<p class=\"corner-total\">30m</p>"), "two apps in the same half hour")
            #expect(unlimited.contains("WhatsApp") && unlimited.contains("<b>30m</b>"))
        }
        try house.store.change { household in
            household.people[0].limits.list = [
                UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)
            ]
        }
        house.use([.app("tiktok"): TargetUse(day: 12, week: 12)])
        try await house.visit { guest in
            let text = try await guest.get("/widget").text
            #expect(text.contains("TikTok") && text.contains("<b data-used-text>12</b> of 30 min"))
            let stranger = try await guest.at(TestHouse.stranger).get("/widget")
            #expect(stranger.location?.hasPrefix("/login") == true)
        }
    }
}
