import Foundation
import Testing

@testable import Policy

@Suite struct EvaluationTests {
    @Test func nobodySleeps() {
        let household = home()
        let verdicts = household.evaluate(at: at("2026-11-20T12:00:00Z"))
        #expect(verdicts == [me: Verdict(person: me, blocks: []), kid: Verdict(person: kid, blocks: [])])
    }

    @Test func aSessionBlocksEverythingButWhatItAllows() throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T20:00:00Z")
        try house.start(60)
        #expect(
            house.verdict
                == Verdict(
                    person: me,
                    blocks: [
                        Block(
                            layer: .sleep, scope: .everythingBut(AppSelection(categories: ["phone"])),
                            since: at("2026-11-20T20:00:00Z"), until: at("2026-11-20T21:00:00Z"))
                    ],
                    validUntil: at("2026-11-20T21:00:00Z"), nextStart: at("2026-11-20T22:00:00Z"),
                    nextBlock: at("2026-11-20T22:00:00Z")))
        #expect(house.household.evaluate(at: house.now)[kid]?.blocks == [])
    }

    @Test("A cancel shortens `validUntil`, not the end that people are told")
    func cancel() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(60)
        try house.change { try $0.beginCancel(me, at: $1) }
        #expect(house.verdict.validUntil == at("2026-11-20T20:00:30Z"))
        #expect(house.verdict.blocks.first?.until == at("2026-11-20T21:00:00Z"))
    }

    @Test("SI-092, C-13: a session allows what was allowed when it started")
    func snapshotOfTheSelection() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(60, .strict)
        let before = house.verdict
        house.household.people[0].allowed = AppSelection(categories: ["social"])
        house.settle()
        #expect(house.verdict == before)
    }

    @Test func tonightsChangeMovesTheNextStart() throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T20:00:00Z")
        try house.tonight(.later)
        #expect(house.verdict.nextStart == at("2026-11-20T22:30:00Z"))
        try house.tonight(.skip)
        #expect(house.verdict.nextStart == at("2026-11-21T22:00:00Z"))
        try house.tonight(.clear)
        #expect(house.verdict.nextStart == at("2026-11-20T22:00:00Z"))
    }

    @Test func helpIsCertainOnlyUntilItsEnd() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(60)
        try house.change { try $0.useHelp(phone, at: $1) }
        #expect(house.verdict.validUntil == at("2026-11-20T20:15:00Z"))
        #expect(house.household.evaluate(at: house.now)[kid]?.validUntil == nil)
        // Of several devices the first counts, whatever their order.
        house.household.devices[1].person = me
        for ends in [(5.0, 10.0), (10, 5)] {
            house.household.devices[0].helpUntil = house.now.addingTimeInterval(ends.0)
            house.household.devices[1].helpUntil = house.now.addingTimeInterval(ends.1)
            #expect(house.verdict.validUntil == at("2026-11-20T20:00:05Z"))
        }
    }

    @Test("validUntil is never later than the first instant at which something differs", arguments: 0..<20)
    func validUntilIsNeverTooLate(_ seed: UInt64) {
        var random = Generator(seed: 3_000 + seed)
        for _ in 0..<15 {
            let start = random.instant()
            let household = random.household(at: start)
            let verdicts = household.evaluate(at: start)
            for (index, person) in household.people.enumerated() {
                let verdict = verdicts[person.id]!
                #expect(verdict.validUntil.map { $0 > start } ?? true)
                let horizon = start.addingTimeInterval(9 * 86_400)
                let end = min(verdict.validUntil ?? horizon, horizon)
                let length = end.timeIntervalSince(start)
                let samples = (0..<40).map { _ in Double.random(in: 0..<1, using: &random) * length }
                for offset in samples + [0, max(0, length - 0.002)] {
                    let now = start.addingTimeInterval(offset)
                    guard now < end else { continue }
                    var later = household
                    _ = later.settle(at: now, newID: UUID.init)
                    #expect(
                        later.evaluate(at: now)[person.id]?.blocks == verdict.blocks, "\(now) \(household)")
                    let mine = household.devices.indices.filter { household.devices[$0].person == person.id }
                    for device in mine {
                        let was = household.devices[device].helpUntil.map { $0 > start } ?? false
                        #expect((later.devices[device].helpUntil.map { $0 > now } ?? false) == was)
                    }
                    #expect(later.people[index].session?.id == person.session?.id)
                }
            }
        }
    }

    @Test("At nextStart a night begins, unless a session runs", arguments: 0..<10)
    func nextStartIsWhenANightBegins(_ seed: UInt64) {
        var random = Generator(seed: 4_000 + seed)
        for _ in 0..<40 {
            let start = random.instant()
            let household = random.household(at: start)
            for (id, verdict) in household.evaluate(at: start) {
                // A pause that begins first moves the night of its date, also in a schedule that was saved since.
                guard let next = verdict.nextStart, household[person: id]?.session?.pause == nil else {
                    continue
                }
                var later = household
                _ = later.settle(at: next, newID: UUID.init)
                let session = later[person: id]?.session
                #expect(
                    session?.startedAt == next || (session?.isRunning(at: next) ?? false),
                    "\(next) \(household)")
            }
        }
    }

    @Test("Evaluation is linear: 10,000 devices once cost as much as 1,000 devices ten times")
    func linear() {
        let many = crowd(people: 1_000, devices: 10_000)
        let few = crowd(people: 100, devices: 1_000)
        // Measured in turns, and the best of each, because other tests use the same processors.
        let rounds = (0..<9).map { _ in (once: seconds(many, times: 1), tenTimes: seconds(few, times: 10)) }
        let once = rounds.map(\.once).min()!
        let tenTimes = rounds.map(\.tenTimes).min()!
        // If either were quadratic, the factor would be ten.
        #expect(once < tenTimes * 5, "\(once) s, \(tenTimes) s")
    }

    private let evening = at("2026-11-20T20:00:00Z")

    private func crowd(people: Int, devices: Int) -> Household {
        Household(
            timeZone: "Europe/Berlin",
            people: (1...people).map {
                Person(id: PersonID(rawValue: Int64($0)), name: "P", schedule: schedule("22:00", "07:00"))
            },
            devices: (1...devices).map {
                Device(
                    id: DeviceID(rawValue: Int64($0)), name: "D",
                    person: PersonID(rawValue: Int64($0 % people + 1)), addresses: ["10.0.0.\($0)"],
                    firstSeen: evening, lastSeen: evening,
                    helpUntil: evening.addingTimeInterval(Double($0 % 900)))
            })
    }

    private func seconds(_ household: Household, times: Int) -> Double {
        var household = household
        let took = ContinuousClock().measure {
            for _ in 0..<times {
                _ = household.settle(at: evening, newID: UUID.init)
                #expect(household.evaluate(at: evening).count == household.people.count)
            }
        }
        return Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
    }
}
