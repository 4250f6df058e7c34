import Dashboard
import Foundation
import Pages
import Policy

/// The pages of the focus timer in every state.
extension PageState {
    static let focus = timers + deepLinks + histories

    private static func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-B000-0000000000\(number < 10 ? "0" : "")\(number)")!
    }

    private static func session(
        _ number: Int, hours: Double, minutes: Int, label: String? = nil, completed: Bool = true
    ) -> FocusSession {
        let start = Sample.at(hours: hours)
        return FocusSession(
            id: id(number), start: start, end: start.addingTimeInterval(TimeInterval(minutes * 60)),
            durationSeconds: minutes * 60, presetLabel: label ?? "\(minutes)m", completed: completed)
    }

    /// Started 12 minutes ago.
    private static let running = FocusTimer(
        totalSeconds: 1_500,
        state: .running(
            .init(
                session: id(1), start: Sample.at(hours: -0.2), since: Sample.at(hours: -0.2),
                endsAt: Sample.at(hours: -0.2).addingTimeInterval(1_500), seen: Sample.at(hours: -0.2))))!

    private static let paused = FocusTimer(
        totalSeconds: 5_400,
        state: .paused(
            .init(
                session: id(2), start: Sample.at(hours: -1), since: Sample.at(hours: -0.25), remaining: 2_700)
        ))!

    /// As read from the app's `timer-state.json` (MF-011, MF-029).
    private static let imported = FocusTimer(totalSeconds: 1_500, state: .idle(remaining: 1_200))!

    private static func person(
        _ timer: FocusTimer, shields: Bool = false, names: FocusShortcuts = FocusShortcuts(),
        apps: Set<String>? = ["tiktok", "instagram"]
    ) -> Person {
        Person(
            id: Sample.me, name: "Me",
            antiRot: AntiRot(restricted: apps.map { AppSelection(apps: $0) }),
            focus: Focus(timer: timer, shieldsWhileFocusing: shields, shortcuts: names))
    }

    private static func page(
        _ name: String, _ person: Person, latest: FocusSession? = nil, today: FocusTotal? = nil,
        refused: FocusPage.Refused? = nil, asking: Preset? = nil, signedIn: Bool = true, people: Int = 1
    ) -> PageState {
        PageState(
            name: "focus\(name)",
            page: FocusPage(
                person, latest: latest, today: today, now: Sample.now, zone: Sample.zone, refused: refused,
                asking: asking),
            context: context(signedIn: signedIn, path: "/focus", people: people))
    }

    private static let today = CivilDate(year: 2026, month: 3, day: 13)
    private static let names = FocusShortcuts(
        dndShortcutName: "MonoFocus DND", grayscaleShortcutName: Sample.hostile)

    private static let timers = [
        page("", person(FocusTimer())),
        page(
            "-running", person(running, shields: true, names: names),
            today: FocusTotal(date: today, seconds: 4_500, sessions: 2, completed: 2), people: 2),
        page("-paused", person(paused, apps: nil)),
        page("-question", person(paused), asking: .standard),
        page("-own-length", person(FocusTimer(Preset(minutes: 1_440)!), apps: ["tiktok"])),
        page("-imported", person(imported)),
        page("-ended", person(FocusTimer()), latest: session(3, hours: -0.5, minutes: 25)),
        page(
            "-ended-elsewhere", person(FocusTimer()),
            latest: FocusSession(
                id: id(4), start: Sample.at(hours: -1), end: Sample.at(hours: -0.1), durationSeconds: 3_240,
                presetLabel: nil, completed: true)),
        page(
            "-refused", person(FocusTimer()),
            refused: .init(
                typed: ["minutes": Sample.hostile, "dnd": Sample.hostile],
                errors: [
                    "minutes": "The timer runs 1 to 1440 whole minutes.",
                    "dnd": "A name has at most 60 characters.",
                ])),
        page("-not-signed-in", person(running), signedIn: false),
    ]

    private static let deepLinks = [
        PageState(
            name: "focus-start", page: FocusStartPage(Preset(minutes: 45)!),
            context: context(path: "/start?minutes=45")),
        PageState(
            name: "focus-presets", page: PresetsWidgetPage(),
            context: context(signedIn: false, path: "/widget/presets")),
        PageState(
            name: "focus-presets-of", page: PresetsWidgetPage(person: "2"),
            context: context(signedIn: false, path: "/widget/presets?person=2")),
    ]

    private static let sessions = [
        session(11, hours: -0.5, minutes: 25),
        session(12, hours: -3, minutes: 7, label: "90m", completed: false),
        session(13, hours: -26, minutes: 45), session(14, hours: -27, minutes: 90),
        session(15, hours: -170, minutes: 60, label: Sample.hostile),
    ]

    private static func history(
        _ name: String, _ slice: FocusHistoryPage.Slice, removed: FocusSession? = nil,
        importError: String? = nil, person: PersonID? = nil, signedIn: Bool = true,
        notices: [PageContext.Notice] = []
    ) -> PageState {
        let zone = CivilZone(Sample.zone.identifier)!
        return PageState(
            name: "focus-history\(name)",
            page: FocusHistoryPage(
                slice, days: FocusTotals.days(slice.sessions, upTo: today, count: 14, in: zone),
                weeks: FocusTotals.weeks(slice.sessions, upTo: today, count: 12, in: zone), today: today,
                person: person, removed: removed, importError: importError, zone: Sample.zone),
            context: context(signedIn: signedIn, path: "/focus/history", notices: notices))
    }

    private static let histories = [
        history("", .init(sessions, hasOlder: true)), history("-empty", .init([])),
        history(
            "-last", .init(Array(sessions.suffix(2)), after: FocusCursor(sessions[0])),
            person: Sample.other),
        history("-removed", .init(Array(sessions.suffix(1))), removed: sessions[0]),
        history("-refused", .init(sessions), importError: "This is not a sessions.json file."),
        history("-not-signed-in", .init(sessions), signedIn: false),
        history(
            "-imported", .init(sessions),
            notices: [.init(.done, "3 sessions were added. 2 were here already.")]),
    ]
}
