package import Policy

/// A person's use for pages and programs: whole minutes, most of them estimates.
package struct UsageReport: Sendable {
    /// One app on one day.
    package struct AppUse: Hashable, Sendable {
        package var app: String
        package var name: String
        package var minutes: Int
        /// How often the person tried to open it while it was blocked, at most once a minute.
        package var attempts: Int
        package var source: UsageSource

        package init(app: String, name: String, minutes: Int, attempts: Int = 0, source: UsageSource = .dns) {
            self.app = app
            self.name = name
            self.minutes = minutes
            self.attempts = attempts
            self.source = source
        }
    }

    package struct Day: Hashable, Sendable {
        package var date: CivilDate
        /// Minutes with any use: an hour with two apps at once is one hour.
        package var minutes: Int
        package var attempts: Int

        package init(date: CivilDate, minutes: Int, attempts: Int = 0) {
            self.date = date
            self.minutes = minutes
            self.attempts = attempts
        }
    }

    /// The day that is shown in detail.
    package var date: CivilDate
    /// The whole day; the day's sum and hours come from it.
    package var rhythm: DayRhythm
    /// Most used first.
    package var apps: [AppUse]
    /// Every charted day, in order, also those without use.
    package var days: [Day]

    package init(rhythm: DayRhythm, apps: [AppUse], days: [Day]) {
        date = rhythm.date
        self.rhythm = rhythm
        self.apps = apps
        self.days = days
    }

    /// Minutes of each of the 24 wall-clock hours; an hour that comes twice can have more than 60.
    package var hours: [Int] { rhythm.hours }

    package var day: Day { days.first { $0.date == date } ?? Day(date: date, minutes: 0) }
}

extension Int {
    /// Minutes as "2h 14m", "2h", "14m".
    var minutesText: String {
        switch (self / 60, self % 60) {
        case (0, let rest): "\(rest)m"
        case (let hours, 0): "\(hours)h"
        case (let hours, let rest): "\(hours)h \(rest)m"
        }
    }
}
