import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Pages
import Policy
import Store
import Testing

@Suite struct WindDownRoutesTests {
    private static let nightly = RecurringSchedule(
        isEnabled: true, start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 6, minute: 30),
        strictness: .flexible)

    /// It is 20:00, or `seconds` later.
    private func house(_ seconds: Double = 0) throws -> TestHouse {
        let house = try TestHouse(people: [
            Person(id: PersonID(rawValue: 1), name: "Me", schedule: Self.nightly)
        ])
        house.clock.advance(by: seconds)
        return house
    }

    @Test(
        "Every page counts down the last 15 minutes, the kiosk without a login too",
        arguments: [
            "/", "/kiosk", "/schedule", "/limits", "/anti-rot", "/focus", "/allowed-apps",
        ])
    func pages(_ path: String) async throws {
        let house = try house(7200 - 850)
        try await house.visit { guest in
            let page = try await guest.signedIn().get(path).text
            #expect(page.contains(">Bedtime in 15 min<"), "\(path)")
            guard path == "/kiosk" else { return }
            #expect(try await guest.get(path).text.contains(">Bedtime in 15 min<"))
        }
        try await self.house(7200 - 901).visit { guest in
            let page = try await guest.signedIn().get(path).text
            #expect(!page.contains("Bedtime in"))
        }
    }

    @Test("State tells the coming bedtime, and none while asleep", arguments: [true, false])
    func state(_ isSignedIn: Bool) throws {
        let house = try house()
        let audience = Audience(person: PersonID(rawValue: 1), isSignedIn: isSignedIn)
        func bedtime() throws -> String? {
            var household = house.store.household
            _ = household.settle(at: house.clock.now, newID: UUID.init)
            let snapshot = Snapshot(
                revision: 1, instant: house.clock.now, household: household, catalog: TestHouse.catalog,
                verdicts: household.evaluate(at: house.clock.now))
            let text = StateText(snapshot, at: house.clock.now).state(of: audience)
            let object = try JSONSerialization.jsonObject(with: Data(text?.bytes ?? []))
            return (object as? [String: Any])?["bedtimeAt"] as? String
        }
        #expect(try bedtime() == "2026-11-20T21:00:00Z")
        house.clock.advance(by: 7200)
        #expect(try bedtime() == nil)
    }

    @Test("Asleep since and until")
    func asleep() async throws {
        let house = try house(3 * 3600)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/").text.contains("Asleep since 22:00, until 06:30."))
            #expect(try await owner.get("/kiosk").text.contains("Asleep since 22:00, until <b>06:30</b>"))
        }
    }

    @Test("In the morning one line about the night, once for each browser")
    func morning() async throws {
        let house = try house()
        house.clock.advance(by: 3 * 3600)
        try house.store.change { household, log in
            household.settle(at: house.clock.now, log: &log, newID: UUID.init)
        }
        house.clock.advance(by: 8 * 3600)
        try house.store.change { household, log in
            household.settle(at: house.clock.now, log: &log, newID: UUID.init)
        }
        try await house.visit { guest in
            let line = "Last night: 22:00 to 06:30, kept."
            let owner = try guest.signedIn()
            let greeted = try await owner.get("/").text
            #expect(greeted.contains("<b>Good morning.</b> 8 h 30 min of quiet.") && !greeted.contains(line))
            house.clock.advance(by: 1.5 * 3600)
            let first = try await owner.get("/")
            #expect(!first.text.contains("Good morning"), "two hours later")
            #expect(first.text.contains(line))
            let set = try #require(first.setCookie)
            #expect(set.hasPrefix("si-night-1=") && set.contains("HttpOnly") && set.contains("SameSite=Lax"))
            var again = owner
            again.cookie = "\(owner.cookie ?? ""); \(set.prefix { $0 != ";" })"
            #expect(try await !again.get("/").text.contains(line))
            let other = try await owner.get("/").text
            #expect(other.contains(line), "another browser")
            house.clock.advance(by: 3.5 * 3600)
            #expect(try await !owner.get("/").text.contains("Last night"))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var night: [Past] = []
        var now = "2026-11-21T07:00:00Z"
        let text: String?
        var testDescription: String { name }
    }

    struct Past: Sendable {
        var isNight = true
        let start: String
        let end: String
        var outcome = PastSession.Outcome.ended
        var ended: String?
    }

    private static let kept = Past(start: "2026-11-20T21:00:00Z", end: "2026-11-21T05:30:00Z")

    @Test(
        "Which night, and what became of it (Berlin)",
        arguments: [
            Row(name: "none", text: nil),
            Row(name: "kept", night: [kept], text: "Last night: 22:00 to 06:30, kept."),
            Row(name: "at noon no more", night: [kept], now: "2026-11-21T11:00:00Z", text: nil),
            Row(name: "before 04:00 not yet", night: [kept], now: "2026-11-21T02:59:59Z", text: nil),
            Row(name: "not the one before", night: [kept], now: "2026-11-22T07:00:00Z", text: nil),
            Row(
                name: "cancelled",
                night: [
                    Past(
                        start: "2026-11-20T21:00:00Z", end: "2026-11-21T05:30:00Z", outcome: .cancelled,
                        ended: "2026-11-20T22:10:30Z")
                ], text: "Last night: 22:00 to 23:10, cancelled."),
            Row(
                name: "reset after midnight",
                night: [
                    Past(
                        start: "2026-11-20T21:00:00Z", end: "2026-11-21T05:30:00Z", outcome: .reset,
                        ended: "2026-11-21T00:15:00Z")
                ], text: "Last night: 22:00 to 01:15, reset."),
            Row(
                name: "a bedtime after midnight",
                night: [Past(start: "2026-11-21T00:30:00Z", end: "2026-11-21T06:00:00Z")],
                text: "Last night: 01:30 to 07:00, kept."),
            Row(
                name: "by hand",
                night: [
                    Past(isNight: false, start: "2026-11-20T19:45:00Z", end: "2026-11-21T05:30:00Z")
                ], text: "Last night: 20:45 to 06:30, kept."),
            Row(
                name: "a nap is none",
                night: [
                    Past(isNight: false, start: "2026-11-20T19:00:00Z", end: "2026-11-20T20:00:00Z")
                ], text: nil),
            Row(
                name: "the schedule's own before one by hand",
                night: [
                    Past(
                        isNight: false, start: "2026-11-20T19:00:00Z", end: "2026-11-21T05:30:00Z",
                        outcome: .cancelled, ended: "2026-11-20T22:00:00Z"),
                    kept,
                ], text: "Last night: 22:00 to 06:30, kept."),
            Row(
                name: "taken back at once",
                night: [
                    Past(
                        isNight: false, start: "2026-11-20T19:00:00Z", end: "2026-11-21T05:30:00Z",
                        outcome: .cancelled, ended: "2026-11-20T19:00:07Z")
                ], text: nil),
            Row(
                name: "the clock goes back",
                night: [
                    Past(start: "2026-10-24T20:00:00Z", end: "2026-10-25T05:30:00Z")
                ], now: "2026-10-25T06:00:00Z", text: "Last night: 22:00 to 06:30, kept."),
        ])
    func lastNight(_ row: Row) throws {
        let house = try TestHouse()
        for past in row.night { try Self.sleep(past, in: house) }
        let sessions = try house.store.pastSessions(of: house.me.id)
        #expect(sessions.count == row.night.count)
        let clock = ClockFace(zone: TimeZone(identifier: "Europe/Berlin")!)
        let told = LastNight(sessions, of: house.me, at: Self.at(row.now), clock)
        #expect(told?.text == row.text)
        let helped = LastNight(sessions, of: house.me, helps: 1, at: Self.at(row.now), clock)
        if let text = row.text { #expect(helped?.text == "\(text) Help was pressed once.") }
        #expect(told == nil || helped?.key != told?.key, "told once more")
    }

    @Test("The calendar of nights counts those by hand too, and no naps")
    func calendar() throws {
        let house = try TestHouse()
        let past = [
            Self.kept,
            Past(isNight: false, start: "2026-11-18T19:45:00Z", end: "2026-11-19T05:30:00Z"),
            Past(isNight: false, start: "2026-11-19T01:30:00Z", end: "2026-11-19T06:00:00Z", outcome: .reset),
            Past(isNight: false, start: "2026-11-17T19:00:00Z", end: "2026-11-17T20:00:00Z"),
            Past(isNight: false, start: "2026-11-16T10:30:00Z", end: "2026-11-16T18:30:00Z"),
            Past(
                isNight: false, start: "2026-11-16T19:00:00Z", end: "2026-11-17T05:30:00Z",
                outcome: .cancelled,
                ended: "2026-11-16T19:00:07Z"),
        ]
        for one in past { try Self.sleep(one, in: house) }
        let nights = NightsCalendar(
            try house.store.pastSessions(of: house.me.id), in: house.store.household.zone,
            today: CivilDate(year: 2026, month: 11, day: 21))
        #expect(nights.sentence == "2 nights kept, 0 cancelled, 1 reset.")
    }

    private static func at(_ text: String) -> Date { try! Date(text, strategy: .iso8601) }

    /// Stores a past session as the server does: it leaves its person, and a line of the log says how it ended.
    private static func sleep(_ past: Past, in house: TestHouse) throws {
        try house.store.change { household in
            household.people[0].session = SleepSession(
                id: UUID(), mode: .manual(durationMinutes: 60), strictness: .flexible,
                startedAt: at(past.start), endsAt: at(past.end), allowed: AppSelection(),
                night: past.isNight ? CivilDate(year: 2026, month: 11, day: 20) : nil)
        }
        try house.store.change { household, log in
            household.people[0].session = nil
            let kinds: [PastSession.Outcome: LogEntry.Kind] = [
                .cancelled: .sessionCancelled, .reset: .sessionReset,
            ]
            log.append(
                LogEntry(
                    kinds[past.outcome] ?? .sessionEnded, person: household.people[0].id,
                    at: at(past.ended ?? past.end)))
        }
    }
}
