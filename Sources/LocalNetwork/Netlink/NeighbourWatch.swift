package import Directory
import Synchronization

/// Reads the kernel's table of neighbours off the loops of connections, and hands it on as a value.
package final class NeighbourWatch: Sendable {
    private struct State {
        var newest = Neighbours()
        var waiting: [CheckedContinuation<Void, Never>] = []
        var onReading: [@Sendable (Neighbours) -> Void] = []
    }

    private let read: @Sendable () -> Neighbours
    private let state = Mutex(State())
    private let execute: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter execute: does work soon, on one thread that serves no connections.
    package init(
        _ read: @escaping @Sendable () -> Neighbours,
        execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.read = read
        self.execute = execute
    }

    /// As of the last reading.
    package var newest: Neighbours { state.withLock(\.newest) }

    /// Calls `take` with every table from now on that differs from the one before.
    package func onReading(_ take: @escaping @Sendable (Neighbours) -> Void) {
        state.withLock { $0.onReading.append(take) }
    }

    /// Returns when a reading that began after this call was handed on. Many who wait share one.
    package func look() async {
        await withCheckedContinuation { caller in
            let isFirst = state.withLock { state in
                state.waiting.append(caller)
                return state.waiting.count == 1
            }
            if isFirst { execute { self.lookNow() } }
        }
    }

    private func lookNow() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        let found = read()
        let takers = state.withLock { state in
            guard found != state.newest else { return [] as [@Sendable (Neighbours) -> Void] }
            state.newest = found
            return state.onReading
        }
        for take in takers { take(found) }
        for caller in waiting { caller.resume() }
    }
}
