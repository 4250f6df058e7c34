import Dashboard
import Foundation
import Pages
import Policy

/// Anti-Rot's pages in every state.
extension PageState {
    static let antiRot = antiRotHome + antiRotApps + antiRotSchedule + antiRotSets

    private static func window(
        _ number: Int, _ label: String, _ start: String, _ end: String,
        days: Set<Weekday> = Set(Weekday.allCases)
    ) -> TimeWindow {
        TimeWindow(
            id: UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)")!, label: label,
            start: TimeOfDay(start)!, end: TimeOfDay(end)!, days: days)
    }

    private static let lunch = window(1, "Lunch", "12:00", "13:00")
    private static let dinner = window(2, "Dinner", "18:00", "19:00")
    private static let late = window(3, "", "22:00", "23:30", days: [.fri, .sat])

    private static let film = window(6, "Film", "23:00", "01:00", days: [.fri, .sat])

    private static func person(
        apps: Set<String>? = ["tiktok", "instagram", "reddit"], windows: [TimeWindow]? = [lunch, dinner],
        override: OverrideState = OverrideState(), pending: [PendingChange] = []
    ) -> Person {
        Person(
            id: Sample.me, name: "Me",
            antiRot: AntiRot(
                restricted: apps.map { AppSelection(apps: $0) }, windows: windows, override: override),
            looseningDelay: pending.isEmpty ? 0 : 24, pending: pending)
    }

    private static let games = WindowSet(
        id: UUID(uuidString: "00000000-0000-4000-A000-000000000001")!, name: "Games",
        restricted: AppSelection(apps: ["reddit"], categories: ["video"]), windows: [film])
    private static let empty = WindowSet(
        id: UUID(uuidString: "00000000-0000-4000-A000-000000000002")!, name: Sample.hostile)

    private static func several(_ pending: [PendingChange] = []) -> Person {
        var person = person(pending: pending)
        person.antiRot.otherSets = [games, empty]
        return person
    }

    private static func sets(
        _ name: String, _ page: some Page, signedIn: Bool = true, path: String = "/anti-rot/sets"
    ) -> PageState {
        PageState(
            name: "anti-rot-sets-\(name)", page: page,
            context: context(signedIn: signedIn, path: path, people: signedIn ? 2 : 1))
    }

    private static func set(_ set: WindowSet, name: String? = nil, errors: [String: String] = [:])
        -> AntiRotSetPage
    {
        AntiRotSetPage(
            person: several([change(.removeWindowSet(games.id!), number: 3)]), set: set,
            catalog: Sample.catalog, name: name, errors: errors, now: Sample.now, zone: Sample.zone)
    }

    private static func list(
        _ person: Person, removed: WindowSet? = nil, name: String = "", errors: [String: String] = [:]
    ) -> AntiRotSetsPage {
        AntiRotSetsPage(
            person: person, catalog: Sample.catalog, removed: removed, name: name, errors: errors,
            now: Sample.now, zone: Sample.zone)
    }

    private static let antiRotSets = [
        sets("none", list(person())),
        sets("list", list(several([change(.removeWindowSet(games.id!), number: 3)]))),
        sets("visitor", list(several()), signedIn: false),
        sets("removed", list(person(), removed: games)),
        sets("refused", list(several(), name: "", errors: ["name": "Please give a name."])),
        sets("one", set(games)),
        sets("new", set(empty, name: "", errors: ["name": "Please give a name."])),
        sets(
            "apps",
            AntiRotAppsPage(
                person: several(), set: games, catalog: Sample.catalog, household: Sample.household(),
                now: Sample.now, zone: Sample.zone)),
        sets(
            "schedule",
            AntiRotSchedulePage(person: several(), set: games, now: Sample.now, zone: Sample.zone)),
        sets("empty", AntiRotEmptyPage(deleting: film, of: games)),
        sets(
            "home",
            AntiRotHomePage(
                person: several(), catalog: Sample.catalog, isEnrolled: true, isAsleep: false,
                now: Sample.now, zone: Sample.zone), path: "/anti-rot"),
    ]

    private static func eating(for seconds: Double) -> OverrideState {
        OverrideState(
            lastUsedDate: Sample.now.addingTimeInterval(seconds - OverrideState.duration),
            overrideExpiresAt: Sample.now.addingTimeInterval(seconds))
    }

    private static func change(_ change: PendingChange.Change, number: Int) -> PendingChange {
        PendingChange(
            id: UUID(uuidString: "00000000-0000-4000-9000-00000000000\(number)")!,
            due: Sample.at(hours: 23.35), change: change)
    }

    private static let waiting = [
        change(.restricted(AppSelection(apps: ["tiktok"])), number: 1),
        change(.windows([lunch, window(4, Sample.hostile, "15:00", "16:00")]), number: 2),
    ]

    private static func home(
        _ name: String, _ person: Person, isEnrolled: Bool = true, isAsleep: Bool = false,
        signedIn: Bool = true, notices: [PageContext.Notice] = []
    ) -> PageState {
        PageState(
            name: "anti-rot-\(name)",
            page: AntiRotHomePage(
                person: person, catalog: Sample.catalog, isEnrolled: isEnrolled, isAsleep: isAsleep,
                now: Sample.now, zone: Sample.zone),
            context: context(signedIn: signedIn, path: "/anti-rot", notices: notices))
    }

    private static let antiRotHome = [
        home("first", person(apps: nil, windows: nil), isEnrolled: false),
        home("half", person(windows: nil)),
        home("blocked", person()),
        home("allowed", person(windows: [lunch, late])),
        home("all-day", person(windows: [])),
        home("eating", person(override: eating(for: 2_641)), signedIn: false),
        home("used", person(override: OverrideState(lastUsedDate: Sample.at(hours: -4))), isAsleep: true),
        home(
            "used-again", person(override: OverrideState(lastUsedDate: Sample.at(hours: -4))),
            notices: [.init(.refused, "Already used today")]),
        home("waiting", person(pending: waiting)),
        PageState(
            name: "anti-rot-welcome", page: AntiRotWelcomePage(isSetUp: true),
            context: context(signedIn: false, path: "/anti-rot")),
        PageState(
            name: "anti-rot-welcome-new", page: AntiRotWelcomePage(isSetUp: false),
            context: context(signedIn: false, path: "/anti-rot")),
    ]

    private static func apps(
        _ name: String, _ person: Person, signedIn: Bool = true, people: Int = 1,
        selection: AppSelection? = nil, errors: [String: String] = [:]
    ) -> PageState {
        PageState(
            name: "anti-rot-\(name)",
            page: AntiRotAppsPage(
                person: person, catalog: Sample.catalog, household: Sample.household(), selection: selection,
                now: Sample.now, zone: Sample.zone, errors: errors),
            context: context(signedIn: signedIn, path: "/anti-rot/apps", people: people))
    }

    private static let antiRotApps = [
        apps("apps", person(), people: 2),
        apps("apps-one", person(apps: ["tiktok"], pending: waiting)),
        apps("apps-none", person(apps: nil), signedIn: false),
        apps(
            "apps-refused", person(), selection: AppSelection(apps: ["reddit"]),
            errors: ["app": "Not in the catalog: nosuchapp."]),
    ]

    private static func schedule(
        _ name: String, _ page: AntiRotSchedulePage, signedIn: Bool = true, people: Int = 1
    ) -> PageState {
        PageState(
            name: "anti-rot-\(name)", page: page,
            context: context(signedIn: signedIn, path: "/anti-rot/schedule", people: people))
    }

    private static let antiRotSchedule = [
        schedule("schedule", AntiRotSchedulePage(person: person(), now: Sample.now, zone: Sample.zone)),
        schedule(
            "schedule-days",
            AntiRotSchedulePage(
                person: person(windows: [window(5, Sample.hostile, "12:00", "13:00"), dinner, late]),
                now: Sample.now, zone: Sample.zone), people: 2),
        schedule(
            "schedule-new",
            AntiRotSchedulePage(person: person(windows: nil), now: Sample.now, zone: Sample.zone)),
        schedule(
            "schedule-empty",
            AntiRotSchedulePage(person: person(windows: []), now: Sample.now, zone: Sample.zone)),
        schedule(
            "schedule-visitor", AntiRotSchedulePage(person: person(), now: Sample.now, zone: Sample.zone),
            signedIn: false),
        schedule(
            "schedule-waiting",
            AntiRotSchedulePage(person: person(pending: waiting), now: Sample.now, zone: Sample.zone)),
        schedule(
            "schedule-removed",
            AntiRotSchedulePage(
                person: person(windows: [dinner]), removed: lunch, now: Sample.now, zone: Sample.zone)),
        schedule(
            "schedule-changing",
            AntiRotSchedulePage(person: person(), editing: lunch, now: Sample.now, zone: Sample.zone),
            people: 2),
        schedule(
            "schedule-changed",
            AntiRotSchedulePage(person: person(), changed: lunch, now: Sample.now, zone: Sample.zone)),
        schedule(
            "schedule-overlap",
            AntiRotSchedulePage(
                person: person(),
                values: .init(label: Sample.hostile, start: "12:30", end: "25:61", days: ["mon"]),
                errors: [
                    "start": "This overlaps with Lunch, 12:00–13:00.",
                    "end": "Please give a time between 00:00 and 23:59.", "label": "Too long.",
                    "days": "Choose at least one day.",
                ], now: Sample.now, zone: Sample.zone)),
        schedule(
            "schedule-midnight",
            AntiRotSchedulePage(
                person: person(windows: [lunch, film]), editing: film, now: Sample.now, zone: Sample.zone)),
        PageState(
            name: "anti-rot-confirm", page: AntiRotEmptyPage(deleting: lunch),
            context: context(path: "/anti-rot/schedule")),
    ]
}

/// The places whose own page is a list.
extension PageState {
    private static func apps(_ person: Person = Sample.person(), limits: [LimitState] = []) -> AppsPage {
        AppsPage(
            person: person, limits: limits, catalog: Sample.catalog, now: Sample.now, zone: Sample.zone)
    }

    static let places = [
        PageState(name: "apps", page: apps(), context: context(path: "/apps")),
        // Windows are open, and of two limits one is nearer.
        PageState(
            name: "apps-busy",
            page: apps(
                person(windows: [lunch, late]),
                limits: [
                    state(.category("video"), used: 4, of: 60), state(.app("tiktok"), used: 12, of: 30),
                ]), context: context(path: "/apps?person=1", people: 2, questions: PageState.questions)),
        PageState(
            name: "more", page: MorePage(toLookAt: 1, machines: "2 machines, all in touch", offersHelp: true),
            context: context(path: "/more")),
    ]

    private static func state(_ target: LimitTarget, used: Int, of minutes: Int) -> LimitState {
        let id = UUID(uuidString: "00000000-0000-4000-a000-000000000001")!
        let person = Person(
            id: Sample.me, name: "Me",
            limits: Limits(list: [UsageLimit(id: id, target: target, minutes: minutes)]))
        var usage = UsageTotals()
        usage[Sample.me, target] = TargetUse(day: used, week: used)
        return person.limitStates(at: Sample.now, in: .utc, usage: usage)[0]
    }
}
