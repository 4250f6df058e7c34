package import Foundation
import Pages
package import Policy

/// Use against limits, live, small enough for a corner of a display (TH-024, C-28).
///
/// GET `/widget?person=N`; works without a login for the asking device's person.
package struct WidgetPage: Page {
    package static let template = "widget"

    package let title = "Limits"
    let rows: [LimitRow]
    let isEmpty: Bool
    /// Whether the minutes are another adult's, which only that adult may see.
    let isHidden: Bool

    package init(
        person: Person, household: Household, catalog: Catalog, usage: UsageTotals, now: Date,
        isHidden: Bool = false
    ) {
        rows =
            isHidden
            ? [] : LimitRow.small(of: person, in: household, catalog: catalog, usage: usage, now: now)
        isEmpty = rows.isEmpty && !isHidden
        self.isHidden = isHidden
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
