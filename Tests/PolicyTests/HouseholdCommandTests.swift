import Foundation
import Testing

@testable import Policy

@Suite struct DeviceCommandTests {
    private let now = at("2026-11-20T20:00:00Z")

    @Test func enrollsWhatIsNobodys() throws {
        var household = home()
        household.devices[0].person = nil
        try household.enroll(phone, for: kid)
        #expect(household[device: phone]?.person == kid)
        try household.enroll(phone, for: kid)
        #expect(throws: Refusal.deviceTaken(by: "Kim")) { try household.enroll(phone, for: me) }
        try household.assign(phone, to: me, at: now)
        try household.release(phone, at: now)
        #expect(household[device: phone]?.person == nil)
    }

    @Test func unknownDevicesAreRefused() {
        var household = home()
        let gone = DeviceID(rawValue: 99)
        #expect(throws: Refusal.unknownDevice) { try household.enroll(gone, for: me) }
        #expect(throws: Refusal.unknownDevice) { try household.release(gone, at: now) }
        #expect(throws: Refusal.unknownDevice) { try household.useHelp(gone, at: now) }
        #expect(throws: Refusal.unknownDevice) { try household.setKind(gone, to: .phone, at: now) }
    }

    @Test("C-34: a device that enrolled itself uses up nobody's presses, and its messengers always wait")
    func helpOfAGuest() throws {
        var household = home(zone: "Europe/Berlin")
        household.devices[1].person = me
        household.devices[1].isConfirmed = false
        let evening = at("2026-11-20T21:00:00Z")
        for press in 0..<5 { try household.useHelp(tablet, at: evening + Double(press)) }
        #expect(household[device: tablet]?.help(at: evening + 5) == .helpAtOnce)
        #expect(household[device: tablet]?.help(at: evening + 60) == .help)
        #expect(household.helpPresses(of: household.people[0], at: evening + 5) == 0)
        try household.useHelp(phone, at: evening + 6)
        #expect(household[device: phone]?.help(at: evening + 7) == .help)
    }

    @Test("C-34: from a night's third press on, messengers wait a minute; more presses add nothing")
    func helpOfANight() throws {
        var household = home(zone: "Europe/Berlin")
        let evening = at("2026-11-20T21:00:00Z")
        for press in 0..<2 {
            try household.useHelp(phone, at: evening + Double(press))
            #expect(household[device: phone]?.help(at: evening + 1) == .help)
        }
        try household.useHelp(phone, at: evening + 10)
        #expect(household[device: phone]?.helpUntil == evening + 910)
        #expect(household[device: phone]?.helpMessagesFrom == evening + 70)
        // Pressing again in need does not delay it.
        for press in 11..<60 { try household.useHelp(phone, at: evening + Double(press)) }
        #expect(household[device: phone]?.help(at: evening + 69) == .helpAtOnce)
        #expect(household[device: phone]?.help(at: evening + 70) == .help)
        #expect(household[device: phone]?.help(at: evening + 959) == nil)
        try household.useHelp(phone, at: evening + 100)
        #expect(household[device: phone]?.help(at: evening + 101) == .helpAtOnce)
        #expect(household.helpPresses(of: household.people[0], at: evening + 101) == 53)
        // The presses on all of a person's devices count together; those on another person's do not.
        household.devices[1].person = me
        try household.useHelp(tablet, at: evening + 200)
        #expect(household[device: tablet]?.help(at: evening + 201) == .helpAtOnce)
        household.devices[1].person = kid
        try household.useHelp(tablet, at: evening + 300)
        #expect(household[device: tablet]?.help(at: evening + 301) == .help)
        // From noon to noon, by the household's clock.
        for (instant, isNew) in [("2026-11-21T10:59:59Z", false), ("2026-11-21T11:00:00Z", true)] {
            var later = household
            try later.useHelp(phone, at: at(instant))
            #expect(later[device: phone]?.help(at: at(instant)) == (isNew ? .help : .helpAtOnce))
        }
    }

    @Test("Messengers open and close by themselves, and a clock that went back delays neither")
    func helpSettles() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        for _ in 0..<3 { try house.change { try $0.useHelp(phone, at: $1) } }
        let from = house.now + 60
        #expect(house.verdict.validUntil == from)
        house.go(to: "2026-11-20T19:00:00Z")
        #expect(house.household[device: phone]?.helpMessagesFrom == house.now + 60)
        house.wait(60)
        #expect(house.household[device: phone]?.helpMessagesFrom == nil)
        #expect(house.household[device: phone]?.help(at: house.now) == .help)
        house.wait(900)
        #expect(house.household[device: phone]?.helpUntil == nil)
    }

    @Test("Help: fifteen minutes, as often as needed, unless the household has switched it off")
    func help() throws {
        var household = home()
        try household.useHelp(phone, at: now)
        #expect(household[device: phone]?.helpUntil == now.addingTimeInterval(900))
        try household.useHelp(phone, at: now.addingTimeInterval(600))
        #expect(household[device: phone]?.helpUntil == now.addingTimeInterval(1_500))
        household.offersHelp = false
        #expect(throws: Refusal.helpSwitchedOff) { try household.useHelp(phone, at: now) }
        household.offersHelp = true
        household.devices[0].person = nil
        #expect(throws: Refusal.deviceNotEnrolled) { try household.useHelp(phone, at: now) }
    }
}

@Suite struct NameTests {
    @Test(arguments: [
        ("Kim", "Kim"), ("  Kim \n", "Kim"), ("Kim\u{0}\u{7}", "Kim"), ("Kim\tLee", "Kim Lee"),
        ("a  b", "a b"),
        ("\u{202E}Kim\u{2066}", "Kim"), ("Kim\u{2028}Lee", "Kim Lee"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("<b>\"&'", "<b>\"&'"),
        ("e\u{301}", "é"), (String(repeating: "x", count: 60), String(repeating: "x", count: 60)),
    ])
    func cleans(_ typed: String, _ name: String) throws {
        var household = home()
        try household.renamePerson(kid, to: typed)
        #expect(household[person: kid]?.name == name)
    }

    @Test func refusesNothingAndTooMuch() {
        var household = home()
        for typed in ["", " ", "\n\t", "\u{0}", "\u{200E}"] {
            #expect(throws: Refusal.nameMissing) { try household.renameDevice(phone, to: typed) }
        }
        for typed in [String(repeating: "x", count: 61), "x" + String(repeating: "\u{301}", count: 300)] {
            #expect(throws: Refusal.nameTooLong) { try household.renameDevice(phone, to: typed) }
        }
        #expect(household == home())
    }
}

@Suite struct PeopleCommandTests {
    private let now = at("2026-11-20T20:00:00Z")

    @Test func addsAndRemovesButNeverTheLast() throws {
        var household = home()
        let third = PersonID(rawValue: 3)
        let catalog = Catalog(
            categories: [Category(id: "phone", name: "Phone"), Category(id: "maps", name: "Maps")], apps: [],
            alwaysReachable: [])
        try household.addPerson(third, name: " Lou ", role: .child, catalog: catalog)
        let lou = Person(
            id: third, name: "Lou", role: .child, allowed: AppSelection(categories: ["phone", "maps"]))
        // A child begins with a few one-minute unlocks.
        var child = lou
        child.limits.unlocksPerDay = Limits.unlocksOfAChild
        #expect(household[person: third] == child)
        household.newDevicesBelongTo = kid
        try household.removePerson(kid, at: now)
        #expect(household[device: tablet]?.person == nil && household.newDevicesBelongTo == nil)
        try household.removePerson(third, at: now)
        #expect(throws: Refusal.lastPerson) { try household.removePerson(me, at: now) }
    }

    @Test("No two people have the same name, whatever its capitals; a person may keep their own")
    func names() throws {
        var household = home()
        let (mine, kids) = (
            try #require(household[person: me]).name, try #require(household[person: kid]).name
        )
        #expect(throws: Refusal.personNameTaken(mine)) {
            try household.addPerson(
                PersonID(rawValue: 3), name: " \(mine.uppercased()) ", catalog: smallCatalog)
        }
        #expect(throws: Refusal.personNameTaken(kids)) {
            try household.renamePerson(me, to: kids.lowercased())
        }
        #expect(household == home())
        try household.renamePerson(me, to: mine.uppercased())
        #expect(household[person: me]?.name == mine.uppercased())
    }

    @Test("SI-026, SI-017: a selection is checked and normalised")
    func allowed() throws {
        var household = home()
        let catalog = StrictGuardTests.catalog
        let own = try household.addOwnApp(name: "Radio", domains: ["radio.example"], at: now)
        try household.saveAllowed(
            me,
            AppSelection(
                apps: ["tiktok", own.id], categories: ["social", "own"], domains: ["HTTPS://Example.org/a"]),
            catalog: catalog)
        #expect(
            household[person: me]?.allowed
                == AppSelection(
                    apps: ["tiktok", "own-radio"], categories: ["social", "own"], domains: ["example.org"]))
        let before = household
        #expect(throws: Refusal.unknownIDs(["nope", "zzz"])) {
            try household.saveAllowed(me, AppSelection(apps: ["zzz"], categories: ["nope"]), catalog: catalog)
        }
        #expect(throws: Refusal.domainTooBroad("co.uk")) {
            try household.saveAllowed(me, AppSelection(domains: ["co.uk"]), catalog: catalog)
        }
        let many = Set((0...50).map { "d\($0).example.org" })
        #expect(throws: Refusal.tooManyDomains) {
            try household.saveAllowed(me, AppSelection(domains: many), catalog: catalog)
        }
        #expect(household == before)
        try household.removeOwnApp(own.id)
        #expect(household[person: me]?.allowed.apps == ["tiktok"])
        #expect(throws: Refusal.unknownOwnApp) { try household.removeOwnApp(own.id) }
    }

    @Test func ownApps() throws {
        var household = home()
        let app = try household.addOwnApp(
            name: "  Städtische Bücherei ",
            domains: ["*.bücher.example", "", "bücher.example.", "b.example:443"], at: now)
        #expect(
            app.id == "own-st-dtische-b-cherei" && app.name == "Städtische Bücherei" && app.category == "own")
        #expect(app.suffixes == ["xn--bcher-kva.example", "b.example"])
        #expect(app.pages.contains("www.b.example"))
        #expect(try household.addOwnApp(name: "日本", domains: ["a.example"], at: now).id == "own-app")
        #expect(try household.addOwnApp(name: "🎈", domains: ["a.example"], at: now).id == "own-app-2")
        #expect(throws: Refusal.domainMissing) {
            try household.addOwnApp(name: "x", domains: [" ", ""], at: now)
        }
        #expect(throws: Refusal.nameMissing) {
            try household.addOwnApp(name: " ", domains: ["a.example"], at: now)
        }
        #expect(throws: Refusal.tooManyDomains) {
            try household.addOwnApp(name: "x", domains: (0...50).map { "d\($0).example" }, at: now)
        }
        #expect(throws: Refusal.domainInvalid("-.example")) {
            try household.addOwnApp(name: "x", domains: ["-.example"], at: now)
        }
    }

    @Test("Names that may lead into the home are read as people type them; a bad one changes nothing")
    func privateAnswers() throws {
        var household = home()
        try household.setPrivateAnswers([
            " https://NAS.Example.org:5001/x ", "", "b.example.", "nas.example.org",
        ])
        #expect(household.privateAnswers == ["nas.example.org", "b.example"])
        let before = household
        for (typed, refusal) in [
            ("com", Refusal.domainSingleLabel("com")), ("co.uk", .domainTooBroad("co.uk")),
            ("192.168.1.5", .domainIsAddress("192.168.1.5")),
        ] {
            #expect(throws: refusal) { try household.setPrivateAnswers(["c.example", typed]) }
            #expect(household == before)
        }
        #expect(throws: Refusal.tooManyDomains) {
            try household.setPrivateAnswers((0...50).map { "host\($0).example" })
        }
        try household.setPrivateAnswers([])
        #expect(household.privateAnswers.isEmpty)
    }

    @Test("T-07: only optional entries can be unticked")
    func unreachable() {
        var household = home()
        let catalog = Catalog(
            categories: [], apps: [],
            alwaysReachable: [AlwaysReachable(id: "ntp", name: "Time", reason: "r", suffixes: ["ntp.org"])])
        #expect(throws: Refusal.notOptional("ntp")) {
            try household.setUnreachable(["ntp"], catalog: catalog, at: now)
        }
        #expect(throws: Refusal.unknownIDs(["nope"])) {
            try household.setUnreachable(["nope"], catalog: catalog, at: now)
        }
    }
}

@Suite struct RefusalTests {
    static let all: [Refusal] = [
        .unknownPerson, .unknownDevice, .unknownOwnApp, .unknownIDs(["a"]), .unknownDuration, .sessionRunning,
        .everybodyAsleep, .noNightToSleepOn, .noSession,
        .strictSession, .sameTimes, .noWeekdays, .exceptionWithoutWeekdays, .tooManyExceptions,
        .nightsOverlap(.sun),
        .noNightPlanned, .nightBegun, .nightTooShort, .deviceTaken(by: "Kim"), .deviceNotEnrolled,
        .lastPerson,
        .helpSwitchedOff, .looseningStrict(of: "Kim"), .nameMissing, .nameTooLong, .unknownZone,
        .notOptional("a"),
        .tooManyOwnApps, .tooManyDomains, .domainMissing, .domainInvalid("a"), .domainIsAddress("a"),
        .domainSingleLabel("a"), .domainTooBroad("a"),
        .windowSameTimes,
        .windowsOverlap(TimeWindow(id: UUID(), label: "", start: time("12:00"), end: time("13:00"))),
        .unknownWindow, .emptyScheduleUnconfirmed, .labelTooLong, .tooManyWindows, .overrideUsed,
        .overrideRunning, .overrideOfNothing, .appsOnly, .unknownWindowSet, .tooManyWindowSets,
        .windowSetNameTaken("Games"),
        .limitOutOfRange, .weeklyOutOfRange, .unknownLimit,
        .unknownTarget,
        .reasonTooLong, .limitNotReached, .unlocksUsedUp, .unknownRequest, .requestAnswered,
        .resetHourOutOfRange,
        .unlocksOutOfRange, .unknownDelay,
        .nothingProductive, .nothingComputed,
        .computedForAnotherDay(day("2026-11-20"), day("2026-11-21")),
        .serverAddressUnreadable, .accessTokenMissing, .accessTokenUnreadable, .dateUnreadable,
        .dateOutOfRange,
        .minutesOutOfRange, .sourceUnreadable, .computedAtUnreadable, .selectionVersionUnknown,
        .selectionTooLarge, .tokenCountOutOfRange,
    ]

    @Test func codesAreDifferentAndMessagesAreSentences() {
        #expect(Set(Self.all.map(\.code)).count == Self.all.count)
        for refusal in Self.all {
            #expect(refusal.code.utf8.allSatisfy { (97...122).contains($0) || $0 == 45 })
            #expect(
                !refusal.message.isEmpty && refusal.message.first?.isLowercase != true
                    || refusal.message.hasPrefix("a "))
        }
        #expect(
            Refusal.nightsOverlap(.sun).message == "Sunday's night must end before Monday's bedtime.")
        #expect(Refusal.windowSameTimes.message == "A window cannot end when it starts.", "AR-094")
        #expect(Refusal.overrideUsed.message == "Already used today", "AR-036")
        #expect(Refusal.emptyScheduleUnconfirmed.message == "Your apps will be blocked all day", "AR-090")
        #expect(Refusal.strictSession.message == "Strict mode - session cannot be cancelled", "SI-146")
    }

    @Test func whatWasSentIsShownShortAndWithoutControls() {
        let long = Refusal.domainInvalid(String(repeating: "x", count: 10_000_000)).message
        #expect(long.count < 200)
        #expect(
            !Refusal.domainInvalid("a\u{202E}b\u{0}").message.unicodeScalars.contains {
                $0 == "\u{202E}" || $0 == "\u{0}"
            })
        #expect(
            Refusal.unknownIDs((1...9).map(String.init)).message
                == "Not in the catalog: 1, 2, 3, 4, 5 and 4 more.")
    }

    @Test func inputIsToldFromTheMoment() {
        #expect(Refusal.sameTimes.isAboutInput && Refusal.domainMissing.isAboutInput)
        #expect(!Refusal.strictSession.isAboutInput && !Refusal.looseningStrict(of: "Me").isAboutInput)
    }
}
