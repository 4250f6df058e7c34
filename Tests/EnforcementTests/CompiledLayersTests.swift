import Foundation
import Policy
import Testing

@testable import DNS
@testable import Enforcement

/// Compares the compiled filter with the slow evaluation, for all combinations of windows and limits.
@Suite struct CompiledLayersTests {
    private static let targets: [LimitTarget] =
        ["tiktok", "youtube", "whatsapp", "own-one", "gone"].map(LimitTarget.app)
        + ["social", "video", "messengers", "own"].map(LimitTarget.category)

    @Test(
        "Name by name, with windows, overrides, limits, unlocks, focus timers and sessions",
        arguments: 0..<200)
    func agreesNameByName(seed: UInt64) throws {
        var dice = Dice(seed: 70_000 + seed)
        var now = CompiledFilterTests.now
        var household = CompiledFilterTests.household(&dice)
        for index in household.people.indices {
            if dice.coin() { household.people[index].session = nil }
            if dice.coin() { household.people[index].schedule = nil }
            household.people[index].antiRot = Self.antiRot(&dice, at: now)
            household.people[index].limits = Self.limits(&dice, at: now, in: household.zone)
            household.people[index].focus = try Self.focus(&dice, at: now)
        }
        let usage = Self.usage(&dice, of: household)
        // One compiler over several instants, as in the loop: its table must follow every unlock.
        var compiler = FilterCompiler()
        for _ in 0..<4 {
            _ = household.settle(at: now, usage: usage, newID: UUID.init)
            let snapshot = Snapshot(
                revision: 1, instant: now, household: household,
                catalog: CompiledFilterTests.catalog.adding(household.ownApps),
                verdicts: household.evaluate(at: now, usage: usage), usage: usage)
            let filter = compiler.compile(snapshot)
            for device in household.devices {
                for name in CompiledFilterTests.names {
                    let slow = snapshot.verdict(of: name, deviceAt: device.addresses[0]).block != nil
                    let fast = try CompiledFilterTests.blocks(filter, name, device.addresses[0])
                    #expect(fast == slow, "\(name) on \(device) at \(now)")
                }
            }
            now = snapshot.verdicts.values.compactMap(\.validUntil).min() ?? now + 60
        }
    }

    @Test("An unlock opens only the app, and its end locks it again")
    func unlock() throws {
        let me = PersonID(rawValue: 1)
        var household = Household(timeZone: "UTC", people: [Person(id: me, name: "Me")])
        household.devices = [CompiledFilterTests.device(1, person: me)]
        household.people[0].limits.list = [
            UsageLimit(id: UUID(), target: .category("social"), minutes: 30),
            UsageLimit(id: UUID(), target: .category("video"), minutes: 30),
        ]
        let use = TargetUse(day: 30, week: 30)
        let usage = UsageTotals([me: [.category("social"): use, .category("video"): use]])
        var compiler = FilterCompiler()
        func blocked(at now: Date) throws -> Set<String> {
            _ = household.settle(at: now, usage: usage, newID: UUID.init)
            let filter = compiler.compile(
                Snapshot(
                    revision: 1, instant: now, household: household, catalog: CompiledFilterTests.catalog,
                    verdicts: household.evaluate(at: now, usage: usage), usage: usage))
            return try Set(
                CompiledFilterTests.names.filter {
                    try CompiledFilterTests.blocks(filter, $0, household.devices[0].addresses[0])
                })
        }
        let now = CompiledFilterTests.now
        let tiktok: Set<String> = ["tiktok.com", "www.tiktok.com", "api.tiktokv.com"]
        let video: Set<String> = ["youtube.com", "i.ytimg.com"]
        #expect(try blocked(at: now) == tiktok.union(video))
        _ = try household.grantProbation(
            me, target: .app("tiktok"), unique: UUID(), catalog: CompiledFilterTests.catalog, usage: usage,
            at: now)
        #expect(try blocked(at: now) == video)
        #expect(try blocked(at: now + 59.999) == video)
        #expect(try blocked(at: now + 60) == tiktok.union(video))
    }
}

extension CompiledLayersTests {
    private static func antiRot(_ dice: inout Dice, at now: Date) -> AntiRot {
        var antiRot = AntiRot()
        if dice.coin() {
            antiRot.restricted = AppSelection(apps: dice.some(of: ["tiktok", "youtube", "own-one", "gone"]))
        }
        if dice.coin() {
            antiRot.windows = (0..<dice.number(0...2)).map { number in
                TimeWindow(
                    id: UUID(), label: "", start: TimeOfDay(hour: 10 * number, minute: 0),
                    end: TimeOfDay(hour: dice.number(10 * number + 1...23), minute: 45))
            }
        }
        if dice.number(0...3) == 0 {
            let began = now.addingTimeInterval(Double(dice.number(-3_000...0)))
            antiRot.override = OverrideState(lastUsedDate: began, overrideExpiresAt: began + 2_700)
        }
        return antiRot
    }

    /// A timer in any state that ends within minutes, with or without a shield.
    private static func focus(_ dice: inout Dice, at now: Date) throws -> Focus {
        var household = Household(timeZone: "UTC", people: [Person(id: PersonID(rawValue: 1), name: "Me")])
        let (me, minutes) = (household.people[0].id, dice.number(1...3))
        try household.setShieldsWhileFocusing(me, to: dice.number(0...2) > 0)
        guard dice.number(0...3) > 0 else { return household.people[0].focus }
        let start = now.addingTimeInterval(Double(dice.number(-59...0)))
        try household.startFocus(me, minutes: minutes, session: UUID(), at: start)
        if dice.number(0...3) == 0 { try household.moveFocus(me, .pause, at: now) }
        return household.people[0].focus
    }

    private static func limits(_ dice: inout Dice, at now: Date, in zone: CivilZone) -> Limits {
        var limits = Limits(resetHour: dice.number(0...23))
        for target in targets where dice.coin() {
            limits.list.append(
                UsageLimit(
                    id: UUID(), target: target, minutes: dice.number(1...60),
                    weeklyMinutes: dice.coin() ? dice.number(1...200) : nil))
        }
        limits.probations = (0..<dice.number(0...4)).map { _ in
            Probation(
                UUID(), target: targets[dice.number(0...targets.count - 1)],
                at: now.addingTimeInterval(Double(dice.number(-65...0))))
        }
        if dice.coin() {
            let day = limits.day(at: now, in: zone).date
            limits.extraTime = [ExtraTime(target: targets[dice.number(0...8)], day: day, minutes: 15)]
        }
        return limits
    }

    private static func usage(_ dice: inout Dice, of household: Household) -> UsageTotals {
        var usage = UsageTotals.none
        for person in household.people {
            for target in targets {
                let day = dice.number(0...75)
                usage[person.id, target] = TargetUse(day: day, week: day + dice.number(0...150))
            }
        }
        return usage
    }
}
