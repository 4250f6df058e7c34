/// Something that a house does again and again, by the monotonic clock: a wall clock that is set neither hurries nor
/// delays it.
package struct Chore: Sendable {
    let pause: Duration
    let start: Duration
    let work: @Sendable () async -> Void

    /// - Parameters:
    ///   - pause: from the beginning of one time to that of the next; a time that is missed is left out.
    ///   - start: until the first time; nil: a second, or the pause where that is shorter.
    package static func every(
        _ pause: Duration, from start: Duration? = nil, _ work: @escaping @Sendable () async -> Void
    ) -> Chore {
        Chore(pause: pause, start: start ?? min(pause, .seconds(1)), work: work)
    }

    /// Works until its task is cancelled. All chores count from the same instant, so that those of one second wake the
    /// processor once, and it can sleep between.
    private func run(since origin: ContinuousClock.Instant) async {
        var next = origin + start
        while (try? await Task.sleep(until: next, clock: .continuous)) != nil {
            await work()
            next += pause * (Int((ContinuousClock.now - next) / pause) + 1)
        }
    }

    /// Does them all until its task is cancelled, each in a task of its own: a slow chore delays no other.
    package static func run(_ chores: [Chore]) async {
        let origin = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for chore in chores { group.addTask { await chore.run(since: origin) } }
        }
    }
}
