import Foundation
import Testing

@testable import Policy

@Suite struct CodableTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func read<T: Decodable>(_ text: String, as: T.Type = T.self) throws -> T {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(T.self, from: Data(text.utf8))
    }

    @Test("SI-043, SI-047, SI-048, SI-210: a session is readable by name")
    func session() throws {
        let id = UUID(uuidString: "00000000-0000-0000-0000-000000000001")!
        let night = try #require(
            Nights(schedule("23:00", "06:30"), in: .utc).night(on: day("2026-11-20")))
        let made = SleepSession.recurring(
            id: id, night: night, strictness: .strict, allowed: AppSelection(apps: ["b", "a"]))
        #expect(
            try json(made) == """
                {"allowed":{"apps":["a","b"],"categories":[],"domains":[]},"endsAt":"2026-11-21T06:30:00Z",\
                "id":"\(id)","isActive":true,"mode":{"recurring":{"endHour":6,"endMinute":30,"startHour":23,\
                "startMinute":0}},"night":"2026-11-20","startedAt":"2026-11-20T23:00:00Z","strictness":"strict"}
                """)
        #expect(try read(try json(made)) == made)
        #expect(try json(ScheduleMode.manual(durationMinutes: 60)) == #"{"manual":{"durationMinutes":60}}"#)
    }

    @Test("The contract's schedule object")
    func scheduleObject() throws {
        let late = ScheduleException(days: [.sat, .fri], start: time("23:30"), end: time("09:00"))
        let made = schedule("22:00", "07:00", .strict, days: [.sun, .mon], exceptions: [late])
        #expect(
            try json(made) == """
                {"days":["mon","sun"],"end":"07:00","exceptions":[{"days":["fri","sat"],"end":"09:00",\
                "start":"23:30"}],"isEnabled":true,"start":"22:00","strictness":"strict"}
                """)
        #expect(try read(try json(made)) == made)
        let short: RecurringSchedule = try read(
            #"{"isEnabled":false,"start":"22:00","end":"07:00","strictness":"flexible"}"#)
        #expect(short == .default)
    }

    @Test(arguments: [
        #"{"isEnabled":true,"start":"25:61","end":"07:00","strictness":"strict"}"#,
        #"{"isEnabled":true,"start":"22:00","end":"7:00","strictness":"strict"}"#,
        #"{"isEnabled":true,"start":"22:00","end":"07:00","strictness":"Strict"}"#,
        #"{"isEnabled":true,"start":"22:00","end":"07:00","strictness":"strict","days":["Monday"]}"#,
        #"{"isEnabled":"yes","start":"22:00","end":"07:00","strictness":"strict"}"#,
        #"{"start":"22:00","end":"07:00","strictness":"strict"}"#,
    ])
    func aScheduleThatIsNoneIsRefused(_ text: String) {
        #expect(throws: DecodingError.self) { try read(text, as: RecurringSchedule.self) }
    }

    @Test func aSelectionMayLeaveListsOut() throws {
        #expect(try read(#"{"apps":["a"]}"#, as: AppSelection.self) == AppSelection(apps: ["a"]))
        #expect(try read("{}", as: AppSelection.self).isEmpty)
    }
}
