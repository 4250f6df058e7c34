import Foundation
package import Logging
import Synchronization

/// How far DNS has followed the household's changes: an answer that confirms a rule must wait until DNS applies it.
package final class AppliedRevision: Sendable {
    private struct Waiter {
        let revision: Int
        let going: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var revision = 0
        var waiters: [UUID: Waiter] = [:]
    }

    private let state = Mutex(State())
    private let patience: Duration
    private let logger: Logger

    /// - Parameter patience: the longest wait; after a longer one a person would press again.
    package init(patience: Duration = .seconds(2), logger: Logger) {
        self.patience = patience
        self.logger = logger
    }

    /// Notes that DNS answers by this revision of the store's household, and by all before it.
    package func note(_ revision: Int) {
        let waiters = state.withLock { state in
            state.revision = max(state.revision, revision)
            let there = state.waiters.filter { $0.value.revision <= state.revision }
            for id in there.keys { state.waiters[id] = nil }
            return there.values
        }
        for waiter in waiters { waiter.going.resume(returning: true) }
    }

    /// Returns when DNS answers by a revision. After `patience` it returns anyway, with a warning: an early answer is
    /// better than none.
    package func reach(_ revision: Int) async {
        let id = UUID()
        let limit = Task {
            try await Task.sleep(for: patience)
            state.withLock { $0.waiters.removeValue(forKey: id) }?.going.resume(returning: false)
        }
        let isThere = await withCheckedContinuation { going in
            let isThere = state.withLock { state in
                if state.revision < revision { state.waiters[id] = Waiter(revision: revision, going: going) }
                return state.revision >= revision
            }
            if isThere { going.resume(returning: true) }
        }
        limit.cancel()
        if !isThere { logger.warning("A change was confirmed before DNS had it") }
    }
}
