package import Foundation
import Pages
package import Policy

/// Today's use, in all and against limits, live, small enough for a corner of a display.
///
/// GET `/widget?person=N`; works without a login for the asking device's person.
package struct WidgetPage: Page {
    package static let template = "widget"

    /// An app that no limit names, with its share of the most used one.
    struct AppLine {
        let name: String
        /// `14m`
        let minutes: String
        /// 0 to 100
        let percent: Int
        let isFull = false
    }

    /// How many apps have a line.
    private static let mostApps = 3

    package let title = "Today"
    /// `2h 14m`; nil if hidden.
    let total: String?
    let rows: [LimitRow]
    let apps: [AppLine]
    /// Whether the minutes are another adult's, which only that adult may see.
    let isHidden: Bool

    /// - Parameter report: of today; nil: it is another adult's.
    package init(
        person: Person, household: Household, catalog: Catalog, usage: UsageTotals, report: UsageReport?,
        now: Date
    ) {
        isHidden = report == nil
        total = report.map { $0.rhythm.total(.use).minutesText }
        rows =
            isHidden
            ? [] : LimitRow.small(of: person, in: household, catalog: catalog, usage: usage, now: now)
        let limited = Set(person.limits.list.map(\.target))
        let used = report?.apps.filter { $0.minutes > 0 } ?? []
        let most = max(1, used.first?.minutes ?? 1)
        apps = used.filter { !limited.contains(.app($0.app)) }.prefix(Self.mostApps).map {
            AppLine(name: $0.name, minutes: $0.minutes.minutesText, percent: $0.minutes * 100 / most)
        }
    }
}

extension LimitRow {
    /// The rows without their forms.
    static func small(
        of person: Person, in household: Household, catalog: Catalog, usage: UsageTotals, now: Date
    ) -> [LimitRow] {
        let clock = ClockFace(zone: household.foundationZone)
        return person.limitStates(at: now, in: household.zone, usage: usage).map {
            LimitRow($0, extra: nil, catalog: catalog, clock: clock, now: now, showsUse: true)
        }
    }
}
