package import Foundation

/// Everything that pages, the shield and DNS are told, as of one instant. Immutable; a newer one replaces it.
package struct Snapshot: Sendable {
    /// Grows by one with every snapshot since the start of the server.
    package var revision: Int
    package var instant: Date
    /// Settled: sessions that were due by `instant` have ended or begun in it.
    package var household: Household
    package var catalog: Catalog
    package var verdicts: [PersonID: Verdict]
    /// What limits were held against.
    package var usage: UsageTotals

    package init(
        revision: Int, instant: Date, household: Household, catalog: Catalog,
        verdicts: [PersonID: Verdict], usage: UsageTotals = .none
    ) {
        self.revision = revision
        self.instant = instant
        self.household = household
        self.catalog = catalog
        self.verdicts = verdicts
        self.usage = usage
    }

    /// When any verdict can change without new input; nil: never.
    package var validUntil: Date? {
        verdicts.values.compactMap(\.validUntil).min()
    }
}
