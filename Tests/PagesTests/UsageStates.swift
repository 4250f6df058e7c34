import Dashboard
import Foundation
import Pages
import Policy

extension PageState {
    /// The usage pages' states: a day with everything, one app, and a new household.
    static let usage = [
        PageState(name: "usage", page: page(report(), app: nil), context: context),
        PageState(
            name: "usage-app",
            page: page(
                report(), app: App(id: "tiktok", name: "TikTok", category: "short-video", suffixes: [])),
            context: context),
        PageState(
            name: "widget",
            page: WidgetPage(
                person: limited, household: household, catalog: Sample.catalog, usage: used, report: report(),
                now: Sample.now),
            context: context),
        PageState(
            name: "widget-empty",
            page: WidgetPage(
                person: Sample.person(), household: household, catalog: Sample.catalog, usage: .none,
                report: empty, now: Sample.now),
            context: context),
        PageState(
            name: "widget-unlimited",
            page: WidgetPage(
                person: Sample.person(), household: household, catalog: Sample.catalog, usage: .none,
                report: report(), now: Sample.now),
            context: context),
        PageState(
            name: "widget-hidden",
            page: WidgetPage(
                person: Sample.person(), household: household, catalog: Sample.catalog, usage: .none,
                report: nil, now: Sample.now),
            context: context),
        PageState(
            name: "kiosk-limits",
            page: KioskPage(
                session: nil, nextStart: Sample.at(hours: 1), brightness: nil, now: Sample.now,
                zone: Sample.zone,
                day: .init(
                    of: limited, in: household, catalog: Sample.catalog, usage: used, rhythm: day,
                    now: Sample.now)
            ) { "?brightness=\($0)\($1 ? "&limits=on" : "")" },
            context: PageState.context(path: "/kiosk")),
        ClockFace.$style.withValue(.twelveHours) {
            var context = Self.context
            context.clock = .twelveHours
            return PageState(name: "usage-12-hours", page: page(report(), app: nil), context: context)
        },
        PageState(name: "usage-empty", page: page(empty, app: nil, past: [:], bends: []), context: context),
    ]

    private static let context = PageContext(
        csrf: "c5rf-token", person: Sample.person(), people: [Sample.person()], now: Sample.now,
        zone: Sample.zone, path: "/usage")

    private static let household = Household(timeZone: Sample.zone.identifier, people: [limited])

    private static let limited: Person = {
        var person = Sample.person()
        person.limits.list = [
            UsageLimit(
                id: UUID(uuidString: "00000000-0000-0000-0000-000000000001")!, target: .category("social"),
                minutes: 45),
            UsageLimit(
                id: UUID(uuidString: "00000000-0000-0000-0000-000000000002")!, target: .category("video"),
                minutes: 30),
        ]
        return person
    }()

    private static let used = UsageTotals([
        Sample.me: [
            .category("social"): TargetUse(day: 12, week: 40),
            .category("video"): TargetUse(day: 31, week: 31),
        ]
    ])

    private static let today = CivilDate(year: 2026, month: 3, day: 13)

    private static func page(
        _ report: UsageReport, app: App?, past: [CivilDate: NightsCalendar.Outcome] = past,
        bends: [UsagePage.Bend] = [.init("Unlocked for 1 minute", 4), .init("I'm Eating", 2)]
    ) -> UsagePage {
        UsagePage(
            report: report, app: app, catalog: Sample.catalog, of: Sample.person(), isAlone: true,
            today: today, clock: ClockFace(zone: Sample.zone), nights: NightsCalendar(past, today: today),
            bends: bends
        ) { date, app in "/usage?date=\(date)" + (app.map { "&app=\($0)" } ?? "") }
    }

    /// A night, focus, and use from 07:00 to 23:00.
    private static let day: DayRhythm = {
        let zone = CivilZone("Europe/Berlin")!
        let start = zone.dayStart(today)
        func span(_ from: Double, _ to: Double) -> Range<Date> {
            start.addingTimeInterval(from * 3_600)..<start.addingTimeInterval(to * 3_600)
        }
        let first = Int(start.timeIntervalSince1970) / 60
        return DayRhythm(
            today, in: zone,
            spans: [
                .sleep: [span(-1.25, 7)], .bedtime: [span(22.75, 31)],
                .windows: [span(12, 13), span(18, 20)],
                .focus: [span(9.5, 10), span(14, 14.75)],
            ],
            use: (7..<23).map { first + $0 * 60..<first + $0 * 60 + ($0 * 7) % 41 },
            reached: [(.category("video"), start.addingTimeInterval(20.5 * 3_600))])
    }()

    private static func report() -> UsageReport {
        let days = (-27...0).map { offset in
            UsageReport.Day(
                date: today.adding(days: offset), minutes: 60 + (offset * offset * 13) % 170,
                attempts: offset == 0 ? 9 : 0)
        }
        return UsageReport(
            rhythm: day,
            apps: [
                .init(app: "tiktok", name: "TikTok", minutes: 84, attempts: 8),
                .init(app: "youtube", name: "YouTube", minutes: 51, attempts: 1),
                .init(app: "own-1", name: Sample.hostile, minutes: 12, source: .upload),
                .init(app: "whatsapp", name: "WhatsApp", minutes: 1),
            ], days: days)
    }

    private static let empty = UsageReport(
        rhythm: DayRhythm(today, in: CivilZone("Europe/Berlin")!), apps: [],
        days: (-27...0).map { UsageReport.Day(date: today.adding(days: $0), minutes: 0) })

    private static let past = Dictionary(
        uniqueKeysWithValues: (1...26).map { ago -> (CivilDate, NightsCalendar.Outcome) in
            (today.adding(days: -ago), ago == 4 ? .cancelled : ago == 11 ? .reset : .kept)
        })
}
