import Pages
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
        report: UsageReport, app: App?, of person: Person, isAlone: Bool, today: CivilDate,
        nights: NightsCalendar, bends: [Bend],
        query: (_ date: CivilDate, _ app: String?) -> String
    ) {
        let date = report.date
        day = date == today ? "Today, \(date.short)" : date.long
        total = report.day.minutes.minutesText
        attempts = Self.reached(report.day.attempts)
        hours = UsageChart.hours(of: report, on: date.long)
        days = UsageChart.days(of: report)
        let most = max(1, report.apps.first?.minutes ?? 1)
        apps = report.apps.map { use in
            AppRow(
                name: use.name, minutes: use.minutes.minutesText, minutesValue: use.minutes,
                mostMinutes: most, attempts: Self.reached(use.attempts), href: query(date, use.app),
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
            ? "Only \(person.name)'s own devices show this." : "Whoever holds the passcode sees this too."
    }

    /// "Reached for 7 times", nil for never.
    private static func reached(_ attempts: Int) -> String? {
        switch attempts {
        case ..<1: nil
        case 1: "reached for it once"
        default: "reached for it \(attempts) times"
        }
    }
}
