package import Foundation

/// `timer-state.json`, with exactly four keys.
package struct TimerState: Hashable, Codable, Sendable {
    package var total: Int
    package var remaining: Int
    package var running: Bool
    package var paused: Bool

    package init(total: Int, remaining: Int, running: Bool, paused: Bool) {
        self.total = total
        self.remaining = remaining
        self.running = running
        self.paused = paused
    }

    package init(_ timer: FocusTimer, at now: Date) {
        self.init(
            total: timer.totalSeconds, remaining: timer.remaining(at: now), running: timer.isRunning,
            paused: timer.isPaused)
    }

    /// Reads an imported file.
    package init(file: Data) throws(Refusal) {
        guard let read = try? JSONDecoder().decode(Self.self, from: file), read.timer != nil else {
            throw .timerStateUnreadable
        }
        self = read
    }

    package var file: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Two numbers and two booleans can always be encoded.
        return (try? encoder.encode(self)) ?? Data()
    }

    /// The timer with these values, never running or paused. A timer that came to 0 begins anew. Nil if
    /// no timer can have these values.
    package var timer: FocusTimer? {
        FocusTimer(totalSeconds: total, state: .idle(remaining: remaining == 0 ? total : remaining))
    }
}
