package import Foundation

/// The wall clock as an injected value: the machine's in production, a manual one in tests.
///
/// A sleep is at most a second long, so that a clock change or a wake from suspend is noticed at once.
package struct WallClock: Sendable {
    package let now: @Sendable () -> Date
    /// Returns at the instant, after at most a second, or when its task is cancelled.
    package let sleep: @Sendable (_ until: Date) async -> Void

    package init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (_ until: Date) async -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }
}
