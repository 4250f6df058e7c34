import Foundation
import Policy
import Synchronization

/// A clock that stands still until the test moves it. A sleeper wakes when the clock passes its instant, or has moved a
/// second.
final class ManualClock: Sendable {
    private struct State {
        var now: Date
        var sleepers: [UUID: (until: Date, wake: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state: Mutex<State>

    init(_ now: Date) {
        state = Mutex(State(now: now))
    }

    var now: Date { state.withLock { $0.now } }

    func advance(by seconds: TimeInterval) {
        let woken = state.withLock { state in
            state.now += seconds
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values.map(\.wake)
        }
        for wake in woken { wake.resume() }
    }

    /// Returns when somebody sleeps, so that a test moves the clock only after earlier work is done.
    func untilSomebodySleeps() async {
        while state.withLock({ $0.sleepers.isEmpty }), !Task.isCancelled { await Task.yield() }
    }

    var wall: WallClock {
        WallClock(now: { self.now }, sleep: { until in await self.sleep(until: until) })
    }

    private func sleep(until: Date) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard until > state.now, !Task.isCancelled else { return true }
                    state.sleepers[id] = (min(until, state.now + 1), continuation)
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake.resume()
        }
    }
}
