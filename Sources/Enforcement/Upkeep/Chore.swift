import LocalNetwork
import Synchronization

/// Something that a house does again and again, by the monotonic clock but at the second of the wall clock. A wall clock
/// that is set moves it by half a second at most.
package struct Chore: Sendable {
    let pause: Duration
    let start: Duration
    let isLong: Bool
    let work: @Sendable () async -> Void
    private(set) var isNeeded: @Sendable () -> Bool = { true }

    /// - Parameters:
    ///   - pause: from the beginning of one time to the beginning of the next. While the work goes on, times are left out.
    ///   - start: until the first time, which can be a second earlier; nil: a second, or the pause where that is shorter.
    ///   - isLong: whether it blocks its thread, because it computes for long, or waits for the disk or another machine. It
    ///     then has another thread.
    package static func every(
        _ pause: Duration, from start: Duration? = nil, isLong: Bool = false,
        _ work: @escaping @Sendable () async -> Void
    ) -> Chore {
        Chore(pause: pause, start: start ?? min(pause, .seconds(1)), isLong: isLong, work: work)
    }

    /// The same chore, begun only where there is something to do. That is asked first, because waking another thread costs
    /// more.
    package func only(if isNeeded: @escaping @Sendable () -> Bool) -> Chore {
        var chore = self
        chore.isNeeded = isNeeded
        return chore
    }

    /// How early a chore may begin, so that those of about the same instant share one awakening: to wake up costs more
    /// than most of them do.
    private static let earliness = Duration.milliseconds(20)

    /// Does them all until its task is cancelled. Brief chores begin one after the other; each runs until it first waits.
    ///
    /// - Parameters:
    ///   - untilNextSecond: by the wall clock. Chores meet there, and so do sleepers of `WallClock` that wait for longer.
    ///   - sleep: throws when its task is cancelled.
    package static func run(
        _ chores: [Chore],
        time: @Sendable () -> ContinuousClock.Instant = { .now },
        untilNextSecond: @Sendable () -> Duration = { ClockStatus.untilNextSecond },
        sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) async {
        await withDiscardingTaskGroup { group in
            let second = time() + untilNextSecond()
            var turns = chores.map { Turns($0, from: second - .seconds(1)) }
            while let next = turns.lazy.map(\.due).min(),
                (try? await sleep(next - time())) != nil
            {
                let now = time()
                let second = now + untilNextSecond()
                for index in turns.indices where turns[index].due <= now + earliness {
                    turns[index].pass(at: now, second)
                    guard turns[index].isNeeded, turns[index].begins() else { continue }
                    let turn = turns[index]
                    if turn.isLong {
                        group.addTask(executorPreference: globalConcurrentExecutor) { await turn.work() }
                    } else {
                        group.addImmediateTask { await turn.work() }
                    }
                }
            }
        }
    }

    /// When a chore is due, and whether it is at work.
    private struct Turns: Sendable {
        private let chore: Chore
        private let isAtWork = AtWork()
        private(set) var due: ContinuousClock.Instant

        final class AtWork: Sendable { let flag = Atomic(false) }

        init(_ chore: Chore, from instant: ContinuousClock.Instant) {
            self.chore = chore
            due = instant + chore.start
        }

        /// Due again a whole number of pauses later, also after a suspend, then moved to the nearest second of the wall
        /// clock. So chores share one awakening.
        mutating func pass(at now: ContinuousClock.Instant, _ second: ContinuousClock.Instant) {
            repeat { due += chore.pause } while due <= now
            guard chore.pause >= .seconds(1) else { return }
            due = second + .seconds(max(0, ((due - second) / .seconds(1)).rounded()))
        }

        var isLong: Bool { chore.isLong }
        var isNeeded: Bool { chore.isNeeded() }

        func begins() -> Bool { !isAtWork.flag.exchange(true, ordering: .acquiringAndReleasing) }

        func work() async {
            await chore.work()
            isAtWork.flag.store(false, ordering: .releasing)
        }
    }
}
