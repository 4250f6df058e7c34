import Dashboard
import Foundation
import Pages
import Policy

/// "Wake for 30 minutes", while it begins (21 seconds before) and while it lasts, for `GoldenTests`.
extension PageState {
    static let pauses = [
        PageState(
            name: "household-pausing", page: household(isAwake: false),
            context: context(path: "/household", people: 2)),
        PageState(
            name: "household-paused", page: household(isAwake: true),
            context: context(path: "/household", people: 2)),
        PageState(
            name: "home-paused",
            page: HomePage(
                schedule: flexible, nextStart: end, tonight: pause,
                devices: DevicesInUse(enrolled: 3, recent: 3, hasAsked: true), isEnrolled: true,
                now: Sample.now, zone: Sample.zone),
            context: context()),
        PageState(
            name: "active-pausing",
            page: ActiveSessionPage(
                session: waking, until: waking.endsAt, pauseEnd: end,
                devices: DevicesInUse(enrolled: 3, recent: 3, hasAsked: true), isEnrolled: true,
                now: Sample.now, zone: Sample.zone),
            context: context()),
        PageState(
            name: "kiosk-pausing", page: kiosk(session: waking), context: context(signedIn: false)),
        PageState(name: "kiosk-paused", page: kiosk(session: nil), context: context(signedIn: false)),
        PageState(
            name: "shield-pausing", page: shield(isAwake: false), context: foreign),
        PageState(name: "shield-paused", page: shield(isAwake: true), context: foreign),
    ]

    /// 22:50, in a night that began at 22:00.
    private static let end = Sample.at(hours: 31.0 / 60)
    private static let pause = TonightChange(
        night: CivilDate(year: 2026, month: 3, day: 13), kind: .later, minutes: 50, isPause: true)

    private static let flexible = RecurringSchedule(
        isEnabled: true, start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 7, minute: 0),
        strictness: .flexible)

    private static let waking = SleepSession(
        id: UUID(uuidString: "6F2C1A52-8E0B-4C53-9D3B-2F6F6B0B7A15")!,
        mode: .recurring(startHour: 22, startMinute: 0, endHour: 7, endMinute: 0), strictness: .flexible,
        startedAt: Sample.at(hours: -19.0 / 60), endsAt: Sample.at(hours: 8 + 41.0 / 60),
        cancelsAt: Sample.now.addingTimeInterval(21), pause: pause, allowed: AppSelection(),
        night: pause.night)

    /// Mia sleeps on, and can be woken for 30 minutes.
    private static func household(isAwake: Bool) -> HouseholdPage {
        var asleep = waking
        (asleep.cancelsAt, asleep.pause) = (nil, nil)
        let me = Person(
            id: Sample.me, name: "Me", schedule: flexible, tonight: isAwake ? pause : nil,
            session: isAwake ? nil : waking)
        let mia = Person(id: Sample.other, name: "Mia", role: .child, schedule: flexible, session: asleep)
        return HouseholdPage(
            household: Sample.household(people: [me, mia]), catalog: Sample.catalog, now: Sample.now)
    }

    private static func kiosk(session: SleepSession?) -> KioskPage {
        KioskPage(
            session: session, pauseEnd: end, nextStart: nil, bedtime: session == nil ? end : nil,
            brightness: nil, now: Sample.now, zone: Sample.zone
        ) { "?brightness=\($0)\($1 ? "&limits=on" : "")" }
    }

    private static func shield(isAwake: Bool) -> ShieldPage {
        let block = Block(
            layer: .sleep, scope: .everythingBut(AppSelection()), since: waking.startedAt,
            until: waking.endsAt)
        return ShieldPage(
            name: "tiktok.com",
            verdict: NameVerdict(
                block: isAwake ? nil : block, app: Sample.catalog.app(id: "tiktok"), person: Sample.me,
                awakeUntil: end),
            now: Sample.now, zone: Sample.zone, origin: "http://sleep.home.arpa")
    }
}
