package import Pages
package import Policy

/// Minutes of a day and of the last four weeks, by hour, app and day, and how often rules were bent (design.md, "Usage
/// minutes").
///
/// GET `/usage?person=N&date=YYYY-MM-DD&app=ID`; without a login for the asking device's person.
package struct UsagePage: Page {
    package static let template = "usage"

    struct AppRow {
        let name: String
        let minutes: String
        let minutesValue: Int
        let mostMinutes: Int
        let attempts: String?
        let href: String
        /// The source of the minutes, if it is not DNS.
        let source: String?
    }

    package struct Bend: Sendable {
        package var name: String
        package var count: Int

        package init(_ name: String, _ count: Int) {
            self.name = name
            self.count = count
        }
    }

    package let title = "Usage"
    /// `Saturday, 21 November`.
    let day: String
    let total: String
    let attempts: String?
    /// The day's 24 hours, with all that shaped them.
    let ribbon: Ribbon
    let hours: UsageChart
    let days: UsageChart
    let apps: [AppRow]
    let isEmpty: Bool
    /// The name of the app, if the page is only about one.
    let app: String?
    let allAppsHref: String
    let previousHref: String?
    let nextHref: String?
    let nights: NightsCalendar
    let bends: [Bend]
    let hasBends: Bool
    /// Says who else can see this page.
    let privacy: String

    /// `query` builds this page's address for a day and an app.
    package init(
        report: UsageReport, app: App?, catalog: Catalog, of person: Person, isAlone: Bool,
        today: CivilDate, clock: ClockFace, nights: NightsCalendar, bends: [Bend],
        query: (_ date: CivilDate, _ app: String?) -> String
    ) {
        let date = report.date
        day = date == today ? "Today, \(date.short)" : date.long
        total = report.rhythm.total(.use).minutesText
        ribbon = Ribbon(
            report.rhythm, catalog: catalog, clock: clock,
            lacksWindows: date < today && person.antiRot.isConfigured)
        attempts = Self.attempts(report.day.attempts)
        hours = UsageChart.hours(of: report, on: date.long)
        days = UsageChart.days(of: report)
        let most = max(1, report.apps.first?.minutes ?? 1)
        apps = report.apps.map { use in
            AppRow(
                name: use.name, minutes: use.minutes.minutesText, minutesValue: use.minutes,
                mostMinutes: most, attempts: Self.attempts(use.attempts), href: query(date, use.app),
                source: use.source == .dns ? nil : use.source.name)
        }
        isEmpty = report.apps.isEmpty
        self.app = app?.name
        allAppsHref = query(date, nil)
        previousHref = date > (report.days.first?.date ?? date) ? query(date.adding(days: -1), app?.id) : nil
        nextHref = date < today ? query(date.adding(days: 1), app?.id) : nil
        self.nights = nights
        self.bends = bends.filter { $0.count > 0 }
        hasBends = !self.bends.isEmpty
        privacy =
            person.role == .adult && !isAlone
            ? "Only \(person.name)'s own devices show this." : "Anyone with the passcode can see this too."
    }

    /// `7 blocked attempts`, nil for none.
    private static func attempts(_ count: Int) -> String? {
        switch count {
        case ..<1: nil
        case 1: "1 blocked attempt"
        default: "\(count) blocked attempts"
        }
    }
}
