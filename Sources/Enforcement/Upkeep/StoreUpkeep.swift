package import Foundation
package import LocalNetwork
package import Logging
package import Policy
package import Store
import Synchronization

/// Keeps what is stored in order: which time it was, what is old, the copy of each day.
package final class StoreUpkeep: Sendable {
    private let store: HouseholdStore
    private let clock: WallClock
    private let machine: Machine
    private let usage: UsageCollector
    private let condition: Condition
    private let logger: Logger
    /// When this boot began, as it was noted last.
    private let start: Mutex<Date?>

    package init(
        store: HouseholdStore, clock: WallClock, machine: Machine, usage: UsageCollector,
        condition: Condition, logger: Logger
    ) {
        self.store = store
        self.clock = clock
        self.machine = machine
        self.usage = usage
        self.condition = condition
        self.logger = logger
        start = Mutex(machine.boot.flatMap(store.start))
    }

    /// Whether nothing was noted of this boot's beginning, or a time that is off by a second or more.
    package func isNews(_ known: Date?) -> Bool {
        guard machine.boot != nil, let known else { return false }
        return start.withLock { $0 }.map { abs($0.timeIntervalSince(known)) >= 1 } ?? true
    }

    /// Notes when this boot began.
    package func noteBoot(_ known: Date?) {
        guard let boot = machine.boot, let known else { return }
        do {
            try store.setStart(ofBoot: boot, to: known)
            start.withLock { $0 = known }
        } catch { logger.debug("The start time of this machine could not be stored: \(error)") }
    }

    /// How old the noted instant may be, in seconds. After a power cut, the time of the cut itself is missing as well.
    private static let age: TimeInterval = 290

    /// Notes which time it is, where that was not written beside something else lately.
    /// - Parameter evenLately: for a start: power cuts that follow one another must not repeat the same minutes.
    package func noteInstant(evenLately: Bool = false) {
        let now = clock.now()
        let noted = evenLately ? nil : store.lastInstant
        if let noted, abs(now.timeIntervalSince(noted)) < Self.age { return }
        do { try store.setLastInstant(now) } catch {
            logger.warning("The time could not be stored", metadata: ["error": "\(error)"])
        }
    }

    /// Lets go of what is old, as far as this machine knows what is.
    package func forget() {
        let (now, isSynchronised) = (clock.now(), machine.isClockSynchronised())
        usage.forget(at: now, isSynchronised: isSynchronised)
        do { try store.forget(at: now, isSynchronised: isSynchronised) } catch {
            logger.warning("Old entries could not be removed", metadata: ["error": "\(error)"])
        }
    }

    package func backUp() {
        do {
            try store.backUpDaily(at: clock.now(), isSynchronised: machine.isClockSynchronised())
            condition.backupFailure = nil
        } catch {
            condition.backupFailure = "\(error)"
            logger.error("The daily backup failed", metadata: ["error": "\(error)"])
        }
    }
}
