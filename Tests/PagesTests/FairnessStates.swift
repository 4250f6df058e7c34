import Dashboard
import Foundation
import Pages
import Policy
import Store

/// "My rules", asking and leaving, for `GoldenTests`.
extension PageState {
    static let fairness = [
        PageState(name: "my-rules", page: rules(of: adult), context: own("/my-rules")),
        PageState(name: "my-rules-child", page: rules(of: child), context: own("/my-rules")),
        PageState(
            name: "my-rules-asked",
            page: rules(of: asking, draft: AskDraft(app: "tiktok", error: Refusal.wishOpen.message)),
            context: own("/my-rules")),
        PageState(name: "my-home", page: myHome(asking), context: own("/")),
        PageState(
            name: "my-home-refused",
            page: myHome(child, draft: AskDraft(place: "app", error: "Choose an app.")), context: own("/")),
        PageState(
            name: "my-rules-first", page: rules(of: Person(id: Sample.me, name: "Me"), alone: true),
            context: own("/my-rules")),
        PageState(
            name: "my-rules-asleep", page: rules(of: Sample.person(session: Sample.session(.strict))),
            context: own("/my-rules")),
        PageState(
            name: "my-rules-leaving", page: rules(of: adult, device: leavingDevice),
            context: own("/my-rules", notices: [.init(.done, "Noted.")])),
        PageState(
            name: "my-rules-of-another", page: rules(of: adult, device: nil, isShown: false),
            context: context(path: "/my-rules?person=1", people: 2)),
        PageState(
            name: "my-rules-unconfirmed", page: rules(of: adult, device: unconfirmed, isShown: false),
            context: own("/my-rules")),
        PageState(
            name: "my-rules-left",
            page: NobodysRulesPage(
                device: leftBehind, in: Sample.household(), isSignedIn: false, now: Sample.now),
            context: own("/my-rules")),
        PageState(
            name: "my-rules-nobody",
            page: NobodysRulesPage(device: nil, in: Sample.household(), isSignedIn: false, now: Sample.now),
            context: own("/my-rules")),
        PageState(name: "leave", page: leave(Sample.person()), context: own("/my-rules/leave")),
        PageState(
            name: "leave-flexible", page: leave(Sample.person(session: Sample.session(.flexible))),
            context: own("/my-rules/leave")),
        PageState(name: "leave-anti-rot", page: leave(adult), context: own("/my-rules/leave")),
        PageState(
            name: "leave-strict", page: leave(Sample.person(session: Sample.session(.strict))),
            context: own("/my-rules/leave")),
        PageState(
            name: "leave-waits", page: leave(adult, delay: 24, error: "Choose this device, or all of them."),
            context: own("/my-rules/leave")),
        PageState(
            name: "wish", page: wish(.app("tiktok"), .open), context: context(path: "/requests/1", people: 2)),
        PageState(
            name: "wish-granted", page: wish(.later(night), .granted),
            context: context(path: "/requests/1", people: 2)),
        PageState(
            name: "wish-declined", page: wish(.skip(night), .declined),
            context: context(path: "/requests/1", people: 2)),
        PageState(
            name: "requests", page: QuestionsPage(questions), context: context(path: "/requests", people: 2)),
        PageState(
            name: "requests-none", page: QuestionsPage([]), context: context(path: "/requests?person=1")),
        PageState(
            name: "my-rules-reason-refused",
            page: rules(
                of: child,
                draft: AskDraft(
                    reason: "Because " + Sample.hostile, place: "later",
                    error: Refusal.reasonTooLong.message, isAboutReason: true)), context: own("/my-rules")),
        link("asks", .asks(yes: true, no: true)), link("yes", .asks(yes: true, no: false)),
        link("no", .asks(yes: false, no: true)), link("answered", .answered(yes: true)),
        link("known", .known(yes: false)), link("refused", .refused(Refusal.nightBegun.message)),
        PageState(
            name: "answer-link-over", page: AnswerLinkPage(.over),
            context: context(signedIn: false, path: "/answer/t")),
        PageState(
            name: "household-asking",
            page: HouseholdPage(
                household: Sample.household(people: [Sample.person(), asking], devices: left),
                catalog: Sample.catalog,
                now: Sample.now), context: context(path: "/household", people: 2, questions: questions)),
    ]

    /// Everything that can be asked.
    static let questions = asking.wishes.map { Question($0, of: asking) }
        .filter { $0.answer == .open }
        .map { QuestionRow($0, catalog: Sample.catalog, clock: ClockFace(zone: Sample.zone)) }

    private static func link(_ name: String, _ state: AnswerLinkPage.State) -> PageState {
        PageState(
            name: "answer-link-\(name)",
            page: AnswerLinkPage(
                state, row: questions[0], effect: "The app stays open from the next session on.",
                token: "t0ken"), context: context(signedIn: false, path: "/answer/t0ken"))
    }

    private static let night = CivilDate(year: 2026, month: 3, day: 13)
    private static let ids = (1...9).map { UUID(uuidString: "0D9F61B5-6E4C-4E0B-8F0A-5B7B6E1C2D3\($0)")! }

    private static func own(_ path: String, notices: [PageContext.Notice] = []) -> PageContext {
        context(signedIn: false, path: path, notices: notices)
    }

    /// A person with every kind of rule.
    private static let adult: Person = {
        var person = Sample.person()
        person.antiRot = AntiRot(
            restricted: AppSelection(apps: ["tiktok", "youtube"]),
            windows: [
                TimeWindow(
                    id: ids[0], label: "Lunch", start: TimeOfDay(hour: 12, minute: 0),
                    end: TimeOfDay(hour: 13, minute: 0), days: [.mon, .tue, .wed, .thu, .fri])
            ])
        person.limits.list = [
            UsageLimit(
                id: ids[1], target: .app("reddit"), minutes: 30, minutesByDay: [.sat: 60], weeklyMinutes: 200)
        ]
        person.limits.unlocksPerDay = 3
        person.limits.resetHour = 4
        person.looseningDelay = 24
        person.pending = [
            PendingChange(id: ids[2], due: Sample.at(hours: 20), change: .removeLimit(.app("reddit")))
        ]
        person.tonight = TonightChange(night: night, kind: .later, minutes: 30)
        person.focus.shieldsWhileFocusing = true
        return person
    }()

    private static let child: Person = {
        var mia = Person(id: Sample.other, name: Sample.hostile, role: .child, schedule: Sample.schedule)
        mia.allowed = AppSelection(apps: ["phone"])
        mia.limits.list = [UsageLimit(id: ids[1], target: .app("tiktok"), minutes: 30)]
        return mia
    }()

    private static let asking: Person = {
        var mia = child
        mia.wishes = [
            Wish(
                id: ids[3], what: .later(night), device: nil, askedAt: Sample.at(hours: -1),
                answer: .declined,
                answeredAt: Sample.at(hours: -0.5)),
            Wish(
                id: ids[4], what: .app("spotify"), reason: "To fall asleep & rest", device: nil,
                askedAt: Sample.at(hours: -0.4)),
            Wish(id: ids[5], what: .skip(night), device: nil, askedAt: Sample.at(hours: -0.2)),
        ]
        mia.limits.requests = [
            TimeRequest(
                id: ids[6], target: .app("tiktok"), device: nil, askedAt: Sample.at(hours: -2),
                answer: .granted,
                answeredAt: Sample.at(hours: -1.9))
        ]
        return mia
    }()

    private static let leavingDevice: Device = {
        var device = Sample.devices[0]
        device.departure = Departure(askedAt: Sample.at(hours: -1), due: Sample.at(hours: 23))
        return device
    }()

    private static let leftBehind: Device = {
        var device = Sample.devices[1]
        device.left = Left(person: Sample.me, at: Sample.at(hours: -25))
        return device
    }()

    private static let unconfirmed: Device = {
        var device = Sample.devices[0]
        device.isConfirmed = false
        return device
    }()

    private static let left: [Device] = {
        var devices = Sample.devices
        devices[0].person = nil
        devices[0].left = Left(person: Sample.me, at: Sample.at(hours: -0.6))
        return devices
    }()

    private static func household(_ person: Person, alone: Bool) -> Household {
        let other = Person(id: PersonID(rawValue: 9), name: "Ben")
        return Sample.household(people: alone ? [person] : [person, other])
    }

    private static func rules(
        of person: Person, device: Device? = Sample.devices[0], draft: AskDraft = AskDraft(),
        alone: Bool = false,
        isShown: Bool = true
    ) -> MyRulesPage {
        MyRulesPage(
            person: person, household: household(person, alone: alone), catalog: Sample.catalog,
            past: alone ? .init() : past(isShown), device: device,
            usage: UsageTotals([Sample.other: [.app("tiktok"): TargetUse(day: 30, week: 30)]]), draft: draft,
            now: Sample.now)
    }

    private static func myHome(_ person: Person, draft: AskDraft = AskDraft()) -> MyHomePage {
        var person = person
        person.antiRot = adult.antiRot
        return MyHomePage(
            person: person, household: household(person, alone: false), catalog: Sample.catalog,
            usage: UsageTotals([Sample.other: [.app("tiktok"): TargetUse(day: 12, week: 12)]]), draft: draft,
            validUntil: Sample.at(hours: 0.4), now: Sample.now)
    }

    private static func past(_ isShown: Bool) -> MyRulesPage.Past {
        let ben = Hand(.signedIn, "by Ben, on \(Sample.hostile)")
        func entry(
            _ kind: LogEntry.Kind, _ hours: Double, _ subject: RuleSubject? = nil, _ hand: Hand? = nil,
            _ detail: String = ""
        ) -> LogEntry {
            var entry = LogEntry(
                kind, person: Sample.me, device: DeviceID(rawValue: 1), at: Sample.at(hours: hours),
                detail: detail)
            entry.subject = subject
            entry.hand = hand
            return entry
        }
        let schedule = entry(.ruleChanged, -26, .schedule, ben)
        let limits = entry(.ruleChanged, -70, .limits, nil, "After waiting: limit of reddit")
        let zone = entry(.ruleChanged, -1_500, .timeZone, Hand(.program, "by the program home"))
        return MyRulesPage.Past(
            own: [.schedule: schedule, .limits: limits], household: [.timeZone: zone],
            entries: [
                entry(.wishDeclined, -0.5, nil, ben, "bedtime 30 minutes later tonight"), schedule, limits,
                entry(.timeGranted, -80, nil, ben, "TikTok"),
                entry(.deviceEnrolled, -100, nil, Hand(.ownDevice, "on iPhone, without the passcode")),
            ], isShown: isShown)
    }

    private static func leave(_ person: Person, delay: Int = 0, error: String? = nil) -> LeavePage {
        var person = person
        person.looseningDelay = delay
        return LeavePage(
            Sample.devices[0], person: person, household: household(person, alone: false), error: error,
            now: Sample.now)
    }

    private static func wish(_ what: Wish.What, _ answer: TimeRequest.Answer) -> QuestionPage {
        let wish = Wish(
            id: ids[7], what: what, device: DeviceID(rawValue: 1), askedAt: Sample.at(hours: -1),
            answer: answer,
            answeredAt: answer == .open ? nil : Sample.now)
        return QuestionPage(
            Question(wish, of: asking), in: Sample.household(), catalog: Sample.catalog, now: Sample.now)
    }
}
