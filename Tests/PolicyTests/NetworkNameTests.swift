import Foundation
import Testing

@testable import Policy

@Suite struct NetworkNameTests {
    @Test(
        arguments: [
            ("Adas-iPhone", "Adas-iPhone"), ("adas-iphone.fritz.box", "adas-iphone"), ("tv.lan.", "tv"),
            ("Ada\u{2019}s MacBook (2)", "Ada\u{2019}s MacBook (2)"), ("K\u{00FC}che", "K\u{00FC}che"),
            ("Ku\u{0308}che", "K\u{00FC}che"),
            ("\u{0915}\u{093F}\u{0924}\u{093E}\u{092C}", "\u{0915}\u{093F}\u{0924}\u{093E}\u{092C}"),
            // Names that somebody could use to attack a page, a log, or a reader.
            ("<script>alert(1)</script>", "scriptalert(1)script"),
            ("a\u{202E}b\u{0000}c\u{1B}[31m", "abc31m"),
            ("  spaces \t\n everywhere  ", "spaces everywhere"),
            ("x" + String(repeating: "\u{0301}", count: 200), "x\u{0301}\u{0301}"),
            ("\u{1F4A9}\u{200D}phone", "phone"), ("\u{FFFD}\u{FFFD}tv", "tv"),
            (String(repeating: "a", count: 400), String(repeating: "a", count: 60)),
            // Not a name at all.
            ("", nil), ("*", nil), (".", nil), ("-", nil), ("\u{0301}", nil), ("localhost", nil),
            ("_gateway", nil), ("Unknown", nil), ("192-168-1-20", nil), ("dhcp-192-168-1-20.lan", nil),
            ("host20-1-168-192", nil), ("192-168-1-21", "192-168-1-21"),
        ] as [(String, String?)])
    func cleaned(raw: String, name: String?) {
        #expect(NetworkName.cleaned(raw, addresses: ["fd00::1", "192.168.1.20"]) == name)
    }

    @Test func aNameThatAPersonTypedStays() throws {
        var household = home()
        household.devices[1].isNamed = false
        household.learnNetworkName(phone, "ada.lan")
        household.learnNetworkName(tablet, "tab.lan")
        #expect(household.devices.map(\.name) == ["Phone", "tab"])
        #expect(household.devices.map(\.networkName) == ["ada", "tab"])
        // The network changes the name, or no longer has one.
        household.learnNetworkName(tablet, "pad")
        household.learnNetworkName(tablet, "*")
        household.learnNetworkName(DeviceID(rawValue: 99), "nobody")
        #expect(household.devices[1].name == "pad")
        // The form is sent with its old content: that is not typing.
        try household.renameDevice(tablet, to: "pad")
        household.learnNetworkName(tablet, "pad-2")
        #expect(household.devices[1].name == "pad-2")
        try household.renameDevice(tablet, to: "Kim's")
        household.learnNetworkName(tablet, "pad-3")
        #expect(household.devices[1].name == "Kim's" && household.devices[1].networkName == "pad-3")
    }

    @Test(
        arguments: [
            ("iPhone", .phone), ("Adas-iPad", .tablet), ("Galaxy-Tab-S7", .tablet), ("Galaxy-S21", .phone),
            ("DESKTOP-8GH2", .computer), ("LG-webOS-TV", .television), ("PS5", .console),
            ("android-8f2", .phone),
            ("xboxone", .console), ("echo-kitchen", .speaker), ("Adas-MacBook-Air", .computer),
            ("insulin-pump", nil), ("babyphone", nil), ("heart-monitor", nil), ("Device 7", nil), ("", nil),
        ] as [(String, Device.Kind?)])
    func guessed(name: String, kind: Device.Kind?) {
        var device = home().devices[0]
        device.networkName = name
        #expect(device.guessedKind == nil, "somebody said what it is")
        device.kind = .other
        #expect(device.guessedKind == kind)
        #expect(device.guessedKind?.isExempt != true)
    }

    @Test(
        arguments: [
            ("02:00:00:00:00:01", true), ("da:a1:19:00:00:01", true), ("3c:22:fb:00:00:01", false),
            ("00:11:22:33:44:55", false), ("fe:ff:ff:00:00:00", true), (nil, false), ("", false),
            ("x", false),
        ] as [(String?, Bool)])
    func madeUp(hardware: String?, isPrivate: Bool) {
        var device = home().devices[0]
        device.hardwareAddress = hardware
        #expect(device.hasPrivateHardwareAddress == isPrivate)
    }
}

@Suite struct NameScheduleTests {
    private let start = at("2026-11-20T20:00:00Z")

    private func household(_ count: Int64) -> Household {
        var household = home()
        household.devices = (1...count).map {
            Device(
                id: DeviceID(rawValue: $0), name: "D", isNamed: false, addresses: ["10.0.1.\($0)"],
                firstSeen: start, lastSeen: start)
        }
        return household
    }

    @Test func atFirstSightThenSoonThenRarely() {
        var household = household(1)
        var schedule = NameSchedule()
        var looks: [Int] = []
        for second in 0..<50_000 {
            let now = start + TimeInterval(second)
            household.devices[0].lastSeen = now
            guard !schedule.due(in: household, at: now).isEmpty else { continue }
            looks.append(second)
            schedule.note(household.devices[0].id, found: false, at: now)
        }
        #expect(looks == [0, 20, 140, 1040, 22_640, 44_240])
    }

    @Test func aKnownNameIsLookedUpRarely() {
        var household = household(1)
        var schedule = NameSchedule()
        #expect(schedule.due(in: household, at: start).count == 1)
        schedule.note(household.devices[0].id, found: true, at: start)
        household.devices[0].networkName = "tv"
        household.devices[0].lastSeen = start + NameSchedule.rare
        #expect(schedule.due(in: household, at: start + NameSchedule.rare - 1).isEmpty)
        #expect(schedule.due(in: household, at: start + NameSchedule.rare).count == 1)
    }

    @Test func aScanIsTakenInPortionsAndWhoIsAwayIsNotAskedAbout() {
        let household = household(200)
        var schedule = NameSchedule()
        var seen: Set<DeviceID> = []
        for _ in 0..<25 {
            let due = schedule.due(in: household, at: start)
            #expect(due.count == NameSchedule.portion)
            for device in due { schedule.note(device.id, found: true, at: start) }
            seen.formUnion(due.map(\.id))
        }
        #expect(seen.count == 200)
        #expect(schedule.due(in: household, at: start).isEmpty)
        #expect(
            schedule.due(in: household, at: start + 10 * NameSchedule.rare).isEmpty, "nobody was here lately")
        var own = home()
        own.devices[0].addresses = ["127.0.0.1"]
        own.devices.removeLast()
        own.devices[0].lastSeen = start
        #expect(NameSchedule().with { $0.due(in: own, at: start).isEmpty })
    }
}

extension NameSchedule {
    fileprivate func with<T>(_ body: (inout NameSchedule) -> T) -> T {
        var copy = self
        return body(&copy)
    }
}
