package import Directory
package import Foundation

/// Everything that pages, the shield and DNS need, as of one instant. Immutable; a newer snapshot replaces it.
package struct Snapshot: Sendable {
    /// Grows by one with every snapshot since the server started.
    package var revision: Int
    /// The stored household's, of which this was made.
    package var householdRevision: Int
    package var instant: Date
    /// Settled: sessions that were due by `instant` have begun or ended.
    package var household: Household {
        didSet { if household.devices != oldValue.devices { directory = household.directory } }
    }
    /// Who is who in the household.
    package private(set) var directory: DeviceDirectory
    package var catalog: Catalog
    package var verdicts: [PersonID: Verdict]
    /// The usage against which limits were checked.
    package var usage: UsageTotals

    /// - Parameter last: the one before, whose directory goes on where the devices are the same.
    package init(
        revision: Int, householdRevision: Int = 0, instant: Date, household: Household, catalog: Catalog,
        verdicts: [PersonID: Verdict], usage: UsageTotals = .none, after last: Snapshot? = nil
    ) {
        self.revision = revision
        self.householdRevision = householdRevision
        self.instant = instant
        self.household = household
        // Ten thousand devices are not read anew every second.
        let isSame = last?.household.devices == household.devices
        directory = isSame ? last?.directory ?? household.directory : household.directory
        self.catalog = catalog
        self.verdicts = verdicts
        self.usage = usage
    }
}
