import Synchronization

/// Something that a house does again and again, by the monotonic clock: a wall clock that is set neither hurries nor
/// delays it.
package struct Chore: Sendable {
    let pause: Duration
    let start: Duration
    let work: @Sendable () async -> Void

    /// - Parameters:
    ///   - pause: from the beginning of one time to that of the next; a time that comes while it still works is left out.
    ///   - start: until the first time; nil: a second, or the pause where that is shorter.
    package static func every(
        _ pause: Duration, from start: Duration? = nil, _ work: @escaping @Sendable () async -> Void
    ) -> Chore {
        Chore(pause: pause, start: start ?? min(pause, .seconds(1)), work: work)
    }

    /// Does them all until its task is cancelled, each in a task of its own: a slow chore delays no other. One timer
    /// begins all that are due, so that the processor wakes once for them and can sleep between.
    package static func run(_ chores: [Chore]) async {
        let origin = Beat.next
        var turns = chores.map { Turn(chore: $0, next: origin + $0.start) }
        await withDiscardingTaskGroup { group in
            while let next = turns.map(\.next).min(),
                (try? await Task.sleep(until: next, clock: .continuous)) != nil
            {
                let now = ContinuousClock.now
                for index in turns.indices where turns[index].next <= now {
                    turns[index].begin(in: &group, at: now)
                }
            }
        }
    }
}

/// When a chore is due again, and whether it still works.
private struct Turn {
    private final class Work: Sendable {
        let isOn = Atomic(false)
    }

    let chore: Chore
    var next: ContinuousClock.Instant
    private let work = Work()

    init(chore: Chore, next: ContinuousClock.Instant) {
        self.chore = chore
        self.next = next
    }

    mutating func begin(in group: inout DiscardingTaskGroup, at now: ContinuousClock.Instant) {
        next += chore.pause * (Int((now - next) / chore.pause) + 1)
        guard !work.isOn.exchange(true, ordering: .relaxed) else { return }
        group.addTask { [chore, work] in
            await chore.work()
            work.isOn.store(false, ordering: .relaxed)
        }
    }
}

/// Seconds of the monotonic clock at which everything begins that has time until then.
package enum Beat {
    private static let origin = ContinuousClock.now

    package static var next: ContinuousClock.Instant {
        origin + .seconds(Int((ContinuousClock.now - origin) / .seconds(1)) + 1)
    }
}
