import Dashboard
import Foundation
import Pages
import Policy
import Testing

/// One page in one state, kept in `Golden/`.
struct PageState: Sendable, CustomTestStringConvertible {
    let name: String
    let page: any Page
    let context: PageContext

    var testDescription: String { name }

    static let all: [PageState] =
        gate + places + nights + pauses + rules + household + shields + everybody + dates + justBlocked
        + usage
        + antiRot
        + limits
        + focus + verified + webhooks + phoneNotices + setup + around + changes + fairness
        + machines + relaying + trust + twelveHours + moving

    static func context(
        signedIn: Bool = true, path: String = "/", notices: [PageContext.Notice] = [], people: Int = 1,
        bedtime: Date? = nil, questions: [QuestionRow] = []
    ) -> PageContext {
        let me = Sample.person()
        let other = Person(id: Sample.other, name: Sample.hostile)
        return PageContext(
            csrf: signedIn ? "c5rf-token" : nil, person: signedIn ? me : nil,
            people: people == 1 ? [me] : [me, other], now: Sample.now, zone: Sample.zone, path: path,
            notices: notices, bedtime: bedtime, questions: questions)
    }

    private static let gate = [
        PageState(name: "welcome", page: WelcomePage(), context: context(signedIn: false)),
        PageState(
            name: "welcome-error",
            page: WelcomePage(error: "Port 53 is taken by systemd-resolved, so nothing would be blocked."),
            context: context(signedIn: false)),
        PageState(
            name: "setup",
            page: SetupPage(timeZone: "Europe/Berlin", zones: Sample.zones, address: "192.168.1.21"),
            context: context(signedIn: false)),
        PageState(
            name: "setup-refused",
            page: SetupPage(
                code: Sample.hostile, timeZone: "Europe/Berlin", zones: Sample.zones, enrolls: false,
                errors: [
                    "code": "That is not the code.", "passcode": "Please use at least 6 characters.",
                    "timeZone": "There is no such zone.",
                ]),
            context: context(signedIn: false)),
        PageState(name: "login", page: LoginPage(next: "/session"), context: context(signedIn: false)),
        PageState(
            name: "login-own-device", page: LoginPage(hasOwnPages: true), context: context(signedIn: false)),
        PageState(
            name: "login-unsent",
            page: LoginPage(
                unsent:
                    "Nothing was saved or changed: your log-in had ended. Log in, and go on where you were."),
            context: context(signedIn: false)),
        PageState(
            name: "kept-form",
            page: KeptFormPage(
                sentAt: "22:19",
                kept: .init(
                    action: "/household/bedtime", fields: [("person", "2"), ("words", Sample.hostile)],
                    page: "/household")),
            context: context(path: "/kept")),
        PageState(
            name: "login-refused",
            page: LoginPage(error: "That is not the passcode. Try again in 20 seconds.", waitSeconds: 20),
            context: context(signedIn: false)),
    ]

    private static func home(
        nextStart: Date?, edge: NightEdge? = nil, tonight: TonightChange? = nil, devices: DevicesInUse,
        isEnrolled: Bool = true, toBed: ToBed? = nil
    ) -> HomePage {
        HomePage(
            schedule: Sample.schedule, nextStart: nextStart, tonight: tonight, devices: devices,
            isEnrolled: isEnrolled, toBed: toBed, edge: edge, now: Sample.now,
            zone: Sample.zone)
    }

    private static let three = DevicesInUse(enrolled: 3, recent: 3, hasAsked: true)
    private static let none = DevicesInUse(enrolled: 0, recent: 0, hasAsked: false)
    private static let quiet = DevicesInUse(enrolled: 2, recent: 0, hasAsked: true)
    private static let tonight = CivilDate(year: 2026, month: 3, day: 13)

    private static func helped(messagesFrom: Date? = nil) -> Device {
        var device = Sample.devices[0]
        device.helpUntil = Sample.at(hours: 0.25)
        device.helpMessagesFrom = messagesFrom
        return device
    }

    private static func active(
        _ session: SleepSession, _ devices: DevicesInUse = three, isEnrolled: Bool = true
    ) -> ActiveSessionPage {
        ActiveSessionPage(
            session: session, until: session.endsAt, devices: devices, isEnrolled: isEnrolled,
            now: Sample.now,
            zone: Sample.zone)
    }

    private static let nights = [
        PageState(
            name: "home", page: home(nextStart: Sample.at(hours: 26.0 / 60), devices: three),
            context: context()),
        PageState(
            name: "home-dusk",
            page: home(
                nextStart: Sample.at(hours: 26.0 / 60),
                edge: NightEdge(morning: nil, bedtime: Sample.at(hours: 26.0 / 60), at: Sample.now),
                devices: three),
            context: context()),
        PageState(
            name: "home-morning",
            page: home(
                nextStart: Sample.at(hours: 14),
                edge: NightEdge(morning: morning(), bedtime: nil, at: Sample.now), devices: three),
            context: context()),
        PageState(
            name: "home-concerns",
            page: HomePage(
                schedule: Sample.schedule, nextStart: nil, devices: three, isEnrolled: true,
                antiRot: "BLOCKED until 18:00", limits: "TikTok 12 of 30 min · 2 more", board: board,
                now: Sample.now, zone: Sample.zone),
            context: context()),
        PageState(
            name: "home-nobody", page: home(nextStart: nil, devices: none, isEnrolled: false),
            context: context()),
        PageState(
            name: "home-later",
            page: home(
                nextStart: Sample.at(hours: 56.0 / 60),
                tonight: TonightChange(night: tonight, kind: .later, minutes: 30),
                devices: DevicesInUse(enrolled: 1, recent: 1, hasAsked: true)),
            context: context(notices: [.init(.done, "Tonight begins 30 minutes later.")], people: 2)),
        PageState(
            name: "home-skipped",
            page: home(
                nextStart: Sample.at(hours: 25 + 11.0 / 60),
                tonight: TonightChange(night: tonight, kind: .skip),
                devices: three),
            context: context(notices: [
                .init(.warning, "Port 53 is taken, so no device can ask here. Nothing is blocked.")
            ])),
        PageState(
            name: "session",
            page: SessionPage(
                person: Sample.person(), strictness: .flexible, devices: three, isEnrolled: true),
            context: context(path: "/session")),
        PageState(
            name: "session-refused",
            page: SessionPage(
                person: Person(id: Sample.other, name: Sample.hostile), strictness: nil, duration: nil,
                otherName: Sample.hostile, devices: none, isEnrolled: false,
                errors: ["durationMinutes": "Choose one of these.", "strictness": "Choose one of these."]),
            context: context(path: "/session")),
        PageState(name: "active-flexible", page: active(Sample.session(.flexible)), context: context()),
        PageState(name: "active-strict", page: active(Sample.session(.strict)), context: context(people: 2)),
        PageState(
            name: "active-cancelling", page: active(Sample.session(.flexible, cancelsIn: 21)),
            context: context()),
        PageState(
            name: "active-quiet", page: active(Sample.session(.strict), quiet, isEnrolled: false),
            context: context()),
        PageState(name: "active-nobody", page: active(Sample.session(.strict), none), context: context()),
        PageState(
            name: "home-everybody",
            page: home(
                nextStart: Sample.at(hours: 26.0 / 60), devices: three,
                toBed: ToBed(.everybody, in: Sample.household(people: [Sample.person(), Sample.person()]))),
            context: context(people: 2)),
        PageState(
            name: "home-winding-down", page: home(nextStart: near, devices: three),
            context: context(bedtime: near)),
        PageState(
            name: "session-winding-down",
            page: SessionPage(
                person: Sample.person(), strictness: .strict, duration: "morning", morning: "07:00",
                devices: three, isEnrolled: true),
            context: context(path: "/session", bedtime: Sample.at(hours: 26.0 / 60))),
        PageState(
            name: "kiosk-winding-down", page: kiosk(nil, next: near), context: context(signedIn: false)),
        PageState(
            name: "kiosk-override",
            page: kiosk(nil, next: nil, override: Sample.now.addingTimeInterval(2699.5)),
            context: context(signedIn: false)),
        PageState(name: "kiosk-idle", page: kiosk(nil, next: nil), context: context(signedIn: false)),
        PageState(
            name: "kiosk-visitor", page: kiosk(nil, next: nil, bedtime: Sample.at(hours: 2)),
            context: context(signedIn: false)),
        PageState(
            name: "kiosk-next", page: kiosk(nil, next: Sample.at(hours: 26.0 / 60)),
            context: context(signedIn: false)),
        PageState(
            name: "kiosk-asleep", page: kiosk(Sample.session(.strict), next: nil),
            context: context(signedIn: false)),
        PageState(
            name: "kiosk-dim", page: kiosk(Sample.session(.strict), next: nil, brightness: 33),
            context: context(signedIn: false)),
        PageState(
            name: "kiosk-morning",
            page: kiosk(nil, next: Sample.at(hours: 14), morning: morning(nights: 1)),
            context: context(signedIn: false)),
        PageState(
            name: "kiosk-touch",
            page: kiosk(nil, next: Sample.at(hours: 1), touch: .init(offersGoodnight: true)),
            context: context(path: "/kiosk")),
        PageState(
            name: "kiosk-undo",
            page: kiosk(Sample.session(.strict), next: nil, touch: .init(press: press)),
            context: context(signedIn: false)),
        PageState(
            name: "kiosk-refused",
            page: kiosk(Sample.session(.strict), next: nil, touch: .init(refusal: .undoTooLate)),
            context: context(signedIn: false)),
        PageState(
            name: "kiosk-cancelling", page: kiosk(Sample.session(.flexible, cancelsIn: 21), next: nil),
            context: context(signedIn: false)),
    ]

    /// Two seconds ago.
    private static let press: OneTapPress = {
        var household = Sample.household()
        return try! household.press(
            .bedtime, on: Sample.me, by: "device 1",
            unique: UUID(uuidString: "6F2C1A52-8E0B-4C53-9D3B-2F6F6B0B7A13")!,
            at: Sample.now.addingTimeInterval(-2)
        ).press
    }()

    /// Nights of 7 h 45 min in a row; the last ended 20 minutes ago.
    static func morning(nights: Int = 6) -> Morning {
        Morning(
            after: (0..<nights).map { ago in
                let end = Sample.at(hours: -1.0 / 3 - 24 * Double(ago))
                return PastNight(
                    start: end.addingTimeInterval(-27_900), end: end, plannedEnd: end, isScheduled: true,
                    ending: .kept)
            }, at: Sample.now, in: CivilZone("Europe/Berlin")!)!
    }

    /// In 14 minutes and 10 seconds.
    private static let near = Sample.now.addingTimeInterval(850)

    private static func kiosk(
        _ session: SleepSession?, next: Date?, bedtime: Date? = nil, brightness: Int? = nil,
        override: Date? = nil, morning: Morning? = nil, touch: KioskPage.Touch = .init()
    )
        -> KioskPage
    {
        KioskPage(
            session: session, nextStart: next, bedtime: bedtime, brightness: brightness, now: Sample.now,
            zone: Sample.zone, overrideEndsAt: override, morning: morning, touch: touch
        ) { "?brightness=\($0)\($1 ? "&limits=on" : "")" }
    }

    private static let rules = [
        PageState(
            name: "schedule",
            page: SchedulePage(values: .init(Sample.schedule), isSessionRunning: false),
            context: context(path: "/schedule")),
        PageState(
            name: "schedule-off", page: SchedulePage(values: .init(.default), isSessionRunning: false),
            context: context(path: "/schedule")),
        PageState(
            name: "schedule-question",
            page: ScheduleQuestionPage(
                nights: [
                    (
                        person: Sample.me,
                        night: Night(
                            date: CivilDate(year: 2026, month: 11, day: 20), start: Sample.now - 1_800,
                            end: Sample.now + 7 * 3_600, bedtime: TimeOfDay(hour: 22, minute: 0),
                            wake: TimeOfDay(hour: 7, minute: 0)), strictness: .strict
                    )
                ], in: Sample.household(), reader: Sample.me, action: "/schedule",
                fields: FormFields(pairs: [("csrf", "c"), ("person", "1"), ("start", Sample.hostile)]),
                now: Sample.now), context: context(path: "/schedule")),
        PageState(
            name: "home-setup",
            page: HomePage(
                schedule: nil, nextStart: nil, devices: DevicesInUse(enrolled: 0, recent: 0, hasAsked: false),
                isEnrolled: false, setupStep: .bedtime, now: Sample.now, zone: Sample.zone),
            context: context()),
        PageState(
            name: "schedule-refused",
            page: SchedulePage(
                values: .init(
                    isEnabled: true, start: "25:61", end: Sample.hostile, strictness: "lenient", days: [],
                    exceptions: [.init(days: ["fri"], start: "22:00", end: "22:00")]),
                isSessionRunning: true,
                errors: [
                    "start": "A time between 00:00 and 23:59.", "days": "Tick at least one night.",
                    "strictness": "Choose one of these.", "exception0": "It would end when it begins.",
                ]),
            context: context(path: "/schedule")),
        PageState(
            name: "allowed-apps", page: allowed(isSessionRunning: false),
            context: context(path: "/allowed-apps")),
        PageState(
            name: "allowed-apps-refused",
            page: allowed(
                isSessionRunning: true, typed: ["domain": Sample.hostile, "name": Sample.hostile],
                errors: ["domain": "That is no domain name.", "domains": "At least one domain name."]),
            context: context(path: "/allowed-apps", people: 2)),
        PageState(
            name: "allowed-apps-found",
            page: allowed(
                isSessionRunning: false, view: PickerView(find: "o"),
                undo: PickerUndo(
                    id: "u1", from: AppSelection(), to: AppSelection(apps: ["spotify"]),
                    catalog: Sample.catalog)),
            context: context(path: "/allowed-apps", people: 2)),
        PageState(
            name: "allowed-apps-open",
            page: allowed(isSessionRunning: false, view: PickerView(open: ["social", "music"])),
            context: context(path: "/allowed-apps")),
    ]

    private static func allowed(
        isSessionRunning: Bool, view: PickerView = PickerView(), undo: PickerUndo? = nil,
        typed: [String: String] = [:], errors: [String: String] = [:]
    ) -> AllowedAppsPage {
        AllowedAppsPage(
            catalog: Sample.catalog, household: Sample.household(), selection: Sample.person().allowed,
            isSessionRunning: isSessionRunning, view: view, undo: undo, typed: typed, errors: errors)
    }

    private static func devices(
        _ household: Household = Sample.household(), this: Int64? = 1, strict: Bool = false,
        routers: Set<String> = [], blocked: [DeviceID: Int] = [:], errors: [DeviceID: String] = [:],
        merge: Merge? = nil
    ) -> DevicesPage {
        DevicesPage(
            household: household, thisDevice: this.map(DeviceID.init), address: "192.168.1.21",
            person: Sample.me, pointing: PointHere(server: "http://192.168.1.5"), isStrictRunning: strict,
            routers: routers, blocked: blocked, now: Sample.now,
            errors: errors, merges: merge.map { [$0.known.id: $0] } ?? [:], justMerged: merge?.known.id)
    }

    /// A child's phone that came back as a new device, a router that asks for everybody, and names from the network.
    private static var returned: DevicesPage {
        devices(
            withReturned, routers: ["192.168.1.23"],
            blocked: [DeviceID(rawValue: 1): 4, DeviceID(rawValue: 6): 1, DeviceID(rawValue: 5): 0])
    }

    /// The same after the tap.
    private static var merged: DevicesPage {
        var household = withReturned
        let merge = try! household.merge(
            DeviceID(rawValue: 6), into: DeviceID(rawValue: 5), at: Sample.now - 10)
        return devices(household, merge: merge)
    }

    private static var withReturned: Household {
        var household = Sample.household(people: [
            Sample.person(), Person(id: PersonID(rawValue: 2), name: "Ada", role: .child),
        ])
        household.devices[3].person = PersonID(rawValue: 2)
        household.devices[3].name = "Ada's phone"
        household.devices[3].networkName = "Adas-iPhone"
        household.devices[3].lastSeen = Sample.now - 500
        household.devices[2].kind = .other
        household.devices[2].networkName = "fritz-box"
        household.devices.append(
            Device(
                id: DeviceID(rawValue: 6), name: "adas-iphone", isNamed: false, networkName: "adas-iphone",
                addresses: ["192.168.1.66", "fd00::66"], hardwareAddress: "da:a1:19:00:00:06",
                firstSeen: Sample.now - 300, lastSeen: Sample.now - 10))
        household.devices.append(
            Device(
                id: DeviceID(rawValue: 7), name: "Device 7", isNamed: false, isConfirmed: false,
                addresses: ["192.168.1.67"], hardwareAddress: "da:a1:19:00:00:06",
                firstSeen: Sample.now - 300, lastSeen: Sample.now - 10))
        return household
    }

    private static func settings(
        _ person: Person = Sample.person(), people: [Person]? = nil, newToken: String? = nil,
        errors: [String: String] = [:]
    ) -> SettingsPage {
        SettingsPage(
            person: person, household: Sample.household(people: people ?? [person]), zones: Sample.zones,
            tokens: [.init(id: "t1", name: "Light switch", note: "Made on 3 March, never used.")],
            newToken: newToken, version: "0.1.0", errors: errors)
    }

    private static func part(
        _ part: String, newToken: String? = nil, errors: [String: String] = [:]
    ) -> SettingPage {
        SettingPage(part, of: settings(newToken: newToken, errors: errors))!
    }

    private static let household = [
        PageState(name: "devices", page: devices(), context: context(path: "/devices")),
        PageState(name: "devices-returned", page: returned, context: context(path: "/devices")),
        PageState(name: "devices-merged", page: merged, context: context(path: "/devices")),
        PageState(
            name: "devices-empty", page: devices(Sample.household(devices: []), this: nil),
            context: context(path: "/devices")),
        PageState(
            name: "devices-strict",
            page: devices(
                this: 2, strict: true,
                errors: [DeviceID(rawValue: 1): "Not while a strict session runs, which is until 23:43."]),
            context: context(path: "/devices", people: 2)),
        PageState(name: "settings", page: settings(), context: context(path: "/settings")),
        PageState(name: "settings-people", page: part("people"), context: context(path: "/settings/people")),
        PageState(name: "settings-help", page: part("help"), context: context(path: "/settings/help")),
        PageState(name: "settings-clock", page: part("clock"), context: context(path: "/settings/clock")),
        PageState(
            name: "settings-passcode",
            page: part("passcode", errors: ["current": "That is not the passcode."]),
            context: context(path: "/settings/passcode")),
        PageState(
            name: "settings-tokens", page: part("tokens", newToken: "si_0123456789abcdef"),
            context: context(path: "/settings/tokens")),
        PageState(
            name: "settings-new-devices", page: part("new-devices"),
            context: context(path: "/settings/new-devices")),
        PageState(
            name: "settings-private-answers", page: part("private-answers"),
            context: context(path: "/settings/private-answers")),
        PageState(
            name: "settings-private-answers-refused",
            page: part("private-answers", errors: ["names": "com is too short."]),
            context: context(path: "/settings/private-answers")),
        PageState(
            name: "settings-time-zone", page: part("time-zone"),
            context: context(path: "/settings/time-zone")),
        PageState(
            name: "settings-strict",
            page: settings(
                Sample.person(session: Sample.session(.strict)),
                people: [Sample.person(), Person(id: Sample.other, name: "Ada")],
                newToken: "si_0123456789abcdef",
                errors: ["current": "That is not the passcode.", "personName": "Somebody has that name."]),
            context: context(path: "/settings", people: 2)),
        PageState(
            name: "reset", page: ResetPage(isSessionRunning: true, endsAt: "23:43", isNight: true),
            context: context(path: "/settings/reset")),
        PageState(
            name: "reset-nothing", page: ResetPage(isSessionRunning: false),
            context: context(path: "/settings/reset")),
        PageState(
            name: "removal",
            page: RemovalPage(id: 2, name: "Ada <b>", endsAt: "23:43", devices: "Ada's phone, Tablet"),
            context: context(path: "/settings/people/2/delete", people: 2)),
        PageState(
            name: "help", page: HelpPage(nil, now: Sample.now, zone: Sample.zone),
            context: context(signedIn: false, path: "/help")),
        PageState(
            name: "help-strict",
            page: HelpPage(
                nil, isStrict: true, shut: ["Signal", "WhatsApp"], now: Sample.now, zone: Sample.zone),
            context: context(signedIn: false, path: "/help")),
        PageState(
            name: "help-open",
            page: HelpPage(helped(), now: Sample.now, zone: Sample.zone),
            context: context(path: "/help")),
        PageState(
            name: "help-third",
            page: HelpPage(
                helped(messagesFrom: Sample.at(hours: 0.01)), presses: 3, now: Sample.now, zone: Sample.zone),
            context: context(signedIn: false, path: "/help")),
        PageState(
            name: "home-screen",
            page: HomeScreenPage(address: "http://sleep.home.arpa", system: "ios"),
            context: context(path: "/home-screen")),
        PageState(
            name: "error-404", page: ErrorPage(status: 404), context: context(signedIn: false, path: "/nope")),
        PageState(
            name: "error-nothing-to-show",
            page: ErrorPage(status: 404, reason: "tiktok.com is not blocked just now."),
            context: context(signedIn: false)),
        PageState(
            name: "error-409",
            page: ErrorPage(status: 409, reason: "Strict mode - session cannot be cancelled"),
            context: context()),
        PageState(
            name: "error-403",
            page: ErrorPage(
                status: 403,
                kept: .init(action: "/settings", fields: [("defaultStrictness", "strict")], page: "/settings")
            ),
            context: context(path: "/settings")),
        PageState(name: "error-503", page: ErrorPage(status: 503), context: context(signedIn: false)),
        PageState(
            name: "error-unsaved",
            page: ErrorPage(
                status: 503, reason: "The disk is full, so this was not saved. Blocking goes on as before.",
                isUnsaved: true),
            context: context()),
    ]
}
