import Synchronization

/// A sleep that somebody else may end early.
final class Nap: Sendable {
    private struct State {
        var isOver = false
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Ends the present sleep, or else the next one.
    func end() {
        state.withLock { state in
            state.isOver = true
            return state.sleeper.take()
        }?.resume()
    }

    /// Waits for `sleep`, which must return when its task is cancelled, or until somebody calls `end`.
    func take(_ sleep: @escaping @Sendable () async -> Void) async {
        await withTaskGroup { group in
            group.addTask { [self] in
                await sleep()
                end()
            }
            await withCheckedContinuation { sleeper in
                let isOver = state.withLock { state in
                    if !state.isOver { state.sleeper = sleeper }
                    return state.isOver
                }
                if isOver { sleeper.resume() }
            }
            group.cancelAll()
        }
        state.withLock { $0.isOver = false }
    }
}
