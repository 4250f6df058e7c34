package import Foundation

/// Everything that pages, the shield and DNS need, as of one instant. Immutable; a newer snapshot replaces it.
package struct Snapshot: Sendable {
    /// Grows by one with every snapshot since the server started.
    package var revision: Int
    /// The stored household's, of which this was made.
    package var householdRevision: Int
    package var instant: Date
    /// Settled: sessions that were due by `instant` have begun or ended.
    package var household: Household
    package var catalog: Catalog
    package var verdicts: [PersonID: Verdict]
    /// The usage against which limits were checked.
    package var usage: UsageTotals

    package init(
        revision: Int, householdRevision: Int = 0, instant: Date, household: Household, catalog: Catalog,
        verdicts: [PersonID: Verdict], usage: UsageTotals = .none
    ) {
        self.revision = revision
        self.householdRevision = householdRevision
        self.instant = instant
        self.household = household
        self.catalog = catalog
        self.verdicts = verdicts
        self.usage = usage
    }

    /// When any verdict can change without new input; nil if never.
    package var validUntil: Date? {
        verdicts.values.compactMap(\.validUntil).min()
    }
}
