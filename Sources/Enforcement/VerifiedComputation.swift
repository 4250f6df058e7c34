import Foundation
import Logging
import Policy
import Store

/// Answers requests for verified minutes, whether or not a page is open (DD-002, DD-006 to DD-014).
struct VerifiedComputation {
    let store: HouseholdStore
    let ledger: @Sendable () -> UsageLedger
    let logger: Logger
    /// False from a failure until the monitor asks the disk again.
    var mayTry = true

    init(store: HouseholdStore, ledger: @escaping @Sendable () -> UsageLedger, logger: Logger) {
        self.store = store
        self.ledger = ledger
        self.logger = logger
    }

    /// Does nothing if no request waits. A result that the disk refuses still holds; a failure is tried again once it may.
    mutating func run(_ household: Household, catalog: Catalog, clock: WallClock) {
        let now = clock.now()
        guard household.awaitsVerifiedMinutes, mayTry else { return }
        do {
            try store.change(keeping: .evenInMemory) { $0.beginComputation(at: now) }
            let known = ledger()
            try store.change(keeping: .evenInMemory) {
                $0.compute(from: known, catalog: catalog, at: clock.now())
            }
        } catch {
            mayTry = false
            logger.error("Verified minutes could not be computed", metadata: ["error": "\(error)"])
        }
    }
}
