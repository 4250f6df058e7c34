import Foundation
import Testing

@testable import Policy

/// Which events webhooks get about wishes and leaving, and whose webhooks get them.
@Suite struct FairnessEventTests {
    private static let catalog = StrictGuardTests.catalog

    private func told(_ house: inout House, _ rule: (inout Household, Date) throws -> Void) throws
        -> [WebhookEvent]
    {
        let before = house.household
        try house.change { try rule(&$0, $1) }
        return house.household.webhookEvents(
            since: before, ended: [], catalog: Self.catalog, at: house.now)
    }

    @Test("A wish is told when it is asked for, granted or declined, each with its subject")
    func wishes() throws {
        let night = WebhookEvent.Detail.text("2026-11-20")
        for (form, details, words) in [
            (WishForm.app("tiktok"), ["wish": .text("app"), "app": .text("TikTok")], "TikTok open at night"),
            (
                .later, ["wish": .text("later"), "minutes": .number(30), "night": night],
                "bedtime 30 minutes later tonight"
            ),
            (.skip, ["wish": .text("skip"), "night": night], "no bedtime tonight"),
        ] as [(WishForm, [String: WebhookEvent.Detail], String)] {
            for isGranted in [true, false] {
                var household = home()
                household.people[1].schedule = schedule("22:00", "07:00")
                var house = House(household, at: "2026-11-20T20:00:00Z")
                let id = UUID()
                func ask(_ household: inout Household, _ now: Date) throws {
                    try household.ask(
                        kid, for: form, reason: " Home\nwork ", device: tablet, wish: id,
                        catalog: Self.catalog, at: now)
                }
                let asked = try told(&house, ask)
                #expect(asked.map(\.kind) == [.wishAsked] && asked.map(\.person) == [kid])
                let details = details.merging(["reason": .text("Home work")]) { $1 }
                #expect(asked.first?.question == id)
                #expect(asked.first?.details == details && asked.first?.instant == house.now)
                #expect(try told(&house, ask) == [], "the same question is one")
                house.wait(60)
                let answered = try told(&house) {
                    try $0.answerWish(kid, wish: id, grant: isGranted, catalog: Self.catalog, at: $1)
                }
                #expect(answered.map(\.kind) == [isGranted ? .wishGranted : .wishDeclined])
                #expect(answered.first?.details == details && answered.first?.instant == house.now)
                let notice = PlainNotice(letter: try answered[0].body(id: "msg_1", form: .ntfy))
                #expect(notice?.text == "Kim: \(words). “Home work”")
                #expect(notice?.actions == nil && answered[0].question == nil)
            }
        }
    }

    @Test("Leaving at once is told once, with the device's name; coming back is no event")
    func left() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        let left = try told(&house) { try $0.leave(phone, at: $1) }
        #expect(left.map(\.kind) == [.deviceLeft] && left.map(\.person) == [me])
        #expect(left.first?.details == ["device": .text(house.household[device: phone]!.name)])
        #expect(try told(&house) { household, _ in try household.enroll(phone, for: me) } == [])
    }

    @Test("If something holds the device: asked, with the latest time; taken back; and left when it is over")
    func held() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(60, .strict)
        let asked = try told(&house) { try $0.leave(phone, at: $1) }
        #expect(asked.map(\.kind) == [.leaveAsked])
        #expect(asked.first?.details["departsAt"] == .instant(at("2026-11-20T21:00:00Z")))
        #expect(try told(&house) { try $0.leave(phone, at: $1) } == [], "asked again it is the same")
        let stays = try told(&house) { household, _ in try household.stay(phone) }
        #expect(stays.map(\.kind) == [.leaveWithdrawn])
        _ = try told(&house) { try $0.leave(phone, at: $1) }
        let before = house.household
        house.go(to: "2026-11-20T21:00:05Z")
        let left = house.household.webhookEvents(
            since: before, ended: [], catalog: Self.catalog, at: house.now)
        #expect(left.map(\.kind) == [.deviceLeft] && left.first?.instant == house.now)
    }

    @Test(
        "A removed device is told, unless it had no owner or became part of another")
    func removed() throws {
        var household = home()
        household.devices.append(
            Device(
                id: DeviceID(rawValue: 8), name: "Doorbell", addresses: ["10.0.0.8"],
                firstSeen: .distantPast, lastSeen: .distantPast))
        var house = House(household, at: "2026-11-20T20:00:00Z")
        let name = try #require(house.household[device: tablet]?.name)
        let gone = try told(&house) { household, _ in household.devices.removeAll { $0.id == tablet } }
        #expect(gone.map(\.kind) == [.deviceRemoved] && gone.map(\.person) == [kid])
        #expect(gone.first?.details == ["device": .text(name)])
        #expect(try told(&house) { household, _ in household.devices.removeLast() } == [])
        let merged = try told(&house) { household, _ in
            let old = household.devices.remove(at: 0)
            household.devices.append(
                Device(
                    id: DeviceID(rawValue: 9), name: "New", person: me, addresses: old.addresses,
                    firstSeen: .distantPast, lastSeen: .distantPast))
        }
        #expect(merged == [])
    }

    @Test("A merge and its undo make no event")
    func merged() throws {
        for left in [nil, Left(person: me, at: .distantPast)] {
            var household = ReturnTests.household { _, new in new.left = left }
            if left == nil {
                household.devices[2].person = me
                household.devices[2].isConfirmed = false
                household.devices[2].departure = Departure(
                    askedAt: ReturnTests.evening, due: ReturnTests.evening + 86_400)
            }
            let now = ReturnTests.evening + 900
            func told(since before: Household) -> [WebhookEvent] {
                household.webhookEvents(since: before, ended: [], catalog: Self.catalog, at: now)
            }
            let two = household
            let merge = try household.merge(ReturnTests.stranger, into: tablet, at: now)
            #expect(told(since: two) == [])
            let one = household
            try household.undo(merge, at: now + 60)
            #expect(household == two && told(since: one) == [])
        }
    }

    @Test("The documentation names every event, and shows each of these as it is sent")
    func documented() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let text = try String(contentsOf: root.appending(path: "Docs/webhooks.md"), encoding: .utf8)
        for kind in WebhookEvent.Kind.allCases { #expect(text.contains("`\(kind.rawValue)`"), "\(kind)") }
        let night = WebhookEvent.Detail.text("2026-11-20")
        let (mine, kims) = (
            ["device": WebhookEvent.Detail.text("Phone")], ["wish": WebhookEvent.Detail.text("skip")]
        )
        let sent: [(WebhookEvent.Kind, PersonID, [String: WebhookEvent.Detail])] = [
            (.wishAsked, kid, ["wish": .text("app"), "app": .text("TikTok")]),
            (.wishGranted, kid, ["wish": .text("later"), "minutes": .number(30), "night": night]),
            (.wishDeclined, kid, kims.merging(["night": night]) { $1 }),
            (.leaveAsked, me, mine.merging(["departsAt": .instant(at("2026-11-20T21:00:00Z"))]) { $1 }),
            (.leaveWithdrawn, me, mine), (.deviceLeft, me, mine),
            (.deviceRemoved, kid, ["device": .text("Tablet")]),
        ]
        for (kind, person, details) in sent {
            let event = WebhookEvent(
                kind: kind, person: person, name: person == me ? "Me" : "Kim",
                instant: at("2026-11-20T20:00:00Z"), details: details)
            let body = try event.body(id: "X").replacing(#""at":"2026-11-20T20:00:00Z","#, with: "")
                .replacing(#""id":"X","#, with: "")
            #expect(text.contains(body + "\n"), "\(body)")
        }
    }

    @Test(
        "Answers and plans of an adult go to their own webhooks; requests and departures go to all",
        arguments: WebhookEvent.Kind.allCases)
    func own(_ kind: WebhookEvent.Kind) throws {
        let isOwn = [
            WebhookEvent.Kind.limitReached, .wishGranted, .wishDeclined, .leaveAsked, .leaveWithdrawn,
        ].contains(kind)
        let people = [me: Person(id: me, name: "Me"), kid: Person(id: kid, name: "Kim", role: .child)]
        func hears(_ whose: PersonID?, of person: PersonID) throws -> Bool {
            try Webhook(
                id: UUID(), person: whose, address: WebhookAddress(typed: "http://ha.lan"), events: [kind],
                since: .distantPast
            ).wants(
                WebhookEvent(kind: kind, person: person, name: nil, instant: .distantPast), of: people)
        }
        #expect(try hears(nil, of: me) == !isOwn && hears(nil, of: kid))
        #expect(try hears(me, of: me) && !hears(kid, of: me) && hears(kid, of: kid))
    }
}
