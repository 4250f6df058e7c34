import Foundation
import Policy
import Testing

/// Which findings follow from which facts, and which do not.
@Suite struct FindingTests {
    /// Sunday, 22 November 2026, 20:00 in Berlin.
    private static let now = Date(timeIntervalSince1970: 1_795_374_000)
    private static let start = now - 86_400
    private static let day: TimeInterval = 86_400

    private static func household(_ devices: [Device] = []) -> Household {
        Household(
            timeZone: "Europe/Berlin", people: [Person(id: PersonID(rawValue: 1), name: "Ada")],
            devices: devices)
    }

    private static func facts(_ change: (inout HouseFacts) -> Void) -> HouseFacts {
        var facts = HouseFacts(now: now, runningSince: start)
        change(&facts)
        return facts
    }

    private static func place(_ addresses: [(String, TimeInterval)]) -> KnownPlace {
        var place = KnownPlace()
        for (address, ago) in addresses { place.note(address: address, upstreams: [], at: now - ago) }
        return place
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let facts: HouseFacts
        /// The id of the first finding; nil if there is none.
        let id: String?
        let says: String
        let isJudged: Bool

        init(
            _ name: String, _ id: String?, says: String = "", isJudged: Bool = true,
            _ change: (inout HouseFacts) -> Void
        ) {
            testDescription = name
            facts = FindingTests.facts(change)
            self.id = id
            self.says = says
            self.isJudged = isJudged
        }
    }

    private static func moved(_ place: KnownPlace) -> (inout HouseFacts) -> Void {
        { facts in
            facts.place = place
            facts.isPlaceKnown = true
        }
    }

    private static let cases = [
        Case("nothing is known", nil, isJudged: false) { _ in },
        Case("same address", nil, moved(place([("10.0.0.5", 9 * day), ("10.0.0.5", 0)]))),
        Case(
            "another address", "address", says: "was 10.0.0.5 and is 10.0.0.9 now",
            moved(place([("10.0.0.5", 9 * day), ("10.0.0.9", 60)]))),
        Case("back again", nil, moved(place([("10.0.0.5", day), ("10.0.0.9", 60), ("10.0.0.5", 1)]))),
        Case(
            "twice in a row", "address", says: "was 10.0.0.5 and is 10.0.0.7 now",
            moved(place([("10.0.0.5", day), ("10.0.0.9", 60), ("10.0.0.7", 1)]))),
        Case("a week ago", nil, moved(place([("10.0.0.5", 9 * day), ("10.0.0.9", 7 * day)]))),
        Case("no upstream was asked yet", nil, isJudged: false) { $0.upstreams = nil },
        Case("upstreams answer", nil) { $0.upstreams = [.init(address: "9.9.9.9")] },
        Case("the only upstream is silent", "upstream-silent-9.9.9.9", says: "since 19:59. Until it does") {
            $0.upstreams = [.init(address: "9.9.9.9", .silent(since: now - 60))]
        },
        Case("one of two is silent", "upstream-silent-9.9.9.9", says: "The others are asked instead.") {
            $0.upstreams = [.init(address: "9.9.9.9", .silent(since: now - 60)), .init(address: "1.1.1.1")]
        },
        Case(
            "an upstream looks nothing up", "upstream-silent-9.9.9.9", says: "answers, but finds no names"
        ) {
            $0.upstreams = [.init(address: "9.9.9.9", .fruitless(since: now - 60))]
        },
        Case(
            "the only upstream asks back", "upstream-silent-10.0.0.1", says: "Until it stops, few pages open."
        ) {
            $0.upstreams = [.init(address: "10.0.0.1", .loops)]
        },
        Case("one of two asks back", "upstream-silent-10.0.0.1", says: "asks this server back, so it") {
            $0.upstreams = [.init(address: "10.0.0.1", .loops), .init(address: "1.1.1.1")]
        },
        Case("all settings can be used", nil) { $0.unusable = [] },
        Case("a line that nobody can use", "network-settings-nameserver-router", says: "skips it") {
            $0.unusable = [.line("nameserver router")]
        },
        Case(
            "a long line, twice", "network-settings-" + String(repeating: "x", count: 80), says: "skips it"
        ) {
            $0.unusable = [
                .line(String(repeating: "x", count: 300)), .line(String(repeating: "x", count: 301)),
            ]
        },
        Case("an interface that is away", "network-settings-fe80::1%wlan0", says: "as soon as the interface")
        {
            $0.unusable = [.upstream("fe80::1%wlan0", missingInterface: "wlan0")]
        },
        Case("room on the disk", nil) { $0.disk = .init(free: 200_000_000, total: 10_000_000_000) },
        Case("under 200 MB", "disk", says: "Only 199 MB are free") {
            $0.disk = .init(free: 199_999_999, total: 1_000_000_000)
        },
        Case("under 2 % of a large disk", "disk") {
            $0.disk = .init(free: 19_999_999_999, total: 1_000_000_000_000)
        },
        Case("2 % of a large disk", nil) { $0.disk = .init(free: 20_000_000_000, total: 1_000_000_000_000) },
        Case("a disk that takes nothing", "disk", says: "is read-only") {
            $0.disk = .init(free: 200_000_000, total: 10_000_000_000, isReadOnly: true)
        },
        Case("the largest disk there is", nil) { $0.disk = .init(free: .max, total: .max) },
        Case("the clock is right", nil) { $0.isClockSynchronised = true },
        Case("the clock is wrong", "clock", says: "not synchronised") { $0.isClockSynchronised = false },
        Case("the clock has time after a start", nil, isJudged: false) {
            $0.runningSince = now - 599
            $0.isClockSynchronised = false
        },
        Case("without a server nothing waits", "clock") {
            $0.runningSince = nil
            $0.isClockSynchronised = false
        },
        Case("a backup of the day before yesterday", nil) {
            $0.backup = .init(latest: CivilDate(year: 2026, month: 11, day: 20))
        },
        Case("an older backup", "backup", says: "is from 2026-11-19") {
            $0.backup = .init(latest: CivilDate(year: 2026, month: 11, day: 19))
        },
        Case("no backup", "backup", says: "no daily backup yet") { $0.backup = .init(latest: nil) },
        Case("no backup yet, right after the start", nil, isJudged: false) {
            $0.runningSince = now - 5
            $0.backup = .init(latest: nil)
        },
        Case("a backup that failed", "backup", says: "failed. The disk is full.") {
            $0.backup = .init(latest: CivilDate(year: 2026, month: 11, day: 22), failure: "The disk is full.")
        },
        Case("another DNS server", "other-dns-server-10.0.0.7", says: "10.0.0.7. A device that uses it") {
            $0.otherServers = ["10.0.0.7"]
        },
        Case("none but the router", nil) { $0.otherServers = [] },
        Case(
            "a router that names devices in vain", "forwarder-10.0.0.1", says: "with --forwarder 10.0.0.1 to"
        ) {
            $0.unbelieved = ["10.0.0.1"]
        },
        Case("no router names devices", nil) { $0.unbelieved = [] },
        Case("a bind that was refused", "refused", says: "DNS on port 53: taken; pages: denied.") {
            $0.refused = ["DNS on port 53: taken", "pages: denied"]
        },
        Case("everything open", nil) { $0.refused = [] },
        Case("a gateway without its rules", "gateway", says: "As a gateway: There is no interface br0.") {
            $0.gateway = ["There is no interface br0."]
        },
        Case("a gateway with them", nil) { $0.gateway = [] },
    ]

    @Test(arguments: cases) func said(_ one: Case) {
        // The findings about backup and clock depend only on the facts; devices have their own table.
        var household = Self.household()
        household.devices = []
        let found = household.findings(one.facts)
        #expect(found.map(\.id) == [one.id].compactMap { $0 })
        #expect(
            one.says.isEmpty || found.first?.sentence.contains(one.says) == true,
            "\(found.first?.sentence ?? "")")
        let lines = HealthLine.lines(found, judged: one.facts.judged).filter {
            !["quiet-device", "returned-device", "way-out"].contains($0.id)
        }
        #expect(lines.isEmpty == !one.isJudged)
        #expect(lines.allSatisfy { $0.isGood } == (one.id == nil))
    }

    @Test(
        arguments: [
            (Device.Kind.phone, 12 * 3600 - 1.0, true, nil), (.phone, 12 * 3600, true, "since 08:00"),
            (.tablet, 22 * 3600, true, "since yesterday at 22:00"), (.computer, 2 * day, true, nil),
            (.computer, 3 * day, true, "since Thursday at 20:00"),
            (.other, 8 * day, true, "since 2026-11-14"),
            (.phone, 14 * day, true, nil), (.phone, 2 * day, false, nil),
            (.phone, now.timeIntervalSince1970, true, nil), (.phone, -500, true, nil),
        ] as [(Device.Kind, TimeInterval, Bool, String?)])
    func quiet(kind: Device.Kind, ago: TimeInterval, isEnrolled: Bool, says: String?) {
        let device = Device(
            id: DeviceID(rawValue: 7), name: "Ada\u{202E}s phone", kind: kind,
            person: isEnrolled ? PersonID(rawValue: 1) : nil, addresses: ["10.0.0.7"], firstSeen: Self.start,
            lastSeen: Self.now - ago)
        let found = Self.household([device]).findings(HouseFacts(now: Self.now, runningSince: Self.start))
        #expect(found.map(\.id) == (says == nil ? [] : ["quiet-device-7"]))
        let sentence = found.first?.sentence
        #expect(
            sentence
                == says.map {
                    "\u{201C}Adas phone\u{201D} has not asked \($0). It may be off, away, or using another DNS."
                })
        #expect(sentence?.contains("bypass") != true)
        // A server that was off has heard no device: each gets an hour to come back.
        let early = HouseFacts(now: Self.now, runningSince: Self.now - 3599)
        #expect(Self.household([device]).findings(early).isEmpty)
    }

    @Test func theBoardRaisesOnceClearsOnceAndForgetsNothingThatWasNotLookedAt() throws {
        let household = Self.household()
        var board = NoticeBoard()
        let wrong = Self.facts { $0.isClockSynchronised = false }
        #expect(board.take(household, wrong).map(\.kind) == [.noticeRaised])
        #expect(board.take(household, wrong).isEmpty)
        #expect(board.notices.map(\.since) == [Self.now])
        let unknown = Self.facts { $0.disk = .init(free: 1, total: 1) }
        let raised = board.take(household, unknown)
        #expect(raised.map { $0.details["notice"] } == [.text("disk")] && raised[0].person == nil)
        #expect(board.notices.map(\.id) == ["disk", "clock"])
        #expect(board.shown(at: Self.now).count == 2)

        try board.putAway("clock", at: Self.now)
        #expect(throws: Refusal.unknownNotice) { try board.putAway("backup", at: Self.now) }
        #expect(board.shown(at: Self.now + Self.day - 1).map(\.id) == ["disk"])
        #expect(board.shown(at: Self.now + Self.day).map(\.id) == ["disk", "clock"])
        #expect(
            board.shown(at: Self.now - 1).count == 2, "a clock that was set back puts nothing away for longer"
        )

        let cleared = board.take(household, Self.facts { $0.isClockSynchronised = true })
        #expect(cleared.map(\.kind) == [.noticeCleared] && cleared[0].details["notice"] == .text("clock"))
        #expect(board.lines.filter { !$0.isGood }.map(\.id) == ["disk"])
        // A notice that comes again is new, and no longer hidden.
        #expect(board.take(household, wrong).count == 1)
        #expect(board.shown(at: Self.now).count == 2)
    }

    @Test func aDevicesNoticeIsItsPersonsToo() {
        let device = Device(
            id: DeviceID(rawValue: 7), name: "Phone", kind: .phone, person: PersonID(rawValue: 1),
            addresses: ["10.0.0.7"], firstSeen: Self.start, lastSeen: Self.now - Self.day)
        var (household, board) = (Self.household([device]), NoticeBoard())
        let facts = HouseFacts(now: Self.now, runningSince: Self.start)
        #expect(board.take(household, facts).map(\.person) == [PersonID(rawValue: 1)])
        // A released device is not reported any more, even if devices are not judged.
        household.devices[0].person = nil
        #expect(board.take(household, HouseFacts(now: Self.now)).map(\.kind) == [.noticeCleared])
        #expect(board.notices.isEmpty)
    }

    @Test func anNtfyTopicHearsASentenceUnderATitle() throws {
        let event = WebhookEvent(
            kind: .noticeRaised, person: nil, name: nil, instant: Self.now,
            details: ["notice": .text("clock"), "text": .text("Ä.")])
        let notice = try #require(PlainNotice(letter: try event.body(id: "msg_1", form: .ntfy)))
        #expect(notice == PlainNotice(title: "Something needs attention", text: "Ä."))
        #expect(try event.body(id: "msg_1").contains(#""data":{"notice":"clock","text":"Ä."}"#))
        for kind in WebhookEvent.Kind.allCases {
            let event = WebhookEvent(
                kind: kind, person: nil, name: "Ada", instant: Self.now,
                details: ["limit": .text("TikTok"), "minutes": .number(15)])
            let plain = try #require(PlainNotice(letter: try event.body(id: "", form: .ntfy)))
            #expect(plain.title.allSatisfy(\.isASCII) && plain.text == "Ada: TikTok, 15 minutes")
        }
        #expect(
            PlainNotice(letter: try WebhookEvent.testBody(id: "", form: .ntfy, at: Self.now))?.text.isEmpty
                == false)
    }
}
