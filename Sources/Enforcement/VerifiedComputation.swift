import Foundation
import Policy
import Store

/// Answers requests for verified minutes, whether or not a page is open.
struct VerifiedComputation: Sendable {
    let store: HouseholdStore
    let ledger: @Sendable () -> UsageLedger

    /// Waits for the disk. A result that the disk refuses still holds.
    func run(catalog: Catalog, clock: WallClock) throws {
        let now = clock.now()
        try store.change(keeping: .evenInMemory) { $0.beginComputation(at: now) }
        let known = ledger()
        try store.change(keeping: .evenInMemory) {
            $0.compute(from: known, catalog: catalog, at: clock.now())
        }
    }
}
