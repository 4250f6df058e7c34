import Dashboard
import Foundation
import Pages
import Policy

extension PageState {
    static let foreign = PageContext(
        now: Sample.now, zone: Sample.zone, path: "/", assetPrefix: "/.sleep-inducer/assets/",
        eventsPath: "/.sleep-inducer/events")

    private static let app = Sample.catalog.app(id: "tiktok")!
    /// 00:00.
    private static let midnight = Sample.now.addingTimeInterval(6_060)

    private static func block(_ layer: Layer, until end: Date?) -> Block {
        Block(
            layer: layer, scope: .everythingBut(AppSelection()), since: Sample.now.addingTimeInterval(-1140),
            until: end)
    }

    private static func look(
        _ layer: Layer, name: String = "tiktok.com",
        until end: Date? = Sample.now.addingTimeInterval(31260),
        limit: LimitShield? = nil, suggestion: SuggestedTask? = nil, morning: Morning? = nil,
        preview: Bool = false, isFamilys: Bool = false
    ) -> ShieldPage {
        let forms = ShieldForms(
            app: "tiktok", expires: 1_773_437_340, path: "/@ada?a=1&b=2", unlock: "5ea1-unlock",
            done: "5ea1-done", ask: "5ea1-ask")
        return ShieldPage(
            name: name,
            verdict: NameVerdict(block: block(layer, until: end), app: app, person: Sample.me, limit: limit),
            now: Sample.now, zone: Sample.zone, origin: preview ? "" : "http://sleep.home.arpa",
            suggestion: suggestion, forms: limit == nil || preview ? nil : forms, morning: morning,
            isPreview: preview, isFamilys: isFamilys)
    }

    private static func limit(
        _ unlock: LimitShield.Unlock = .offered(left: nil), target: LimitTarget = .app("tiktok"),
        named name: String = "TikTok", isWeekly: Bool = false, asked answer: TimeRequest.Answer? = nil
    ) -> LimitShield {
        LimitShield(
            target: target, targetName: name, app: app, used: isWeekly ? 305 : 30,
            allowed: isWeekly ? 300 : 30, isWeekly: isWeekly, resetsAt: midnight, unlock: unlock,
            request: answer.map {
                TimeRequest(
                    id: UUID(uuidString: "6F2C1A52-8E0B-4C53-9D3B-2F6F6B0B7A12")!, target: target,
                    device: nil,
                    askedAt: Sample.now.addingTimeInterval(-600), answer: $0)
            })
    }

    private static let water = SuggestedTask(title: "Drink a glass of water", minutes: 1)

    /// The morning after the night of `look(.sleep)`.
    private static let coming: Morning = {
        let end = Sample.now.addingTimeInterval(31_260)
        let night = PastNight(
            start: Sample.now.addingTimeInterval(-1_140), end: end, plannedEnd: end, isScheduled: true,
            ending: .kept)
        return Morning(after: [night], at: end, in: CivilZone("Europe/Berlin")!)!
    }()

    private static func limits(_ name: String, _ limit: LimitShield, _ task: SuggestedTask = water)
        -> PageState
    {
        PageState(
            name: name, page: look(.limits, until: limit.resetsAt, limit: limit, suggestion: task),
            context: foreign)
    }

    private static func opening(_ name: String, until end: Date?) -> PageState {
        PageState(
            name: name,
            page: ShieldPage(
                name: "tiktok.com", verdict: NameVerdict(block: nil, app: app, probationEndsAt: end),
                now: Sample.now, zone: Sample.zone),
            context: foreign)
    }

    private static func suggestions(
        _ name: String, isOwn: Bool = false, canTakeBack: Bool = false, typed: String? = nil,
        error: String? = nil, notices: [PageContext.Notice] = []
    ) -> PageState {
        let tasks = try! SuggestedTasks([
            water, SuggestedTask(title: "Stretch", minutes: 2, when: [.evening]),
            SuggestedTask(title: Sample.hostile),
        ])
        return PageState(
            name: name,
            page: SuggestionsPage(
                tasks: tasks, isOwn: isOwn, canTakeBack: canTakeBack, typed: typed, error: error),
            context: context(path: "/suggestions", notices: notices))
    }

    static let shields: [PageState] = [
        PageState(name: "shield", page: look(.sleep), context: foreign),
        PageState(name: "shield-night-to-morning", page: look(.sleep, morning: coming), context: foreign),
        PageState(
            name: "shield-morning-limits",
            page: look(.limits, until: midnight, limit: limit(), suggestion: water, morning: morning()),
            context: foreign),
        PageState(
            name: "shield-morning-open",
            page: ShieldPage(
                name: "tiktok.com", verdict: NameVerdict(block: nil, app: app), now: Sample.now,
                zone: Sample.zone, morning: morning()),
            context: foreign),
        PageState(name: "shield-family", page: look(.sleep, isFamilys: true), context: foreign),
        PageState(
            name: "shield-windows-family",
            page: look(.windows, until: Sample.now.addingTimeInterval(3_600), isFamilys: true),
            context: foreign),
        PageState(name: "shield-hostile", page: look(.sleep, name: Sample.hostile), context: foreign),
        PageState(
            name: "shield-windows", page: look(.windows, until: Sample.now.addingTimeInterval(3_600)),
            context: foreign),
        PageState(name: "shield-windows-endless", page: look(.windows, until: nil), context: foreign),
        PageState(
            name: "shield-windows-days", page: look(.windows, until: Sample.now.addingTimeInterval(200_000)),
            context: foreign),
        PageState(
            name: "shield-windows-hostile", page: look(.windows, name: Sample.hostile), context: foreign),
        limits("shield-limits", limit()),
        limits("shield-limits-capped", limit(.offered(left: 2))),
        limits("shield-limits-used-up", limit(.usedUp(3))),
        limits("shield-limits-asked", limit(asked: .open)),
        limits("shield-limits-declined", limit(.usedUp(1), asked: .declined)),
        limits("shield-limits-granted", limit(asked: .granted)),
        limits("shield-limits-not-sole", limit(.notOffered)),
        limits(
            "shield-limits-week",
            limit(target: .category("social"), named: "Social", isWeekly: true),
            SuggestedTask(title: "Go to bed")),
        limits(
            "shield-limits-hostile", limit(named: Sample.hostile), SuggestedTask(title: Sample.hostile)),
        PageState(name: "shield-focus", page: look(.focus), context: foreign),
        opening("shield-open", until: nil),
        opening("shield-opening", until: Sample.now.addingTimeInterval(50)),
        PageState(
            name: "shield-left",
            page: ShieldNotePage.left(timer: "/.sleep-inducer/doing?start=1&shown=1&seal=5ea1&path=%2F"),
            context: foreign),
        PageState(name: "shield-well-done", page: ShieldNotePage.wellDone, context: foreign),
        PageState(
            name: "shield-note",
            page: ShieldNotePage(
                "This page is too old", "Nothing was changed. Load it again, then press again.",
                way: .init("Load it again", to: "/@ada?a=1&b=2")),
            context: foreign),
        PageState(name: "shield-preview", page: look(.sleep, preview: true), context: context()),
        PageState(
            name: "shield-preview-limits",
            page: look(.limits, until: midnight, limit: limit(), suggestion: water, preview: true),
            context: context()),
        suggestions("suggestions"),
        suggestions("suggestions-own", isOwn: true),
        suggestions(
            "suggestions-restored", canTakeBack: true,
            notices: [.init(.warning, "The file suggested_tasks.json cannot be used.")]),
        suggestions(
            "suggestions-refused", isOwn: true, typed: "</textarea>" + Sample.hostile,
            error: "Suggestion 1 is too long."),
    ]
}
