import LocalNetwork
import Synchronization

/// Something that a house does again and again, by the monotonic clock: a wall clock that is set neither hurries nor
/// delays it.
package struct Chore: Sendable {
    let pause: Duration
    let start: Duration
    let isLong: Bool
    let work: @Sendable () async -> Void

    /// - Parameters:
    ///   - pause: from the beginning of one time to the beginning of the next. While the work goes on, times are left out.
    ///   - start: until the first time, which can be a second earlier; nil: a second, or the pause where that is shorter.
    ///   - isLong: whether it works or waits for the disk for long. It has another thread, so that brief chores can share
    ///     one.
    package static func every(
        _ pause: Duration, from start: Duration? = nil, isLong: Bool = false,
        _ work: @escaping @Sendable () async -> Void
    ) -> Chore {
        Chore(pause: pause, start: start ?? min(pause, .seconds(1)), isLong: isLong, work: work)
    }

    /// How early a chore may begin, so that those of about the same instant share one awakening: to wake up costs more
    /// than most of them do.
    private static let earliness = Duration.milliseconds(20)

    /// Does them all until its task is cancelled, each in a task of its own: a slow chore delays no other.
    ///
    /// - Parameter sleep: throws when its task is cancelled.
    package static func run(
        _ chores: [Chore],
        sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) async {
        await withDiscardingTaskGroup { group in
            let second = ContinuousClock.now + ClockStatus.untilWholeSecond
            var turns = chores.map { Turns($0, from: second - .seconds(1)) }
            while let next = turns.map(\.due).min(),
                (try? await sleep(next - .now)) != nil
            {
                let now = ContinuousClock.now
                for index in turns.indices where turns[index].due <= now + earliness {
                    turns[index].pass(at: now)
                    let turn = turns[index]
                    guard turn.begins() else { continue }
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

        /// The next time is a whole number of pauses later, also after a suspend: so chores stay together.
        mutating func pass(at now: ContinuousClock.Instant) {
            due += chore.pause * (1 + max(0, Int((now - due) / chore.pause)))
        }

        var isLong: Bool { chore.isLong }

        func begins() -> Bool { !isAtWork.flag.exchange(true, ordering: .acquiringAndReleasing) }

        func work() async {
            await chore.work()
            isAtWork.flag.store(false, ordering: .releasing)
        }
    }
}
