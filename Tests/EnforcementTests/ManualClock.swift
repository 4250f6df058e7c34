import Foundation
import Policy
import Synchronization

/// A clock that stands still until a test moves it.
final class ManualClock: Sendable {
    private struct State {
        var now: Date
        var sleepers: [UUID: (until: Date, wake: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state: Mutex<State>

    init(_ text: String) { state = Mutex(State(now: Self.date(text))) }

    static func date(_ text: String) -> Date { try! Date.ISO8601FormatStyle().parse(text) }

    var now: Date { state.withLock { $0.now } }
    var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Sets the clock, also backwards, and wakes sleepers that are due.
    func set(_ text: String) { set(Self.date(text)) }

    func advance(_ seconds: TimeInterval) { set(now.addingTimeInterval(seconds)) }

    private func set(_ instant: Date) {
        let due = state.withLock { state in
            state.now = instant
            let due = state.sleepers.filter { $0.value.until <= instant }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.wake)
        }
        for wake in due { wake.resume() }
    }

    var wall: WallClock {
        WallClock(now: { self.now }, sleep: { until in await self.sleep(until: until) })
    }

    private func sleep(until: Date) async {
        let id = UUID()
        let wait: () async -> Void = {
            await withCheckedContinuation { continuation in
                let isDue = self.state.withLock { state in
                    if until <= state.now || Task.isCancelled { return true }
                    state.sleepers[id] = (until, continuation)
                    return false
                }
                if isDue { continuation.resume() }
            }
        }
        await withTaskCancellationHandler(
            operation: wait,
            onCancel: { self.state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake.resume() })
    }
}
