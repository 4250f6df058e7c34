import Directory
import Foundation
import Testing

@testable import Policy

/// Whose rules hold on a television that is the family's, and whose minutes count there.
@Suite struct FamilyDeviceTests {
    static let now = at("2026-11-20T20:00:00Z")
    static let mia = PersonID(rawValue: 3)
    static let television = DeviceID(rawValue: 3)
    static let catalog = Catalog(
        categories: ["video", "games", "phone", "messengers", "maps", "health"].map {
            Category(id: $0, name: $0)
        },
        apps: [
            App(id: "video", name: "Video", category: "video", suffixes: ["video.example"]),
            App(id: "games", name: "Games", category: "games", suffixes: ["games.example"]),
            App(id: "calls", name: "Calls", category: "phone", suffixes: ["calls.example"]),
            App(id: "chat", name: "Chat", category: "messengers", suffixes: ["chat.example"]),
        ], alwaysReachable: [])

    /// "Me", and the children Kim and Mia, with a television of the family.
    static func house(_ use: FamilyUse? = FamilyUse(.anyChild)) -> Household {
        var household = home()
        household.people.append(Person(id: mia, name: "Mia", role: .child))
        household.devices.append(
            Device(
                id: television, name: "Living room", kind: .television, family: use, addresses: ["10.0.0.4"],
                firstSeen: at("2026-01-01T00:00:00Z"), lastSeen: at("2026-01-01T00:00:00Z")))
        return household
    }

    static func sleep(
        _ people: PersonID..., in household: inout Household, strictness: StrictnessMode = .flexible
    ) throws {
        for person in people {
            try household.startSession(
                person, durationMinutes: 60, strictness: strictness, id: UUID(), at: now)
        }
    }

    static func snapshot(_ household: Household, usage: UsageTotals = .none) -> Snapshot {
        Snapshot(
            revision: 1, instant: now, household: household, catalog: catalog,
            verdicts: household.evaluate(at: now, usage: usage), usage: usage)
    }

    /// The layer that blocks a name on the television.
    static func layer(_ name: String, in household: Household, usage: UsageTotals = .none) -> Layer? {
        snapshot(household, usage: usage).verdict(of: name, deviceAt: "10.0.0.4").block?.layer
    }

    @Test("It rests while any child sleeps, and outside any child's windows, but with no adult")
    func anyChild() throws {
        var household = Self.house()
        try Self.sleep(me, in: &household)
        #expect(Self.layer("video.example", in: household) == nil)
        household.people[2].antiRot = AntiRot(restricted: AppSelection(apps: ["games"]), windows: [])
        #expect(Self.layer("games.example", in: household) == .windows)
        #expect(Self.layer("video.example", in: household) == nil)
        try Self.sleep(kid, in: &household)
        #expect(Self.layer("video.example", in: household) == .sleep)
        #expect(Self.layer("games.example", in: household) == .sleep)
    }

    @Test("Where several children are blocked, the last of them says until when")
    func untilWhen() throws {
        for longer in [1, 2] {
            var household = Self.house()
            try Self.sleep(household.people[3 - longer].id, in: &household)
            try household.startSession(
                household.people[longer].id, durationMinutes: 120, strictness: .flexible, id: UUID(),
                at: Self.now)
            let told = Self.snapshot(household).verdict(of: "video.example", deviceAt: "10.0.0.4")
            #expect(told.block?.until == Self.now + 7200)
            #expect(told.person == household.people[longer].id)
        }
    }

    @Test("While all children sleep: until then nothing is blocked, and what one of them may use stays open")
    func allChildren() throws {
        var household = Self.house(FamilyUse(.allChildren))
        household.people[1].allowed = AppSelection(apps: ["video"])
        household.people[2].allowed = AppSelection(apps: ["calls"])
        try Self.sleep(kid, in: &household)
        #expect(Self.layer("games.example", in: household) == nil)
        try Self.sleep(Self.mia, in: &household)
        #expect(Self.layer("games.example", in: household) == .sleep)
        #expect(Self.layer("video.example", in: household) == nil)
        #expect(Self.layer("calls.example", in: household) == nil)
    }

    @Test("One person's times, or none")
    func onesTimes() throws {
        var household = Self.house(FamilyUse(.person(Self.mia)))
        try Self.sleep(kid, in: &household)
        #expect(Self.layer("video.example", in: household) == nil)
        try Self.sleep(Self.mia, in: &household)
        #expect(Self.layer("video.example", in: household) == .sleep)
        try household.share(Self.television, as: FamilyUse(.never), at: Self.now)
        #expect(Self.layer("video.example", in: household) == nil)
    }

    @Test("A limit holds on it only for the person for whom its minutes count")
    func minutes() throws {
        var household = Self.house()
        let target = LimitTarget.app("video")
        household.people[2].limits.list = [UsageLimit(id: UUID(), target: target, minutes: 30)]
        household.people[2].limits.reached = [
            ReachedLimit(
                target: target, day: day("2026-11-20"), use: TargetUse(day: 30, week: 30),
                since: Self.now - 60)
        ]
        #expect(Self.layer("video.example", in: household) == nil)
        #expect(household[device: Self.television]?.countsFor == nil)
        try household.share(
            Self.television, as: FamilyUse(.anyChild, minutesOf: Self.mia), at: Self.now)
        #expect(Self.layer("video.example", in: household) == .limits)
        #expect(household[device: Self.television]?.countsFor == Self.mia)
        let told = Self.snapshot(household).verdict(of: "video.example", deviceAt: "10.0.0.4")
        #expect(told.limit?.canAsk == false, "the shield on it tells nobody how Mia's minutes were used")
    }

    @Test("Times of its own are those of a person who stands for it and is no child")
    func ownTimes() throws {
        var household = Self.house()
        let own = PersonID(rawValue: 9)
        try household.shareWithOwnTimes(Self.television, of: own, catalog: Self.catalog, at: Self.now)
        #expect(household[person: own]?.name == "Living room")
        #expect(household.members.map(\.id) == [me, kid, Self.mia])
        #expect(household[device: Self.television]?.countsFor == own)
        try Self.sleep(kid, Self.mia, in: &household)
        #expect(Self.layer("video.example", in: household) == nil)
        try Self.sleep(own, in: &household)
        #expect(Self.layer("video.example", in: household) == .sleep)
        #expect(throws: Refusal.roleOfDevices) { try household.setRole(own, to: .child) }
        #expect(throws: Refusal.roleOfDevices) {
            try household.assign(DeviceID(rawValue: 1), to: own, at: Self.now)
        }
        #expect(throws: Refusal.roleOfDevices) { try household.setNewDevices(belongTo: own) }
        #expect(throws: Refusal.roleOfDevices) { try household.setRole(kid, to: .shared) }
    }

    @Test("A device that gets times of its own again gets those that it had")
    func ownTimesAgain() throws {
        var household = Self.house()
        for number: Int64 in [9, 10] {
            try household.shareWithOwnTimes(
                Self.television, of: PersonID(rawValue: number), catalog: Self.catalog, at: Self.now)
            #expect(household[device: Self.television]?.family?.times == .person(PersonID(rawValue: 9)))
            try household.share(Self.television, as: FamilyUse(.anyChild), at: Self.now)
        }
        #expect(household.people.count { $0.role == .shared } == 1)
    }

    @Test("If whom it followed is gone, it follows every child; without a child, everybody")
    func followsWhoIsLeft() throws {
        var household = Self.house(FamilyUse(.person(Self.mia), minutesOf: Self.mia))
        try household.removePerson(Self.mia, at: Self.now)
        #expect(household[device: Self.television]?.family == FamilyUse(.anyChild, isFallback: true))
        try Self.sleep(kid, in: &household)
        #expect(Self.layer("video.example", in: household) == .sleep)
        household.people[1].session = nil
        // The last child becomes an adult.
        try household.setRole(kid, to: .adult)
        try Self.sleep(me, in: &household)
        #expect(Self.layer("video.example", in: household) == .sleep)
        // Another machine may have removed the person.
        var dangling = Self.house(FamilyUse(.person(Self.mia)))
        dangling.people.removeLast()
        #expect(dangling.withoutDangling().devices[2].family == FamilyUse(.anyChild, isFallback: true))
    }

    @Test("A strict session holds it, and nobody can take it for themselves")
    func held() throws {
        var household = Self.house()
        try Self.sleep(Self.mia, in: &household, strictness: .strict)
        let refusal = Refusal.looseningStrict(of: "Mia")
        #expect(throws: refusal) { try household.release(Self.television, at: Self.now) }
        #expect(throws: refusal) { try household.assign(Self.television, to: me, at: Self.now) }
        #expect(throws: refusal) {
            try household.share(Self.television, as: FamilyUse(.never), at: Self.now)
        }
        #expect(throws: Refusal.deviceTaken(by: "the family")) {
            try household.enroll(Self.television, for: me)
        }
        for looser in [FamilyUse(.allChildren), FamilyUse(.person(Self.mia))] {
            #expect(throws: refusal) { try household.share(Self.television, as: looser, at: Self.now) }
        }
        let stricter = FamilyUse(.anyChild, minutesOf: Self.mia)
        try household.share(Self.television, as: stricter, at: Self.now)
        #expect(throws: refusal) {
            try household.share(Self.television, as: FamilyUse(.anyChild), at: Self.now)
        }
        household.people[2].session = nil
        try household.share(Self.television, as: FamilyUse(.anyChild), at: Self.now)
        household.people[1].looseningDelay = 8
        household.people[1].antiRot = AntiRot(restricted: AppSelection(apps: ["games"]), windows: [])
        #expect(throws: Refusal.looseningWaits(of: "Kim", hours: 8)) {
            try household.release(Self.television, at: Self.now)
        }
        household.people[1].looseningDelay = 0
        try household.assign(Self.television, to: me, at: Self.now)
        #expect(household[device: Self.television]?.family == nil)
    }

    @Test("Help opens it too, messengers a minute later, and counts for nobody")
    func help() throws {
        var household = Self.house()
        try Self.sleep(kid, Self.mia, in: &household)
        try household.useHelp(Self.television, at: Self.now - 30)
        #expect(Self.layer("calls.example", in: household) == nil)
        #expect(Self.layer("chat.example", in: household) == .sleep)
        #expect(household.people.allSatisfy { $0.helpPresses == nil })
        #expect(household.evaluate(at: Self.now)[Self.mia]?.validUntil == Self.now + 30)
    }

    @Test("An old document has no family, and what cannot be read of one follows every child")
    func documents() throws {
        let encoder = JSONEncoder()
        let old = try encoder.encode(home().devices[0])
        #expect(!String(decoding: old, as: UTF8.self).contains("family"))
        for use in [
            FamilyUse(.never), FamilyUse(.anyChild), FamilyUse(.allChildren, minutesOf: kid),
            FamilyUse(.person(kid), minutesOf: me), FamilyUse(.anyChild, isFallback: true),
        ] {
            let data = try encoder.encode(use)
            #expect(try JSONDecoder().decode(FamilyUse.self, from: data) == use)
        }
        for text in [#"{"times":"whenever"}"#, "{}", #"{"times":"person"}"#] {
            let read = try JSONDecoder().decode(FamilyUse.self, from: Data(text.utf8))
            #expect(read == FamilyUse(.anyChild, isFallback: true), "\(text)")
        }
    }
}
