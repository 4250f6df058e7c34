import Foundation
import Testing

@testable import Policy

@Suite struct RuleSubjectTests {
    typealias Command = @Sendable (inout Household, Date) throws -> Void
    static let catalog = StrictGuardTests.catalog
    static let limit = UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)

    static let commands: [(PersonID?, RuleSubject, Command)] = [
        (me, .schedule, { try $0.saveSchedule(me, schedule("22:30", "07:00"), at: $1) }),
        (me, .tonight, { try $0.changeTonight(me, .skip, at: $1) }),
        (
            kid, .allowedApps,
            { house, _ in try house.saveAllowed(kid, AppSelection(apps: ["tiktok"]), catalog: catalog) }
        ),
        (
            kid, .restrictedApps,
            { house, _ in house.people[1].antiRot.restricted = AppSelection(apps: ["tiktok"]) }
        ),
        (kid, .windows, { house, _ in house.people[1].antiRot.windows = [] }),
        (kid, .limits, { try $0.setLimit(kid, limit, catalog: catalog, change: UUID(), at: $1) }),
        (kid, .limitSettings, { try $0.setResetHour(kid, to: 4, change: UUID(), at: $1) }),
        (kid, .limitSettings, { try $0.setUnlocksPerDay(kid, to: 2, change: UUID(), at: $1) }),
        (kid, .looseningDelay, { try $0.setLooseningDelay(kid, hours: 8, change: UUID(), at: $1) }),
        (kid, .focusShield, { house, _ in house.people[1].focus.shieldsWhileFocusing = true }),
        (
            kid, .relayed,
            { house, _ in
                try house.setRelayed(
                    kid, RelayedApps(includesRuled: true),
                    catalog: Catalog(categories: [], apps: [], alwaysReachable: []))
            }
        ),
        (
            kid, .dateExceptions,
            {
                let today = DateException(
                    id: UUID(), first: day("2026-11-20"), last: day("2026-11-20"), instead: .nothing)
                try $0.addDateException(today, for: [kid], at: $1)
            }
        ),
        (kid, .waysOut, { house, _ in house.people[1].opensWaysOut = true }),
        (kid, .defaultMode, { house, _ in try house.setDefaultStrictness(kid, to: .strict) }),
        (kid, .role, { house, _ in try house.setRole(kid, to: .adult) }),
        (kid, .name, { house, _ in try house.renamePerson(kid, to: "Kimberly") }),
        (nil, .timeZone, { try $0.setTimeZone("Europe/Berlin", at: $1) }),
        (nil, .offersHelp, { house, _ in house.offersHelp = false }),
        (nil, .newDevices, { house, _ in house.newDevicesBelongTo = kid }),
        (nil, .newDevices, { house, _ in house.newDevicesFollowChildren = true }),
        (nil, .alwaysReachable, { try $0.setUnreachable(["android"], catalog: catalog, at: $1) }),
        (nil, .privateAnswers, { house, _ in try house.setPrivateAnswers(["nas.example.org"]) }),
        (nil, .ownApps, { try $0.addOwnApp(name: "Mine", domains: ["example.org"], at: $1) }),
    ]

    @Test("Every changed rule is named, and no other", arguments: commands.indices)
    func named(_ index: Int) throws {
        let (person, subject, command) = Self.commands[index]
        let before = home(schedule("22:00", "07:00"))
        var house = before
        try command(&house, at("2026-11-20T20:00:00Z"))
        #expect(house.ruleChanges(since: before) == [RuleChange(person, subject)])
        #expect(house.ruleChanges(since: house).isEmpty)
    }

    @Test("Every subject has a case here")
    func complete() {
        #expect(Set(Self.commands.map(\.1)) == Set(RuleSubject.allCases))
    }

    @Test("A waiting change is told when it is requested, and when it is taken back")
    func waiting() throws {
        var house = home()
        house.people[0].limits.list = [Self.limit]
        house.people[0].looseningDelay = 8
        let before = house
        let change = UUID()
        try house.removeLimit(me, limit: Self.limit.id, change: change, at: at("2026-11-20T20:00:00Z"))
        #expect(house.ruleChanges(since: before) == [RuleChange(me, .limits)])
        let asked = house
        try house.dropPending(me, change: change)
        #expect(house.ruleChanges(since: asked) == [RuleChange(me, .limits)])
    }

    @Test("These are not rule changes: a session, a device, a person who came or went")
    func others() throws {
        let before = home()
        var house = before
        try house.startSession(
            me, durationMinutes: 60, strictness: .strict, id: UUID(), at: at("2026-11-20T20:00:00Z"))
        try house.renameDevice(tablet, to: "Pad")
        try house.addPerson(PersonID(rawValue: 7), name: "New", catalog: smallCatalog)
        #expect(house.ruleChanges(since: before).isEmpty)
    }
}
