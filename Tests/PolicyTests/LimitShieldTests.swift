import Foundation
import Testing

@testable import Policy

/// C-25, TH-016 to TH-018: what a limit's shield says and offers.
@Suite struct LimitShieldTests {
    private let now = at("2026-11-20T20:00:00Z")
    private let catalog = Catalog(
        categories: [Category(id: "social", name: "Social")],
        apps: [
            App(id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com"]),
            App(id: "reddit", name: "Reddit", category: "social", suffixes: ["reddit.com", "redd.it"]),
        ], alwaysReachable: [])

    private func limit(_ target: LimitTarget, weekly: Int? = nil) -> UsageLimit {
        UsageLimit(id: UUID(), target: target, minutes: 30, weeklyMinutes: weekly)
    }

    private func shield(
        _ limits: Limits, of name: String = "www.tiktok.com", use: TargetUse = TargetUse(day: 31, week: 31),
        change: (inout Person) -> Void = { _ in }
    ) -> NameVerdict {
        snapshot(limits, use: use, change: change).verdict(of: name, deviceAt: "10.0.0.2")
    }

    private func snapshot(
        _ limits: Limits, use: TargetUse = TargetUse(day: 31, week: 31),
        change: (inout Person) -> Void = { _ in }
    ) -> Snapshot {
        var household = home()
        household.people[0].limits = limits
        change(&household.people[0])
        var usage = UsageTotals()
        for limit in limits.list { usage[me, limit.target] = use }
        return Snapshot(
            revision: 1, instant: now, household: household, catalog: catalog,
            verdicts: household.evaluate(at: now, usage: usage), usage: usage
        )
    }

    /// What is told of a reached limit: when the name opens again, and until when more minutes help.
    private func told(
        weekly: Int? = nil, use: TargetUse = TargetUse(day: 31, week: 31),
        change: (inout Person) -> Void = { _ in }
    ) -> (opens: Date?, lasts: Date?) {
        let snapshot = snapshot(
            Limits(list: [limit(.app("tiktok"), weekly: weekly)]), use: use, change: change)
        let name = "www.tiktok.com"
        let told = snapshot.told(snapshot.verdict(of: name, deviceAt: "10.0.0.2"), of: name)
        return (told.block?.until, told.limit?.resetsAt)
    }

    @Test("What opens at midnight while its person sleeps is told to open in the morning")
    func opensInTheMorning() {
        let midnight = at("2026-11-21T00:00:00Z")
        #expect(told() == (midnight, midnight))
        let night = schedule("21:30", "06:30")
        #expect(told { $0.schedule = night } == (at("2026-11-21T06:30:00Z"), at("2026-11-20T21:30:00Z")))
        // An app that is allowed at night does open at midnight.
        let open = told {
            $0.schedule = night
            $0.allowed.apps.insert("tiktok")
        }
        #expect(open == (midnight, midnight))
        // The week's budget: Monday, after the night.
        let week = told(weekly: 100, use: TargetUse(day: 5, week: 101)) { $0.schedule = night }
        #expect(week.opens == at("2026-11-23T06:30:00Z"))
        // Skipped tonight.
        let skipped = told {
            $0.schedule = night
            $0.tonight = TonightChange(night: day("2026-11-20"), kind: .skip)
        }
        #expect(skipped == (midnight, midnight))
    }

    @Test("A closed window after the night counts too, and without a plan no time is told")
    func opensInAWindow() {
        let open = TimeWindow(id: UUID(), label: "Evening", start: time("19:00"), end: time("20:30"))
        let windows = AntiRot(restricted: AppSelection(apps: ["tiktok"]), windows: [open])
        let told = told {
            $0.schedule = schedule("21:30", "06:30")
            $0.antiRot = windows
        }
        #expect(told == (at("2026-11-21T19:00:00Z"), at("2026-11-20T20:30:00Z")))
    }

    @Test func namesTheAppAndItsMinutes() throws {
        let verdict = shield(Limits(list: [limit(.app("tiktok"))]))
        let shown = try #require(verdict.limit)
        #expect(verdict.device == phone)
        #expect(shown.targetName == "TikTok" && shown.app.id == "tiktok")
        #expect((shown.used, shown.allowed) == (31, 30))
        #expect(shown.resetsAt == at("2026-11-21T00:00:00Z"))
        #expect(shown.unlock == .offered(left: nil))
        #expect(shown.request == nil)
    }

    @Test("An app's own limit comes before its category's, whichever was set first")
    func ownLimitFirst() {
        for limits in [
            [limit(.category("social")), limit(.app("tiktok"))],
            [limit(.app("tiktok")), limit(.category("social"))],
        ] {
            #expect(shield(Limits(list: limits)).limit?.target == .app("tiktok"))
            #expect(shield(Limits(list: limits), of: "reddit.com").limit?.target == .category("social"))
        }
    }

    @Test("A category's limit names the category")
    func category() throws {
        let shown = try #require(shield(Limits(list: [limit(.category("social"))]), of: "redd.it").limit)
        #expect(shown.targetName == "Social" && shown.target == .category("social"))
        #expect(shown.app.id == "reddit")
    }

    @Test("On the shield a child asks an adult; an adult has the two actions and no third (TH-015)")
    func asks() throws {
        let limits = Limits(list: [limit(.app("tiktok"))])
        #expect(shield(limits).limit?.canAsk == false)
        #expect(shield(limits) { $0.role = .child }.limit?.canAsk == false, "nobody could answer")
        var family = home()
        family.people[0].limits = limits
        family.people[1].role = .adult
        for role in [Person.Role.adult, .child] {
            family.people[0].role = role
            let usage = UsageTotals([me: [.app("tiktok"): TargetUse(day: 31, week: 31)]])
            let shown = Snapshot(
                revision: 1, instant: now, household: family, catalog: catalog,
                verdicts: family.evaluate(at: now, usage: usage), usage: usage
            ).verdict(of: "www.tiktok.com", deviceAt: "10.0.0.2").limit
            #expect(shown?.canAsk == (role == .child))
        }
        var household = home()
        #expect(household.canAsk(kid) && !household.canAsk(me))
        household.people[1].role = .adult
        #expect(household.canAsk(kid) && household.canAsk(me))
        household.people.removeLast()
        #expect(!household.canAsk(me))
        household.people[0].limits = limits
        let usage = UsageTotals([me: [.app("tiktok"): TargetUse(day: 31, week: 31)]])
        #expect(throws: Refusal.nobodyToAsk) {
            try household.askForTime(
                me, target: .app("tiktok"), device: phone, request: UUID(), catalog: catalog, usage: usage,
                at: now)
        }
    }

    @Test func weeklyBudget() throws {
        let shown = try #require(
            shield(Limits(list: [limit(.app("tiktok"), weekly: 100)]), use: TargetUse(day: 5, week: 101))
                .limit)
        #expect(shown.isWeekly)
        #expect((shown.used, shown.allowed) == (101, 100))
    }

    @Test("Stricter layers come first, and a limit's shield then says nothing")
    func stricter() {
        let verdict = shield(Limits(list: [limit(.app("tiktok"))])) {
            $0.antiRot = AntiRot(restricted: AppSelection(apps: ["tiktok"]), windows: [])
        }
        #expect(verdict.block?.layer == .windows)
        #expect(verdict.limit == nil)
    }

    @Test("An unreached limit, or another app: no limit shield")
    func nothing() {
        #expect(shield(Limits(list: [limit(.app("tiktok"))]), use: TargetUse(day: 29)).limit == nil)
        #expect(shield(Limits(list: [limit(.app("tiktok"))]), of: "reddit.com").limit == nil)
    }

    @Test("A cap on unlocks counts down to a reason, day by day")
    func cap() throws {
        func unlock(_ count: Int, on date: String = "2026-11-20") -> LimitShield.Unlock? {
            shield(
                Limits(
                    list: [limit(.app("tiktok"))], unlocksPerDay: 2,
                    unlocks: .init(day: day(date), count: count))
            ).limit?.unlock
        }
        #expect(unlock(0) == .offered(left: 2))
        #expect(unlock(1) == .offered(left: 1))
        #expect(unlock(2) == .usedUp(2))
        #expect(unlock(2, on: "2026-11-19") == .offered(left: 2))
    }

    @Test("While an unlock runs the name is open, and says until when")
    func probation() {
        let running = Probation(UUID(), target: .app("tiktok"), at: now.addingTimeInterval(-10))
        let verdict = shield(Limits(list: [limit(.category("social"))], probations: [running]))
        #expect(verdict.block == nil)
        #expect(verdict.probationEndsAt == now.addingTimeInterval(50))
        let other = shield(
            Limits(list: [limit(.category("social"))], probations: [running]), of: "reddit.com")
        #expect(other.limit?.app.id == "reddit")
        #expect(other.probationEndsAt == nil)
    }

    @Test("The latest request for this limit")
    func requests() {
        func asked(_ target: LimitTarget, _ answer: TimeRequest.Answer) -> TimeRequest {
            TimeRequest(id: UUID(), target: target, device: phone, askedAt: now, answer: answer)
        }
        let verdict = shield(
            Limits(
                list: [limit(.app("tiktok"))],
                requests: [
                    asked(.app("tiktok"), .granted), asked(.app("tiktok"), .declined),
                    asked(.app("reddit"), .open),
                ]))
        #expect(verdict.limit?.request?.answer == .declined)
        #expect(verdict.asked == NameVerdict.Asked(answer: .declined, targetName: "TikTok"))
    }

    @Test("A yes is told by the name that it opened, and by no other name")
    func granted() {
        let yes = TimeRequest(
            id: UUID(), target: .app("tiktok"), device: phone, askedAt: now, answer: .granted)
        let limits = Limits(
            list: [limit(.app("tiktok"))],
            extraTime: [ExtraTime(target: .app("tiktok"), day: day("2026-11-20"), minutes: 15)],
            requests: [yes])
        let verdict = shield(limits)
        #expect(verdict.block == nil && verdict.asked?.answer == .granted)
        #expect(shield(limits, of: "reddit.com").asked == nil)
    }

    @Test("The timer of a suggestion: a quarter of an hour, and done after a minute at the earliest")
    func timer() {
        let timer = SuggestionTimer(start: now)
        #expect(!timer.isDoable(at: now + 59) && timer.isDoable(at: now + 60))
        #expect(!timer.isOver(at: now + 899) && timer.isOver(at: now + 900))
    }
}
