import Foundation
import Policy
import Testing

/// T-18: where a webhook may lead, which events it gets, and how waiting messages are kept.
@Suite struct WebhookTests {
    private static let own: Set<[UInt8]> = [
        [192, 168, 1, 2], [0xfd] + [UInt8](repeating: 0, count: 14) + [2],
    ]

    private static func address(_ typed: String) throws(Refusal) -> WebhookAddress {
        try WebhookAddress(typed: typed, own: own) { $0 == "sleep.home.arpa" || $0 == "pi.local" }
    }

    @Test(
        "The home over http, the internet over https, a name over either",
        arguments: [
            ("http://192.168.1.20:8123/api/webhook/x", "http://192.168.1.20:8123"),
            (" http://10.0.0.5/ ", "http://10.0.0.5"), ("http://172.31.0.1/a?b=c", "http://172.31.0.1"),
            ("http://100.64.0.9", "http://100.64.0.9"), ("http://[fd00::9]:8080/x", "http://[fd00::9]:8080"),
            ("https://203.0.113.7/x", "https://203.0.113.7"), ("HTTPS://Ntfy.sh/topic", "https://ntfy.sh"),
            ("http://ha.lan/api", "http://ha.lan"),
            ("http://homeassistant.local:8123", "http://homeassistant.local:8123"),
            ("https://[2001:db8::1]/", "https://[2001:db8::1]"),
        ])
    func addresses(typed: String, origin: String) throws {
        #expect(try Self.address(typed).origin == origin)
    }

    @Test(
        "Unusable addresses are refused, each with its own reason",
        arguments: [
            ("", Refusal.webhookAddressUnreadable), ("ha.lan", .webhookAddressUnreadable),
            ("ftp://ha.lan/", .webhookAddressUnreadable), ("http://", .webhookAddressUnreadable),
            ("http://a b/", .webhookAddressUnreadable), ("http://ha.lan/#x", .webhookAddressUnreadable),
            ("http://ha.lan:0/", .webhookAddressUnreadable),
            ("http://ha.lan:70000/", .webhookAddressUnreadable),
            ("http://127.1/", .webhookAddressUnreadable), ("http://2130706433/", .webhookAddressUnreadable),
            ("http://0x7f000001/", .webhookAddressUnreadable),
            ("http://häuschen.lan/", .webhookAddressUnreadable),
            ("http://ha.lan\\@127.0.0.1/", .webhookAddressUnreadable),
            ("http://" + String(repeating: "a", count: 1_000), .webhookAddressUnreadable),
            ("http://me:secret@ha.lan/", .webhookHasPassword), ("https://me@ha.lan/", .webhookHasPassword),
            ("http://127.0.0.1/", .webhookLeadsHere), ("https://127.9.9.9/", .webhookLeadsHere),
            ("http://[::1]/", .webhookLeadsHere), ("http://[::ffff:127.0.0.1]/", .webhookLeadsHere),
            ("http://169.254.169.254/latest", .webhookLeadsHere), ("http://[fe80::1]/", .webhookLeadsHere),
            ("http://0.0.0.0/", .webhookLeadsHere), ("http://[::]/", .webhookLeadsHere),
            ("http://224.0.0.251/", .webhookLeadsHere), ("http://[ff02::1]/", .webhookLeadsHere),
            ("http://192.168.1.2/", .webhookLeadsHere), ("http://[fd00::2]/", .webhookLeadsHere),
            ("http://localhost:80/", .webhookLeadsHere), ("http://a.localhost./", .webhookLeadsHere),
            ("http://Sleep.home.arpa/", .webhookLeadsHere), ("http://sleep.home.arpa./", .webhookLeadsHere),
            ("http://203.0.113.7/", .webhookNeedsTLS), ("http://172.32.0.1/", .webhookNeedsTLS),
            ("http://[2001:db8::1]/", .webhookNeedsTLS), ("http://[::ffff:203.0.113.7]/", .webhookNeedsTLS),
        ])
    func refused(typed: String, reason: Refusal) {
        #expect(throws: reason) { try Self.address(typed) }
        #expect(reason.isAboutInput)
    }

    @Test(
        "An adult's reached limit goes to their own webhooks, a child's to the whole home's too",
        arguments: [(Person.Role.adult, false), (.child, true)])
    func limits(role: Person.Role, isForAll: Bool) throws {
        let ada = PersonID(rawValue: 2)
        let event = WebhookEvent(kind: .limitReached, person: ada, name: "Ada", instant: .distantPast)
        let told = try [nil, me, ada].map { person in
            try Webhook(
                id: UUID(), person: person, address: Self.address("http://ha.lan"), events: [.limitReached],
                since: .distantPast
            ).wants(
                event, of: [ada: Person(id: ada, name: "Ada", role: role), me: Person(id: me, name: "Me")])
        }
        #expect(told == [isForAll, false, true])
    }

    @Test("A webhook gets its own events of its own people; one without events is refused")
    func wants() throws {
        let ada = PersonID(rawValue: 2)
        func hook(_ person: PersonID?) throws -> Webhook {
            try Webhook(
                id: UUID(), person: person, address: Self.address("http://ha.lan"),
                events: [.sleepStarted], since: .distantPast)
        }
        let event = WebhookEvent(kind: .sleepStarted, person: ada, name: "Ada", instant: .distantPast)
        var other = event
        other.kind = .sleepEnded
        let people = [ada: Person(id: ada, name: "Ada")]
        #expect(try hook(nil).wants(event, of: people) && (try hook(ada)).wants(event, of: people))
        #expect(try !hook(me).wants(event, of: people) && !hook(nil).wants(other, of: people))
        #expect(try !hook(ada).wants(event, of: [:]), "she is not here any more")
        #expect(throws: Refusal.webhookWithoutEvents) {
            try Webhook(
                id: UUID(), person: nil, address: Self.address("http://ha.lan"), events: [],
                since: .distantPast)
        }
    }

    @Test(
        "Only 2xx counts as accepted",
        arguments: [
            (200, true), (204, true), (299, true), (199, false), (302, false), (410, false), (500, false),
        ])
    func taken(status: Int, isTaken: Bool) {
        #expect(Webhook.Outcome.answered(status).isTaken == isTaken)
    }

    @Test("A body is the same bytes every time, and says only what it must")
    func body() throws {
        let event = WebhookEvent(
            kind: .limitReached, person: me, name: "A \"B\"", instant: at("2026-11-18T10:00:00Z"),
            details: [
                "limit": .text("TikTok/X"), "minutes": .number(15),
                "endsAt": .instant(at("2026-11-18T11:00:00Z")),
            ])
        #expect(
            try event.body(id: "msg_1")
                == #"{"at":"2026-11-18T10:00:00Z","data":{"endsAt":"2026-11-18T11:00:00Z","limit":"TikTok/X","#
                + #""minutes":15},"event":"limit.reached","id":"msg_1","person":"A \"B\""}"#)
        #expect(
            try WebhookEvent.testBody(id: "msg_2", at: at("2026-11-18T10:00:00Z"))
                == #"{"at":"2026-11-18T10:00:00Z","data":{},"event":"webhook.test","id":"msg_2"}"#)
    }
}

/// Which events the changes of a household make.
@Suite struct WebhookEventTests {
    private func told(
        _ old: Household, _ new: Household, ended: [SessionEvent] = [], at now: Date
    ) -> [WebhookEvent] {
        new.webhookEvents(since: old, ended: ended, catalog: smallCatalog, at: now)
    }

    @Test("Focus: start, pause, resume, stop, complete")
    func focus() throws {
        var now = at("2026-11-18T10:00:00Z")
        var household = home()
        func after(_ seconds: Double, _ rule: (inout Household) throws -> Void) rethrows -> [WebhookEvent] {
            now += seconds
            let before = household
            try rule(&household)
            return told(before, household, at: now)
        }
        let started = try after(0) { try $0.startFocus(me, minutes: 25, session: UUID(), at: now) }
        #expect(started.map(\.kind) == [.focusStarted])
        #expect(started[0].details == ["totalSeconds": .number(1_500), "endsAt": .instant(now + 1_500)])
        let paused = try after(60) { try $0.moveFocus(me, .pause, at: now) }
        #expect(paused.map(\.kind) == [.focusPaused])
        #expect(paused[0].details == ["remainingSeconds": .number(1_440)])
        let resumed = try after(60) { try $0.moveFocus(me, .resume, at: now) }
        #expect(resumed.map(\.kind) == [.focusResumed])
        #expect(resumed[0].details == ["remainingSeconds": .number(1_440), "endsAt": .instant(now + 1_440)])
        #expect(after(30) { _ in } == [])
        let stopped = try after(30) { try $0.moveFocus(me, .stop(save: false), at: now) }
        #expect(stopped.map(\.kind) == [.focusStopped])
        #expect(stopped[0].details == [:])
        _ = try after(0) { try $0.startFocus(me, minutes: 45, session: UUID(), at: now) }
        let begun = now
        let completed = after(9_000) { _ = $0.settle(at: now, newID: UUID.init) }
        #expect(completed.map(\.kind) == [.focusCompleted])
        #expect(completed[0].details == ["totalSeconds": .number(2_700)])
        #expect(completed[0].instant == begun + 2_700)
    }

    @Test("Sleep: told once at the start, and at each kind of end")
    func sleep() throws {
        let now = at("2026-11-18T10:00:00Z")
        let before = home()
        var after = before
        let start = try after.startSession(
            me, durationMinutes: 60, strictness: .strict, id: UUID(), at: now)
        let started = told(before, after, at: now)
        #expect(started.map(\.kind) == [.sleepStarted])
        #expect(
            started[0].details == [
                "mode": .text("manual"), "strictness": .text("strict"), "endsAt": .instant(now + 3_600),
            ])
        #expect(told(after, after, at: now) == [])
        var over = after
        over.people[0].session = nil
        for (reason, kind) in [
            (SessionEvent.Reason.elapsed, WebhookEvent.Kind.sleepEnded), (.cancelled, .sleepCancelled),
            (.paused, .sleepCancelled),
            (.reset, .sleepReset),
        ] {
            let end = SessionEvent(
                kind: .ended(reason: reason), person: me, session: start.session, instant: now + 90)
            let ended = told(after, over, ended: [end], at: now + 99)
            #expect(ended.map(\.kind) == [kind])
            #expect(ended[0].instant == now + 90)
            #expect(ended[0].details == ["mode": .text("manual"), "startedAt": .instant(now)])
        }
    }

    @Test(
        "Limits: told once when reached, and for each request; by the limit's name, without minutes of use")
    func limits() throws {
        var house = try LimitedHouse([(.app("tiktok"), 30)])
        let before = house.household
        house.use(.app("tiktok"), 30)
        let reached = told(before, house.household, at: house.now)
        #expect(reached.map(\.kind) == [.limitReached])
        #expect(reached[0].details == ["limit": .text("TikTok")])
        let known = house.household
        house.use(.app("tiktok"), 31)
        #expect(told(known, house.household, at: house.now) == [])
        let silent = house.household
        try house.ask(.app("tiktok"))
        let asked = told(silent, house.household, at: house.now)
        #expect(asked.map(\.kind) == [.extraTimeAsked])
        #expect(asked[0].details == ["limit": .text("TikTok"), "minutes": .number(15)])
    }
}

/// The queue of messages.
@Suite struct WebhookQueueTests {
    private let now = at("2026-11-18T10:00:00Z")
    private let hook = UUID()

    private func letters(_ count: Int, for webhook: UUID? = nil) -> [WebhookLetter] {
        (0..<count).map { _ in
            WebhookLetter(id: UUID(), webhook: webhook ?? hook, event: "focus.started", body: "{}", due: now)
        }
    }

    @Test("Tried at once, after 5 s, after a minute, after ten, and then dropped")
    func tries() {
        var queue = WebhookQueue(letters(1))
        let id = queue.letters[0].id
        var instant = now
        for delay: TimeInterval in [5, 60, 600] {
            #expect(queue.take(at: instant).map(\.id) == [id])
            guard case .again(let letter) = queue.settle(id, isTaken: false, at: instant) else {
                Issue.record("it was not kept")
                return
            }
            #expect(letter.due == instant + delay && queue.next(at: instant) == instant + delay)
            #expect(queue.take(at: instant + delay - 1) == [])
            instant += delay
        }
        #expect(queue.take(at: instant).map(\.tries) == [3])
        #expect(queue.settle(id, isTaken: false, at: instant) == .givenUp)
        #expect(queue.letters == [] && queue.next(at: instant) == nil)
    }

    @Test("Two at a time for each webhook, in order of arrival")
    func atOnce() {
        let other = letters(1, for: UUID())
        let mine = letters(5)
        var queue = WebhookQueue(mine + other)
        #expect(queue.take(at: now).map(\.id) == (mine.prefix(2) + other).map(\.id))
        #expect(queue.take(at: now) == [] && queue.next(at: now) == nil)
        #expect(queue.settle(mine[1].id, isTaken: true, at: now) == .taken)
        #expect(queue.next(at: now) == now)
        #expect(queue.take(at: now).map(\.id) == [mine[2].id])
        #expect(queue.settle(UUID(), isTaken: true, at: now) == .unknown)
    }

    @Test("At most 200 for each webhook: the oldest goes, unless it is being sent")
    func bounded() {
        let other = letters(1, for: UUID())
        let first = letters(200)
        var queue = WebhookQueue(other + first)
        _ = queue.take(at: now)
        let new = letters(3)
        #expect(queue.add(new).map(\.id) == first[2..<5].map(\.id))
        #expect(queue.letters.count == 201)
        #expect(queue.letters.suffix(3).map(\.id) == new.map(\.id))
        queue.forget { $0 == hook }
        #expect(queue.letters.map(\.id) == other.map(\.id))
    }

    @Test("A clock that is set back by a day delays nothing for a day")
    func clockSetBack() {
        var queue = WebhookQueue(letters(1))
        #expect(queue.take(at: now - 86_400).count == 1)
    }
}
