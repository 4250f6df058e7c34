import Dashboard
import Foundation
import Pages
import Policy

/// The pages of limits in every state.
extension PageState {
    static let limits = limitLists + newLimits + timeRequests

    private static func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-A000-00000000000\(number)")!
    }

    private static let tiktok = UsageLimit(id: id(1), target: .app("tiktok"), minutes: 30)
    private static let video = UsageLimit(
        id: id(2), target: .category("video"), minutes: 60, minutesByDay: [.sat: 120, .sun: 120],
        weeklyMinutes: 500)
    private static let instagram = UsageLimit(id: id(3), target: .app("instagram"), minutes: 20)
    private static let gone = UsageLimit(id: id(4), target: .app(Sample.hostile), minutes: 1_440)

    private static let used = UsageTotals([
        Sample.me: [
            .app("tiktok"): TargetUse(day: 12, week: 48), .category("video"): TargetUse(day: 41, week: 396),
            .app("instagram"): TargetUse(day: 20, week: 96),
        ]
    ])

    private static func person(_ limits: Limits, delay: Int = 0, pending: [PendingChange] = []) -> Person {
        Person(id: Sample.me, name: "Me", limits: limits, looseningDelay: delay, pending: pending)
    }

    private static func asked(_ number: Int, _ answer: TimeRequest.Answer = .open) -> TimeRequest {
        TimeRequest(
            id: id(number), target: .app("instagram"), reason: "For <homework>",
            device: DeviceID(rawValue: 1),
            askedAt: Sample.at(hours: -1.15), answer: answer,
            answeredAt: answer == .open ? nil : Sample.at(hours: -1))
    }

    private static let several = Limits(
        list: [tiktok, video, instagram], unlocksPerDay: 5,
        unlocks: .init(day: CivilDate(year: 2026, month: 3, day: 13), count: 2),
        extraTime: [
            ExtraTime(target: .app("tiktok"), day: CivilDate(year: 2026, month: 3, day: 13), minutes: 15)
        ], requests: [asked(7)])

    private static let unlocked = Limits(
        list: [instagram], resetHour: 4,
        probations: [
            Probation(id: "probation_1", target: .app("instagram"), expiresAt: Sample.at(hours: 42.0 / 3600))
        ])

    private static let overTheWeek = UsageTotals([
        Sample.me: [.category("video"): TargetUse(day: 20, week: 500)]
    ])

    private static func change(_ change: PendingChange.Change, _ number: Int) -> PendingChange {
        PendingChange(id: id(number), due: Sample.at(hours: 23.35), change: change)
    }

    private static let waiting = [
        change(.limit(UsageLimit(id: id(1), target: .app("tiktok"), minutes: 90, weeklyMinutes: 300)), 5),
        change(.removeLimit(.app(Sample.hostile)), 6), change(.looseningDelay(hours: 0), 8),
        change(.unlocksPerDay(nil), 9), change(.resetHour(4), 9),
    ]

    private static func list(
        _ name: String, _ person: Person, usage: UsageTotals = used, undo: LimitChange? = nil,
        refused: LimitsPage.Refused? = nil, settings: LimitSettings? = nil, signedIn: Bool = true,
        people: Int = 1
    ) -> PageState {
        PageState(
            name: "limits\(name)",
            page: LimitsPage(
                household: Sample.household(people: [person]), person: person, catalog: Sample.catalog,
                usage: usage, now: Sample.now, undo: undo, refused: refused, settings: settings),
            context: context(signedIn: signedIn, path: "/limits", people: people))
    }

    private static let limitLists = [
        list("", person(several), people: 2), list("-empty", person(Limits())),
        list("-unlocked", person(unlocked)),
        list("-week-over", person(Limits(list: [video])), usage: overTheWeek),
        list("-waiting", person(Limits(list: [tiktok, gone]), delay: 24, pending: waiting)),
        list(
            "-removed", person(Limits(list: [tiktok])),
            undo: LimitChange(instagram.target, from: instagram, to: nil)),
        list(
            "-added", person(Limits(list: [tiktok])), undo: LimitChange(tiktok.target, from: nil, to: tiktok)),
        list("-not-signed-in", person(several), signedIn: false),
        list(
            "-refused", person(Limits(list: [tiktok, instagram])),
            refused: .init(
                limit: id(1), typed: ["minutes": Sample.hostile, "weekly": "0", "mon": "1e9"],
                errors: [
                    "minutes": "A limit is 1 to 1440 whole minutes a day.",
                    "weekly": "A week's limit is 1 to 10080 whole minutes.",
                    "mon": "A limit is 1 to 1440 whole minutes a day.",
                ])),
        list(
            "-settings-refused", person(Limits(list: [tiktok])),
            settings: LimitSettings(
                resetHour: "24", unlocksPerDay: Sample.hostile, looseningDelay: "12",
                errors: [
                    "resetHour": "Choose a full hour from 0 to 23.",
                    "unlocksPerDay":
                        "Enter the number of unlocks a day, or leave this empty for no limit.",
                    "looseningDelay": "Choose no delay, 8 hours or 24 hours.",
                ])),
    ]

    private static func new(
        _ name: String, view: PickerView = PickerView(), target: LimitTarget? = nil,
        typed: LimitFields.Typed = [:],
        errors: [String: String] = [:], people: Int = 1
    ) -> PageState {
        PageState(
            name: "new-limit\(name)",
            page: NewLimitPage(
                catalog: Sample.catalog, limits: Limits(list: [tiktok]), view: view, target: target,
                typed: typed, errors: errors), context: context(path: "/limits/new", people: people))
    }

    private static let newLimits = [
        new(""), new("-found", view: PickerView(find: "o"), people: 2),
        new("-nothing", view: PickerView(find: Sample.hostile)),
        new("-open", view: PickerView(open: ["video"]), people: 2),
        new("-chosen", target: .category("video"), people: 2),
        new(
            "-refused", target: .app("reddit"), typed: ["minutes": "ten", "sun": "1441"],
            errors: [
                "minutes": "A limit is 1 to 1440 whole minutes a day.",
                "sun": "A limit is 1 to 1440 whole minutes a day.",
            ]), new("-unknown", errors: ["target": "Not in the catalog: nosuch."]),
    ]

    private static func request(
        _ name: String, _ answer: TimeRequest.Answer, bedtime: RecurringSchedule? = nil,
        asleep: SleepSession? = nil
    ) -> PageState {
        let ada = Person(
            id: Sample.me, name: Sample.hostile, schedule: bedtime, session: asleep,
            limits: Limits(list: [instagram], requests: [asked(7, answer)]))
        return PageState(
            name: "time-request-\(name)",
            page: QuestionPage(
                Question(asked(7, answer), of: ada), in: Sample.household(people: [ada]),
                catalog: Sample.catalog, usage: used, now: Sample.now),
            context: context(path: "/requests/\(id(7).uuidString)"))
    }

    private static let timeRequests = [
        request("open", .open), request("granted", .granted), request("declined", .declined),
        request("before-bedtime", .granted, bedtime: Sample.schedule),
        request("asleep", .granted, asleep: Sample.session(.flexible)),
    ]
}
