import Foundation
import Testing

@testable import Policy

@Suite("A person can ask for an app, or about tonight")
struct WishTests {
    static let catalog = StrictGuardTests.catalog

    private func house(_ schedule: RecurringSchedule? = schedule("22:00", "07:00")) -> House {
        var household = home()
        household.people[1].schedule = schedule
        return House(household, at: "2026-11-20T20:00:00Z")
    }

    @discardableResult
    private func ask(_ house: inout House, _ form: WishForm) throws -> Wish {
        try house.change {
            try $0.ask(kid, for: form, device: tablet, wish: UUID(), catalog: Self.catalog, at: $1)
        }
    }

    private func answer(_ house: inout House, _ wish: Wish, _ grant: Bool) throws {
        try house.change {
            try $0.answerWish(kid, wish: wish.id, grant: grant, catalog: Self.catalog, at: $1)
        }
    }

    private func kim(_ house: House) -> Person { house.household[person: kid]! }

    @Test("A grant does what the owner's own button does")
    func granted() throws {
        for (form, isDone) in [
            (WishForm.app("tiktok"), { (kim: Person) in kim.allowed.apps == ["tiktok"] }),
            (.later, { $0.tonight == TonightChange(night: day("2026-11-20"), kind: .later, minutes: 30) }),
            (.skip, { $0.tonight == TonightChange(night: day("2026-11-20"), kind: .skip) }),
        ] {
            var house = house()
            let wish = try ask(&house, form)
            #expect(wish.device == tablet && wish.answer == .open)
            #expect(!isDone(kim(house)))
            try answer(&house, wish, true)
            #expect(isDone(kim(house)), "\(form)")
            #expect(kim(house).wishes.map(\.answer) == [.granted])
            #expect(throws: Refusal.requestAnswered) { try answer(&house, wish, false) }
        }
    }

    @Test("A refusal changes nothing, and the same wish cannot be asked again")
    func declined() throws {
        var house = house()
        let wish = try ask(&house, .later)
        try answer(&house, wish, false)
        #expect(kim(house).tonight == nil && kim(house).wishes.map(\.answer) == [.declined])
        #expect(throws: Refusal.requestAnswered) { try ask(&house, .later) }
        // Skipping is another question.
        try ask(&house, .skip)
    }

    @Test("One open question of each kind: the same one is returned, another one is refused")
    func oneOfAKind() throws {
        var house = house()
        let later = try ask(&house, .later)
        #expect(try ask(&house, .later) == later)
        #expect(throws: Refusal.wishOpen) { try ask(&house, .skip) }
        try ask(&house, .app("tiktok"))
        #expect(kim(house).wishes.count == 2)
    }

    @Test("A reason is one line of at most 140 characters, and optional")
    func reasons() throws {
        for (typed, kept) in [(nil, nil), (" \n", nil), (" Home\u{202E}\twork ", "Home work")]
            as [(String?, String?)]
        {
            var house = house()
            let wish = try house.change {
                try $0.ask(
                    kid, for: .later, reason: typed, device: tablet, wish: UUID(), catalog: Self.catalog,
                    at: $1)
            }
            #expect(wish.reason == kept)
        }
        #expect(try CleanName.checkedReason(String(repeating: "ä", count: 140))?.count == 140)
        #expect(throws: Refusal.reasonTooLong) {
            try CleanName.checkedReason(String(repeating: "ä", count: 141))
        }
        #expect(Refusal.reasonTooLong.isAboutInput)
    }

    @Test("All that is asked is one list, oldest first, answered in one way")
    func questions() throws {
        var house = house()
        let later = try ask(&house, .later)
        house.wait(60)
        try ask(&house, .app("tiktok"))
        let open = house.household.openQuestions(at: house.now)
        #expect(open.map(\.about.word) == ["later", "app"] && open.map(\.name) == ["Kim", "Kim"])
        #expect(
            open.map { $0.about.words(in: Self.catalog) } == [
                "bedtime 30 minutes later tonight", "TikTok open at night",
            ])
        try house.change {
            try $0.answer(open[0], grant: true, catalog: Self.catalog, at: $1)
        }
        #expect(house.household.openQuestions(at: house.now).map(\.id) == [open[1].id])
        #expect(house.household.questions(at: house.now).first { $0.id == later.id }?.answer == .granted)
    }

    @Test("Links answer an open question, for a day at most")
    func links() throws {
        var house = house()
        try ask(&house, .app("tiktok"))
        let question = house.household.questions(at: house.now)[0]
        #expect(question.takesLinks(at: house.now))
        #expect(question.takesLinks(at: house.now + 86_399) && !question.takesLinks(at: house.now + 86_400))
        try house.change { try $0.answer(question, grant: false, catalog: Self.catalog, at: $1) }
        #expect(!house.household.questions(at: house.now)[0].takesLinks(at: house.now))
        let links = AnswerLinks(question: question.id, server: "http://192.0.2.2", token: "t0")
        #expect(
            links.ntfyActions == """
                http, Yes, http://192.0.2.2/answer/t0/yes, method=POST, clear=true; \
                http, No, http://192.0.2.2/answer/t0/no, method=POST, clear=true; \
                view, Open, http://192.0.2.2/answer/t0
                """)
    }

    @Test("What cannot be asked for")
    func refused() throws {
        var house = house()
        #expect(throws: Refusal.unknownIDs(["nope"])) { try ask(&house, .app("nope")) }
        try house.change { household, _ in
            try household.saveAllowed(kid, AppSelection(categories: ["social"]), catalog: Self.catalog)
        }
        #expect(throws: Refusal.appAllowed) { try ask(&house, .app("tiktok")) }
        try house.change { try $0.changeTonight(kid, .skip, at: $1) }
        #expect(throws: Refusal.noNightTonight) { try ask(&house, .later) }
        house.go(to: "2026-11-21T23:00:00Z")
        #expect(throws: Refusal.nightBegun) { try ask(&house, .skip) }
        var free = self.house(nil)
        #expect(throws: Refusal.noNightTonight) { try ask(&free, .skip) }
    }

    @Test("After three times later there is no more")
    func usedUp() throws {
        var house = house()
        for _ in 1...TonightChange.mostSteps {
            try house.change { try $0.changeTonight(kid, .later, at: $1) }
        }
        #expect(throws: Refusal.laterUsedUp) { try ask(&house, .later) }
    }

    @Test("At most six a day")
    func bounded() throws {
        var house = house()
        let apps = (0..<Wish.most).map { App(id: "own-\($0)", name: "\($0)", category: "own", suffixes: []) }
        try house.change { household, _ in household.ownApps = apps }
        for app in apps { try answer(&house, ask(&house, .app(app.id)), false) }
        #expect(throws: Refusal.tooManyWishes) { try ask(&house, .app("tiktok")) }
        house.wait(Wish.lifetime)
        #expect(kim(house).wishes.isEmpty)
        try ask(&house, .app("tiktok"))
    }

    @Test("A clock that is ahead for a while deletes no wish")
    func ahead() throws {
        var house = house()
        let wish = try ask(&house, .app("tiktok"))
        let ahead = house.now + 20 * 86_400
        _ = house.household.settle(at: ahead, newID: UUID.init)
        house.household.forget(at: ahead, isSynchronised: false)
        #expect(kim(house).wishes == [wish] && kim(house).wishes(at: ahead).isEmpty)
        #expect(throws: Refusal.unknownRequest) {
            try house.household.answerWish(kid, wish: wish.id, grant: true, catalog: smallCatalog, at: ahead)
        }
        #expect(kim(house).wishes(at: house.now) == [wish])
        house.household.forget(at: ahead, isSynchronised: true)
        #expect(kim(house).wishes.isEmpty)
    }

    @Test("An open question ends at bedtime; its answer is told until the morning")
    func night() throws {
        var open = house()
        let wish = try ask(&open, .later)
        #expect(open.household.evaluate(at: open.now)[kid]?.validUntil == at("2026-11-20T22:00:00Z"))
        open.go(to: "2026-11-20T21:59:59Z")
        #expect(kim(open).wishes == [wish])
        open.go(to: "2026-11-20T22:00:00Z")
        #expect(kim(open).wishes.isEmpty)
        #expect(throws: Refusal.unknownRequest) { try answer(&open, wish, true) }
        var told = house()
        try answer(&told, ask(&told, .later), true)
        told.go(to: "2026-11-21T06:59:00Z")
        #expect(kim(told).wishes.count == 1)
        told.go(to: "2026-11-21T07:00:00Z")
        #expect(kim(told).wishes.isEmpty)
    }

    @Test("A grant is refused if it loosens nearer to bedtime than the wait, and the question stays open")
    func waits() throws {
        var house = house()
        try house.change { household, _ in
            household.people[1].limits.list = [UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)]
            household.people[1].looseningDelay = 8
        }
        let wish = try ask(&house, .skip)
        #expect(throws: Refusal.looseningWaits(of: "Kim", hours: 8)) { try answer(&house, wish, true) }
        #expect(kim(house).wishes == [wish])
        try answer(&house, wish, false)
    }
}
