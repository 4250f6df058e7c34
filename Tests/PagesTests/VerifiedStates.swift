import Dashboard
import Foundation
import Pages
import Policy
import Store

extension PageState {
    /// Discipline Dungeon's three tabs in their states.
    static let verified = [
        PageState(name: "verified-setup", page: setup(person()), context: context(path: "/verified/setup")),
        PageState(
            name: "verified-setup-full", page: setup(filled, facts: full),
            context: context(path: "/verified/setup")),
        PageState(
            name: "verified-setup-refused",
            page: setup(
                person(), typed: Sample.hostile,
                errors: [
                    "baseURL": Refusal.serverAddressUnreadable.message,
                    "accessToken": Refusal.accessTokenMissing.message,
                    "timeZone": Refusal.unknownZone.message,
                ]), context: context(path: "/verified/setup", people: 2)),
        PageState(
            name: "verified-selection", page: selection(person()),
            context: context(path: "/verified/selection")),
        PageState(
            name: "verified-selection-synced", page: selection(filled),
            context: context(path: "/verified/selection")),
        PageState(
            name: "verified-selection-refused",
            page: selection(
                failed, typedDomain: Sample.hostile,
                errors: [
                    "domain": Refusal.domainInvalid("x").message, "sync": Refusal.nothingProductive.message,
                ]),
            context: context(path: "/verified/selection", people: 2)),
        PageState(
            name: "verified-yesterday-empty", page: yesterday(person()),
            context: context(path: "/verified/yesterday")),
        PageState(
            name: "verified-yesterday-computing", page: yesterday(staged(-1), isSheetOpen: true),
            context: context(path: "/verified/yesterday")),
        PageState(
            name: "verified-yesterday-overdue", page: yesterday(staged(-20), isSheetOpen: true),
            context: context(path: "/verified/yesterday")),
        PageState(
            name: "verified-yesterday-sheet", page: yesterday(filled, isSheetOpen: true),
            context: context(path: "/verified/yesterday")),
        PageState(
            name: "verified-yesterday-uploaded", page: yesterday(filled),
            context: context(path: "/verified/yesterday")),
        PageState(
            name: "verified-yesterday-failed", page: yesterday(failed),
            context: context(path: "/verified/yesterday", people: 2)),
    ]

    private static let date = CivilDate(year: 2026, month: 3, day: 12)

    private static func person(_ change: (inout VerifiedMinutes) -> Void = { _ in }) -> Person {
        var person = Sample.person()
        change(&person.verified)
        return person
    }

    private static func snapshot(_ minutes: Int, in zone: String = "Europe/Berlin") -> ScreenTimeSnapshot {
        ScreenTimeSnapshot(
            date: date, timezone: zone, verifiedMinutes: minutes, computedAt: Sample.now)
    }

    private static let filled = person {
        $0.productive = AppSelection(apps: ["spotify"], categories: ["video"], domains: ["school.example"])
        $0.server = try? VerifiedServer(typed: "http://192.168.1.9/")
        $0.timeZone = "Europe/London"
        $0.request = ScreenTimeComputationRequest(date: date, timezone: "Europe/London")
        $0.snapshot = snapshot(125, in: "Europe/London")
        $0.invokedAt = Sample.now
        $0.completedAt = Sample.now
        $0.sync = SyncResult(at: Sample.now, destination: "example.org")
        $0.upload = UploadResult(
            date: date, minutes: 125, at: Sample.now, outcome: UploadOutcome(minutes: 125, known: nil),
            destination: "example.org")
    }

    private static let failed = person {
        $0.productive = AppSelection(apps: ["spotify"])
        $0.snapshot = snapshot(0)
        $0.sync = SyncResult(at: Sample.now, failure: "The server did not answer in time.")
        $0.upload = UploadResult(
            date: date, minutes: 0, at: Sample.now, failure: "The server refused it (422): \(Sample.hostile)."
        )
    }

    private static func staged(_ seconds: TimeInterval) -> Person {
        person {
            $0.productive = AppSelection(apps: ["spotify"])
            $0.stagedAt = Sample.now.addingTimeInterval(seconds)
        }
    }

    private static let full: VerifiedSetupPage.Facts = {
        var facts = VerifiedSetupPage.Facts()
        facts.hasToken = true
        facts.address = "http://sleep.home.arpa"
        facts.tokenNames = [3: Sample.hostile]
        facts.uploads = [
            ReceivedUpload(
                token: 3, date: date, minutes: 125, source: VerifiedUpload.source, timezone: "Europe/London",
                computedAt: Sample.now, receivedAt: Sample.now)
        ]
        facts.connection = ReceivedConnection(
            token: nil, isEnabled: true, timezone: "Europe/London",
            selection: WireSelection(AppSelection(apps: ["spotify"])), receivedAt: Sample.now)
        return facts
    }()

    private static func setup(
        _ person: Person, facts: VerifiedSetupPage.Facts = .init(), typed: String? = nil,
        errors: [String: String] = [:]
    ) -> VerifiedSetupPage {
        VerifiedSetupPage(
            person: person, household: Sample.household(people: [person]), zones: Sample.zones, facts: facts,
            zone: Sample.zone, typed: typed, errors: errors)
    }

    private static func selection(
        _ person: Person, typedDomain: String? = nil, errors: [String: String] = [:]
    ) -> VerifiedSelectionPage {
        VerifiedSelectionPage(
            person: person, catalog: Sample.catalog, household: Sample.household(people: [person]),
            typedDomain: typedDomain, now: Sample.now, zone: Sample.zone, errors: errors)
    }

    private static func yesterday(_ person: Person, isSheetOpen: Bool = false) -> VerifiedYesterdayPage {
        VerifiedYesterdayPage(
            person: person, household: Sample.household(people: [person]), isSheetOpen: isSheetOpen,
            now: Sample.now, zone: Sample.zone)
    }
}
