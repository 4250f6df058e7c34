import Foundation
import Testing

@testable import Policy

/// What of another DNS server's household is taken (Docs/installing.md, "Moving in").
@Suite struct ImportPlanTests {
    static let now = at("2026-03-13T12:00:00Z")
    static let mac = "aa:bb:cc:00:00:01"

    static func catalog() throws -> Catalog { try CatalogDataTests.shipped() }

    static func pause(_ day: Weekday, _ start: Int, _ end: Int) -> ForeignRules.Pause {
        ForeignRules.Pause(day: day, start: start, end: end)!
    }

    static func client(
        _ name: String, _ mac: String = mac, services: [String] = [], domains: [String] = [],
        pauses: [ForeignRules.Pause] = [], isChild: Bool = false, group: String? = nil,
        ofTheHouse: Bool = false
    ) -> ForeignClient {
        ForeignClient(
            name: name, hardware: [mac], isChild: isChild, group: group,
            rules: ForeignRules(
                services: services, domains: domains, pauses: pauses, areOfTheHouse: ofTheHouse))
    }

    static func plan(
        _ clients: [ForeignClient], in household: Household = home(), choice: ImportPlan.Choice? = nil
    ) throws -> ImportPlan {
        household.importPlan(
            of: ForeignHousehold(source: .adGuardHome, clients: clients), choice: choice,
            catalog: try catalog())
    }

    static func take(_ plan: ImportPlan, into household: inout Household) throws {
        try household.take(
            plan, catalog: try catalog(),
            numbers: .init(
                devices: (0..<Int64(plan.newDevices)).map { DeviceID(rawValue: 50 + $0) },
                people: (0..<Int64(plan.people.count)).map { PersonID(rawValue: 50 + $0) }),
            newID: UUID.init, at: now)
    }

    @Test func everyServiceLeadsToAnAppOfTheCatalog() throws {
        let catalog = try Self.catalog()
        for (service, apps) in ForeignApps.services {
            for app in apps { #expect(catalog.app(id: app) != nil, "\(service): \(app)") }
        }
        for service in ["youtube", "tiktok", "instagram", "plenty_of_fish", "twitter", "xboxlive"] {
            #expect(!ForeignApps.apps(service: service, in: catalog).isEmpty, "\(service)")
        }
        #expect(ForeignApps.apps(service: "cloudflare", in: catalog).isEmpty)
    }

    @Test func aChildsPhoneBecomesTheChildsWithWindows() throws {
        var house = home()
        let after = [Weekday.mon, .tue, .wed, .thu, .fri].map { Self.pause($0, 900, 1_020) }
        let plan = try Self.plan(
            [Self.client("Mia’s phone", services: ["tiktok", "youtube"], pauses: after, isChild: true)],
            in: house)
        #expect(plan.devices.map(\.owner) == [.new("Mia")])
        #expect(plan.people == [.init(name: "Mia", isChild: true)])
        #expect(
            plan.rules.map(\.times) == ["Open Monday to Friday 15:00–17:00, and blocked at all other times."])
        #expect(plan.notTaken.isEmpty)
        try Self.take(plan, into: &house)
        let mia = try #require(house.people.last)
        #expect(mia.name == "Mia" && mia.role == .child)
        #expect(mia.antiRot.restricted == AppSelection(apps: ["tiktok", "youtube"]))
        #expect(mia.antiRot.windows?.map(\.times) == ["15:00–17:00"])
        let device = try #require(house.devices.last)
        #expect(device.name == "Mia’s phone" && device.hardwareAddress == Self.mac)
        #expect(device.person == mia.id && device.isConfirmed && device.isNamed)
    }

    @Test func withoutPausesItIsBlockedAllDay() throws {
        var house = home()
        try Self.take(
            try Self.plan([Self.client("Mia's tablet", services: ["tiktok"])], in: house), into: &house)
        #expect(house.people.last?.antiRot.windows == [])
    }

    @Test("UR-015: a pause until midnight ends at midnight, and one of a whole day leaves no minute shut")
    func aPauseUntilMidnight() throws {
        let windows = Weekday.allCases.map { Self.pause($0, 1_200, 1_440) }.windows(newID: UUID.init)
        #expect(windows.map(\.times) == ["20:00–24:00"])
        #expect(windows.first?.days == Set(Weekday.allCases))
        let weekend = [
            Self.pause(.fri, 1_439, 1_440), Self.pause(.sat, 0, 1_440), Self.pause(.sun, 0, 1_440),
        ]
        let open = AllowedWindows(
            try TimeWindow.checked(weekend.windows(newID: UUID.init)), in: .utc, except: [])
        #expect(open.state(at: at("2026-11-20T23:59:00Z")) == .open(until: at("2026-11-23T00:00:00Z")))
    }

    @Test func whatNothingBlocksIsNobodys() throws {
        let plan = try Self.plan([Self.client("Printer")])
        #expect(plan.devices.map(\.owner) == [.nobody])
        #expect(plan.people.isEmpty && plan.rules.isEmpty)
    }

    @Test func aPersonWhoIsHereIsRecognised() throws {
        let plan = try Self.plan([
            Self.client("kim-laptop", services: ["tiktok"]),
            Self.client("KIM’s phone", "aa:bb:cc:00:00:02", services: ["tiktok"]),
        ])
        #expect(plan.devices.map(\.owner) == [.person(kid), .person(kid)])
        #expect(plan.people.isEmpty)
    }

    @Test func aGroupBecomesAPersonAndTheHousesRulesOne() throws {
        let plan = try Self.plan([
            Self.client("phone", domains: ["tiktok.com"], group: "Teens"),
            Self.client("tablet", "aa:bb:cc:00:00:02", domains: ["www.tiktok.com"], group: "Teens"),
            Self.client("tv", "aa:bb:cc:00:00:03", services: ["netflix"], ofTheHouse: true),
        ])
        #expect(plan.people.map(\.name) == ["Teens", "Shared devices"])
        #expect(plan.rules.map(\.apps) == [["tiktok"], ["netflix"]])
    }

    @Test func namesOfApps() throws {
        let plan = try Self.plan([
            Self.client("Mia's phone", domains: ["tiktok.com", "i.instagram.com", "example.org"])
        ])
        #expect(plan.rules.first?.apps == ["tiktok"])
        #expect(plan.notTaken.contains { $0.hasPrefix("Of Instagram,") })
        #expect(plan.notTaken.contains { $0.contains("example.org") })
    }

    /// Rules belong to people: what several devices have is joined, and only common pauses stay.
    @Test func differentPausesOfOnePersonAreWhatIsCommon() throws {
        let plan = try Self.plan([
            Self.client("Mia's phone", services: ["tiktok"], pauses: [Self.pause(.mon, 900, 1_020)]),
            Self.client(
                "Mia's tablet", "aa:bb:cc:00:00:02", services: ["youtube"],
                pauses: [Self.pause(.mon, 960, 1_080)]),
        ])
        #expect(plan.rules.map(\.apps) == [["tiktok", "youtube"]])
        #expect(plan.rules.map(\.pauses) == [[Self.pause(.mon, 960, 1_020)]])
        #expect(plan.notTaken.contains { $0.hasPrefix("Mia’s devices have different rules") })
    }

    @Test func aDeviceThatIsHereKeepsOwnerRulesAndName() throws {
        var house = home()
        house.devices[1].hardwareAddress = Self.mac
        let before = house
        let plan = try Self.plan([Self.client("Other name", services: ["tiktok"], isChild: true)], in: house)
        #expect(plan.devices.map(\.known) == [tablet])
        #expect(plan.devices.map(\.keeps) == [kid])
        #expect(plan.newDevices == 0)
        try Self.take(plan, into: &house)
        #expect(house == before)
        #expect(plan.notTaken == ["“Other name” belongs to Kim here already. It keeps Kim’s rules."])
    }

    @Test func aDeviceWithoutANameGetsOne() throws {
        var house = home()
        house.devices[1].hardwareAddress = Self.mac
        house.devices[1].isNamed = false
        try Self.take(try Self.plan([Self.client("Kim's tab")], in: house), into: &house)
        #expect(house.devices[1].name == "Kim's tab" && house.devices[1].isNamed)
    }

    @Test(arguments: [StrictnessMode.strict, .flexible])
    func nothingIsLoosened(_ strictness: StrictnessMode) throws {
        var house = home(schedule("22:00", "07:00", strictness))
        house[person: kid]?.looseningDelay = 24
        house[person: kid]?.antiRot = AntiRot(restricted: AppSelection(apps: ["youtube"]), windows: [])
        let night = at("2026-03-13T23:00:00Z")
        _ = house.settle(at: night, newID: UUID.init)
        let plan = try Self.plan(
            [Self.client("Kim's laptop", services: ["tiktok"], pauses: [Self.pause(.mon, 0, 600)])], in: house
        )
        try house.take(
            plan, catalog: try Self.catalog(),
            numbers: .init(devices: [DeviceID(rawValue: 50)], people: []), newID: UUID.init, at: night)
        let kim = try #require(house[person: kid])
        #expect(kim.antiRot.restricted?.apps == ["tiktok", "youtube"])
        #expect(kim.antiRot.windows == [] && kim.pending.isEmpty)
        #expect(plan.notTaken.contains { $0.hasPrefix("Kim has times in Anti-Rot already") })
    }

    @Test func whatIsNoDeviceIsSaid() throws {
        let range = ForeignClient(name: "Guests", otherIDs: ["192.168.5.0/24"])
        let plan = try Self.plan([
            range, Self.client("One"), Self.client("Two"),
            Self.client("Odd", "aa:bb:cc:00:00:02", services: ["cloudflare"], isChild: true),
        ])
        #expect(plan.devices.map(\.client) == [1, 3])
        #expect(plan.notTaken.contains { $0.hasPrefix("“Guests” has no address of one device") })
        #expect(plan.notTaken.contains { $0.hasPrefix("“Two” has an address that another client") })
        #expect(plan.notTaken.contains("The service “cloudflare” is not in our catalog."))
    }

    @Test func whatIsAlwaysPausedIsNotTaken() throws {
        let week = Weekday.allCases.map { Self.pause($0, 0, 1_440) }
        let plan = try Self.plan([Self.client("Mia's phone", services: ["tiktok"], pauses: week)])
        #expect(plan.rules.isEmpty)
        #expect(plan.notTaken.contains { $0.contains("paused all week") })
    }

    @Test func ticksAndOwnersAreFollowed() throws {
        let clients = [
            Self.client("Mia's phone", services: ["tiktok"]),
            Self.client("Tom's phone", "aa:bb:cc:00:00:02", services: ["youtube"]),
        ]
        let plan = try Self.plan(clients, choice: .init(clients: [1], owners: [0: .nobody, 1: .person(me)]))
        #expect(plan.newDevices == 1 && plan.people.isEmpty)
        #expect(plan.rules.map(\.owner) == [.person(me)])
        var house = home()
        #expect(throws: Refusal.nothingToImport) {
            try Self.take(try Self.plan(clients, choice: .init(clients: [])), into: &house)
        }
        #expect(throws: Refusal.importOvertaken) {
            try house.take(
                plan, catalog: try Self.catalog(), numbers: .init(devices: [], people: []), newID: UUID.init,
                at: Self.now)
        }
        #expect(house == home())
    }

    @Test func hostileNamesAreCleaned() throws {
        var house = home()
        let name = "\u{202E}evil\n" + String(repeating: "x", count: 500)
        try Self.take(try Self.plan([Self.client(name, isChild: true)], in: house), into: &house)
        #expect(house.devices.last?.name.count == 60)
        #expect(house.people.last?.name.count == 60)
    }
}
