import Foundation
import Testing

@testable import Policy

@Suite("Values that no rule makes are taken out of what is read") struct ImpossibleValuesTests {
    @Test("Numbers whose sums would overflow") func numbers() {
        let night = CivilDate(year: 2026, month: 11, day: 21)
        let target = LimitTarget.app("tiktok")
        var person = Person(id: PersonID(rawValue: 1), name: "Me")
        person.helpPresses = HelpPresses(night: night, count: .max)
        person.limits.unlocks = Limits.DayCount(day: night, count: .max)
        person.limits.extraTime = [.max, 15, 0, .min].map {
            ExtraTime(target: target, day: night, minutes: $0)
        }
        for past in [-1, 16, .min] {
            person.limits.extraTime.append(ExtraTime(target: target, day: night, minutes: 15, past: past))
        }
        let read = person.withoutImpossible
        #expect(read.helpPresses == nil)
        #expect(read.limits.unlocks?.count == 1_000_000)
        #expect(read.limits.extraTime.map(\.minutes) == [15])
        #expect(read.withoutImpossible == read)
    }

    @Test("A night at an hour that is none is no mode of a session") func hours() {
        let start = at("2026-11-21T22:00:00Z")
        let session = SleepSession.mended(
            id: .init(), mode: .recurring(startHour: .max, startMinute: 0, endHour: 7, endMinute: 0),
            strictness: nil, startedAt: start, endsAt: start + 3600, allowed: AppSelection(), night: nil,
            lastInstant: nil)
        #expect(session.isWhole && session.strictness == .strict)
    }
}
