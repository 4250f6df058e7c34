import Foundation
import Testing

@testable import Policy

/// Ways past this server that are seen on a child's device: Kim's tablet, the device 2.
@Suite struct SeenWayOutTests {
    private static let now = at("2026-11-20T16:00:00Z")
    private static let day: TimeInterval = 86_400

    /// What the board shows.
    private func said(_ household: Household, at now: Date = now) -> [String] {
        var board = NoticeBoard()
        _ = board.take(household, HouseFacts(now: now, runningSince: now - 60))
        return board.notices.map(\.id)
    }

    private func events(_ household: Household, since old: Household, at now: Date = now) -> [WebhookEvent] {
        household.webhookEvents(since: old, ended: [], catalog: FamilyDeviceTests.catalog, at: now)
    }

    private func settle(_ household: inout Household, at now: Date) {
        _ = household.settle(at: now, newID: UUID.init)
    }

    @Test("Each kind is told once a day of each device, and forgotten after the day")
    func onceADay() {
        var household = home()
        let before = household
        household.note(.vpn, on: tablet, at: Self.now)
        let told = events(household, since: before)
        #expect(told.map(\.kind) == [.noticeRaised] && told.first?.person == kid)
        #expect(told.first?.details["notice"] == .text("way-out-vpn-2"))
        #expect(said(household) == ["way-out-vpn-2"])
        let noted = household
        household.note(.vpn, on: tablet, at: Self.now + Self.day - 1)
        #expect(household == noted && events(household, since: noted).isEmpty)
        household.note(.secondServer, on: tablet, at: Self.now + 60)
        #expect(events(household, since: noted).map(\.kind) == [.noticeRaised], "another kind")
        #expect(said(household) == ["way-out-vpn-2", "way-out-second-server-2"])
        settle(&household, at: Self.now + Self.day)
        #expect(said(household, at: Self.now + Self.day) == ["way-out-second-server-2"])
        var late = noted
        late.note(.vpn, on: tablet, at: Self.now + Self.day)
        #expect(events(late, since: noted).count == 1, "nobody looked when the day was over")
        let forgotten = household
        household.note(.vpn, on: tablet, at: Self.now + Self.day)
        #expect(events(household, since: forgotten).count == 1, "the next day it is told again")
    }

    @Test(
        "A page that was opened without a question is told a minute later, unless the device asks meanwhile")
    func waits() {
        let first = Self.now - 400
        func noted() -> Household {
            var household = home()
            household.note(.asksElsewhere, on: tablet, since: first, at: Self.now)
            return household
        }
        var household = noted()
        #expect(household.devices[1].waysOut.count == 1 && said(household).isEmpty)
        household.lookForWaysOut(asked: [tablet: Self.now + 5], silent: [:], at: Self.now + 10)
        #expect(household == home(), "it was no way out")

        household = noted()
        settle(&household, at: Self.now + 59)
        #expect(household == noted())
        settle(&household, at: Self.now + 60)
        #expect(events(household, since: noted(), at: Self.now + 60).map(\.kind) == [.noticeRaised])
        #expect(household.ruleEvents(since: noted(), at: Self.now + 60).map(\.person) == [kid])
        let told = household
        household.lookForWaysOut(asked: [tablet: first], silent: [:], at: Self.now + 61)
        #expect(household == told, "it asked before")
        household.lookForWaysOut(asked: [tablet: Self.now + 61], silent: [:], at: Self.now + 62)
        #expect(said(household).isEmpty)
        let mended = events(household, since: told, at: Self.now + 62)
        #expect(mended.map(\.kind) == [.noticeCleared])
        #expect(mended.first?.details["notice"] == .text("way-out-asks-elsewhere-2"))
        #expect(!household.isNews(.asksElsewhere, on: tablet, at: Self.now + 900), "told today already")
    }

    @Test("Pages show it if five minutes lie between them and no question does")
    func silent() {
        let never = Date(timeIntervalSince1970: 0)
        var span = SilentSpan(at: Self.now)
        span.open(at: Self.now + 299, asked: never)
        #expect(!span.isTelling(asked: never))
        span.open(at: Self.now + 300, asked: never)
        #expect(span.isTelling(asked: never) && span.isTelling(asked: Self.now - 1))
        #expect(!span.isTelling(asked: Self.now))
        span.open(at: Self.now + 400, asked: Self.now + 350)
        #expect(span.first == Self.now + 400, "a question in between begins anew")
        span.open(at: Self.now - 5000, asked: never)
        #expect(span.first == Self.now - 5000, "a clock that was set back too")

        span = SilentSpan(at: Self.now)
        span.open(at: Self.now + 300, asked: never)
        var household = home()
        household.devices[1].lastSeen = Self.now + 10
        household.lookForWaysOut(asked: [:], silent: [tablet: span], at: Self.now + 301)
        #expect(household.devices[1].waysOut.isEmpty)
        household.devices[1].lastSeen = Self.now - 10
        household.lookForWaysOut(asked: [:], silent: [tablet: span], at: Self.now + 301)
        #expect(
            household.devices[1].waysOut == [
                SeenWayOut(.asksElsewhere, since: Self.now, due: Self.now + 361)
            ])
    }

    @Test("Only a child's device is watched, and only while there is an adult to tell")
    func onlyChildren() throws {
        var household = home()
        for kind in SeenWayOut.Kind.allCases {
            household.note(kind, on: phone, at: Self.now)
            household.note(kind, on: DeviceID(rawValue: 99), at: Self.now)
        }
        #expect(household == home(), "an adult's, and none")
        household.people[0].role = .child
        household.note(.vpn, on: tablet, at: Self.now)
        #expect(household.devices[1].waysOut.isEmpty, "nobody is told")
        household = home()
        household.people[1].opensWaysOut = true
        #expect(!household.isNews(.vpn, on: tablet, at: Self.now))
        #expect(household.isNews(.secondServer, on: tablet, at: Self.now))
        household = home()
        household.note(.vpn, on: tablet, at: Self.now)
        household.devices[1].person = me
        #expect(said(household).isEmpty)
        settle(&household, at: Self.now + 1)
        #expect(household.devices[1].waysOut.isEmpty, "it is no child's any more")
    }

    @Test("A new device that looks like a child's is told as a way out, until somebody says whether it is")
    func newAddress() throws {
        let noon = ReturnTests.evening + 900
        var household = ReturnTests.household()
        let before = household
        household.lookForWaysOut(asked: [:], silent: [:], at: noon)
        #expect(
            said(household, at: noon) == ["way-out-new-address-2"], "and not once more as returned-device-2")
        let told = events(household, since: before, at: noon)
        #expect(told.map(\.kind) == [.noticeRaised])
        let noted = household
        household.lookForWaysOut(asked: [:], silent: [:], at: noon + 60)
        #expect(household == noted)
        try household.tellApart(ReturnTests.stranger, from: tablet)
        household.lookForWaysOut(asked: [:], silent: [:], at: noon + 120)
        #expect(said(household, at: noon + 120).isEmpty)
        #expect(events(household, since: noted, at: noon + 120).map(\.kind) == [.noticeCleared])
        var adults = ReturnTests.household { known, _ in known.person = me }
        adults.lookForWaysOut(asked: [:], silent: [:], at: noon)
        #expect(said(adults, at: noon) == ["returned-device-2"])
    }

    @Test("A check shows a second server, or another one instead, where nothing else explains it")
    func check() {
        func question(_ family: SetupCheck.Family, by address: String) -> SetupCheck.Question {
            SetupCheck.Question(id: "1", family: family, address: address)
        }
        var evidence = SetupCheck.Evidence(address: "10.0.0.3")
        evidence.loaded = [.either]
        evidence.questions = Set(SetupCheck.Family.allCases.map { question($0, by: "10.0.0.3") })
        #expect(evidence.wayOut == nil)
        evidence.questions = [question(.v4, by: "10.0.0.3")]
        #expect(evidence.wayOut == .secondServer)
        evidence.questions = []
        evidence.loaded = []
        #expect(evidence.wayOut == .asksElsewhere)
        evidence.system = .apple
        #expect(evidence.wayOut == nil, "it may be Private Relay")
        evidence.signs = [.encryptedDNS]
        evidence.asksHere = true
        #expect(evidence.wayOut == .asksElsewhere)
        evidence.questions = [question(.either, by: "10.0.0.1")]
        #expect(evidence.wayOut == nil, "the router asks here in its place")
    }

    @Test(
        "One sentence says what is seen, on which device and whose, and what closes it; never a visited name")
    func words() throws {
        var household = home()
        household.devices[1].name = "Kim's pad"
        let own = household.finding(.asksElsewhere, on: household.devices[1])
        #expect(own.sentence.hasPrefix("\u{201C}Kim's pad\u{201D} opens pages here"))
        household.devices[1].name = "Pad\u{202E}"
        for kind in SeenWayOut.Kind.allCases {
            let finding = household.finding(kind, on: household.devices[1])
            #expect(finding.sentence.contains("\u{201C}Pad\u{201D} of Kim"))
            #expect(finding.wayOut == kind && finding.device == tablet)
            #expect(finding.nextStep?.path == kind.nextStep.path && kind.words(on: "Pad").hasSuffix("Pad"))
        }
        let before = household
        household.note(.vpn, on: tablet, at: Self.now)
        let told = try #require(events(household, since: before).first)
        let notice = try #require(PlainNotice(letter: told.body(id: "msg_1", form: .ntfy)))
        #expect(notice.title == "Something needs attention" && notice.text.contains("of Kim looked up a VPN"))
    }

    @Test("The listed VPN sites and what is below them count, and nothing beside them")
    func names() {
        for name in ["nordvpn.com", "api.nordvpn.com", "vpn.proton.me"] { #expect(WaysOut.covers(name)) }
        for name in ["notnordvpn.com", "proton.me", "com", "", "nordvpn.com.example"] {
            #expect(!WaysOut.covers(name))
        }
    }
}
