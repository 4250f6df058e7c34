import Foundation
import Testing

@testable import Policy

@Suite struct ReachedLimitTests {
    private let tiktok = LimitTarget.app("tiktok")
    private let morning = at("2026-11-18T10:00:00Z")  // A Wednesday.

    private func house(
        _ minutes: Int = 30, byDay: [Weekday: Int] = [:], weekly: Int? = nil, zone: String = "UTC"
    ) -> Household {
        var household = home(zone: zone)
        household.people[0].limits.list = [
            UsageLimit(
                id: UUID(), target: tiktok, minutes: minutes, minutesByDay: byDay, weeklyMinutes: weekly)
        ]
        return household
    }

    private func used(_ day: Int, week: Int? = nil) -> UsageTotals {
        UsageTotals([me: [tiktok: TargetUse(day: day, week: week ?? day)]])
    }

    private func settle(_ household: inout Household, _ now: Date, _ usage: UsageTotals) {
        _ = household.settle(at: now, usage: usage, newID: UUID.init)
    }

    private func block(_ household: Household, _ now: Date, _ usage: UsageTotals = .none) -> Block? {
        household.evaluate(at: now, usage: usage)[me]?.blocks.first
    }

    @Test("TH-008: reached when the minutes are used up, until the day ends; with layer and target")
    func reached() {
        var household = house()
        settle(&household, morning, used(29))
        #expect(block(household, morning, used(29)) == nil)
        #expect(household.people[0].limits.reached.isEmpty)
        settle(&household, morning + 60, used(30))
        let block = block(household, morning + 120, used(31))
        #expect(
            block
                == Block(
                    layer: .limits, scope: .only(AppSelection(apps: ["tiktok"])), since: morning + 60,
                    until: at("2026-11-19T00:00:00Z"), target: tiktok))
        #expect(
            household.evaluate(at: morning, usage: used(29))[me]?.validUntil == at("2026-11-19T00:00:00Z"))
    }

    @Test("TH-027: a restart that lost the last minutes keeps a limit reached until the day is over")
    func floor() {
        var household = house()
        settle(&household, morning, used(30))
        let written = household
        for lost in [UsageTotals.none, used(3), used(29)] {
            settle(&household, morning + 60, lost)
            #expect(household == written, "nothing to write")
            #expect(block(household, morning + 60, lost) != nil)
        }
        // Later use is not written each minute.
        settle(&household, morning + 900, used(44))
        #expect(household == written)
        settle(&household, at("2026-11-19T00:00:00Z"), .none)
        #expect(household.people[0].limits.reached.isEmpty)
        #expect(block(household, at("2026-11-19T00:00:00Z")) == nil)
    }

    @Test("TH-007: the day resets even if midnight passed during downtime")
    func downtime() {
        var household = house()
        settle(&household, morning, used(30))
        settle(&household, at("2026-11-20T09:00:00Z"), used(4, week: 34))
        #expect(block(household, at("2026-11-20T09:00:00Z"), used(4, week: 34)) == nil)
        // Reached again today, it counts from today.
        settle(&household, at("2026-11-20T10:00:00Z"), used(30, week: 60))
        settle(&household, at("2026-11-21T10:00:00Z"), used(30, week: 90))
        #expect(household.people[0].limits.reached.map(\.since) == [at("2026-11-21T10:00:00Z")])
    }

    @Test(
        "A-08: a lowered, raised or deleted limit is checked against today's use at once",
        arguments: [(30, 40, 20, true), (40, 30, 35, true), (30, 40, 31, true), (30, 40, 45, true)])
    func changed(_ before: Int, _ after: Int, _ use: Int, _ same: Bool) {
        var household = house(before)
        settle(&household, morning, used(use))
        #expect((block(household, morning, used(use)) != nil) == (use >= before))
        household.people[0].limits.list[0].minutes = after
        settle(&household, morning, used(use))
        #expect((block(household, morning, used(use)) != nil) == (use >= after))
        // Lost minutes do not change that.
        settle(&household, morning + 60, .none)
        #expect((block(household, morning + 60) != nil) == (use >= after))
        household.people[0].limits.list = []
        settle(&household, morning, used(use))
        #expect(block(household, morning, used(use)) == nil)
        #expect(household.people[0].limits.reached.isEmpty)
    }

    @Test("A limit that is raised after further use is checked against all of that use")
    func raisedAfterMore() {
        var household = house(30)
        settle(&household, morning, used(30))
        settle(&household, morning + 900, used(45))
        household.people[0].limits.list[0].minutes = 40
        settle(&household, morning + 960, used(45))
        #expect(household.people[0].limits.reached.map(\.use.day) == [45])
        settle(&household, morning + 1_020, .none)
        #expect(block(household, morning + 1_020) != nil)
    }

    @Test("A week's budget that is used up holds until Monday, over days and restarts")
    func weekly() {
        var household = house(30, weekly: 100)
        settle(&household, morning, used(20, week: 100))
        #expect(block(household, morning, used(20, week: 100))?.until == at("2026-11-23T00:00:00Z"))
        for text in ["2026-11-19T00:00:00Z", "2026-11-20T12:00:00Z", "2026-11-22T23:59:59Z"] {
            settle(&household, at(text), .none)
            #expect(block(household, at(text))?.since == morning, "\(text)")
            #expect(block(household, at(text))?.until == at("2026-11-23T00:00:00Z"))
        }
        settle(&household, at("2026-11-23T00:00:00Z"), .none)
        #expect(block(household, at("2026-11-23T00:00:00Z")) == nil)
    }

    @Test("The day's budget, and later the week's: a restart keeps both")
    func dayThenWeek() {
        var household = house(30, weekly: 100)
        settle(&household, morning, used(30, week: 90))
        settle(&household, morning + 600, used(40, week: 100))
        settle(&household, at("2026-11-19T08:00:00Z"), .none)
        #expect(block(household, at("2026-11-19T08:00:00Z"))?.until == at("2026-11-23T00:00:00Z"))
    }

    @Test("Weekdays with their own minutes begin where the day of limits does")
    func weekdays() {
        var household = house(30, byDay: [.thu: 60])
        household.people[0].limits.resetHour = 4
        let night = at("2026-11-19T03:59:59Z")
        settle(&household, night, used(30))
        #expect(block(household, night, used(30))?.until == at("2026-11-19T04:00:00Z"))
        #expect(household.evaluate(at: night, usage: used(30))[me]?.validUntil == at("2026-11-19T04:00:00Z"))
        #expect(block(household, night + 1, used(59)) == nil)
        #expect(block(household, night + 1, used(60)) != nil)
    }

    @Test(
        "DST: a day of 23 hours and one of 25 reset at midnight",
        arguments: [
            ("2026-03-29T12:00:00Z", "2026-03-29T22:00:00Z"),
            ("2026-10-25T12:00:00Z", "2026-10-25T23:00:00Z"),
        ])
    func dst(_ noon: String, _ midnight: String) {
        var household = house(zone: "Europe/Berlin")
        settle(&household, at(noon), used(30))
        settle(&household, at(midnight) - 1, .none)
        #expect(block(household, at(midnight) - 1)?.until == at(midnight))
        settle(&household, at(midnight), .none)
        #expect(block(household, at(midnight)) == nil)
    }

    @Test("A clock that jumps over midnight and comes back loses nothing")
    func jumps() throws {
        for days in [1.0, -1, 7] {
            let jump = days * 86_400
            var household = house()
            household.people[0].limits.unlocksPerDay = 1
            household.people[1].role = .adult
            settle(&household, morning, used(30))
            _ = try household.grantProbation(
                me, target: tiktok, unique: UUID(), catalog: smallCatalog, usage: used(30), at: morning)
            let request = try household.askForTime(
                me, target: tiktok, device: nil, request: UUID(), at: morning)
            try household.answerRequest(me, request: request.id, grant: true, at: morning)
            settle(&household, morning + 120, used(45))
            let before = household.people[0].limitStates(at: morning + 120, in: .utc, usage: used(45))
            settle(&household, morning + jump, .none)
            #expect(block(household, morning + jump) == nil)
            settle(&household, morning + 180, used(45))
            let after = household.people[0].limitStates(at: morning + 180, in: .utc, usage: used(45))
            #expect(after == before)
            #expect(throws: Refusal.unlocksUsedUp) {
                try household.grantProbation(
                    me, target: tiktok, unique: UUID(), catalog: smallCatalog, usage: used(45),
                    at: morning + 180)
            }
        }
    }

    @Test("The cost of 200 limits per person is proportional")
    func linear() {
        // Measured in turns, and the best of each, because other tests use the same processors.
        let (many, few) = (crowd(100, limits: 200), crowd(100, limits: 20))
        let rounds = (0..<5).map { _ in (many: seconds(many), few: seconds(few)) }
        let (slow, fast) = (rounds.map(\.many).min()!, rounds.map(\.few).min()!)
        print("settle and evaluate, 100 people: 20 limits \(fast) s, 200 limits \(slow) s")
        // If it were quadratic, the factor would be a hundred.
        #expect(slow < fast * 30, "\(slow) s, \(fast) s")
    }

    private func crowd(_ people: Int, limits: Int) -> (Household, UsageTotals) {
        let targets = (0..<limits).map { LimitTarget.app("app\($0)") }
        let person = Limits(
            list: targets.map { UsageLimit(id: UUID(), target: $0, minutes: 30) },
            probations: targets.prefix(limits / 2).map { Probation(UUID(), target: $0, at: morning) },
            extraTime: targets.map { ExtraTime(target: $0, day: day("2026-11-18"), minutes: 15) })
        let uses = Dictionary(uniqueKeysWithValues: targets.map { ($0, TargetUse(day: 50, week: 50)) })
        let ids = (1...people).map { PersonID(rawValue: Int64($0)) }
        return (
            Household(timeZone: "UTC", people: ids.map { Person(id: $0, name: "P", limits: person) }),
            UsageTotals(Dictionary(uniqueKeysWithValues: ids.map { ($0, uses) }))
        )
    }

    /// Of this thread's own processor time, so that a busy machine changes nothing.
    private func seconds(_ house: (Household, UsageTotals)) -> Double {
        var (household, usage) = house
        let begun = ownNanoseconds()
        settle(&household, morning, usage)
        #expect(household.evaluate(at: morning, usage: usage).count == household.people.count)
        return Double(ownNanoseconds() - begun) / 1e9
    }

    private func ownNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
