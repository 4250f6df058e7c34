package import Foundation

/// The time of day as a value that is handed in: the machine's in production, a manual one in tests.
///
/// Sleeps are never longer than a second, so that a clock that is set or a machine that wakes from suspend is
/// noticed at once.
package struct WallClock: Sendable {
    package let now: @Sendable () -> Date
    /// Returns at the instant, after a second at the most, or when its task is cancelled.
    package let sleep: @Sendable (_ until: Date) async -> Void

    package init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (_ until: Date) async -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }
}
