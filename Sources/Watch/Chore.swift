/// Something that a house does again and again, by the monotonic clock: a wall clock that is set neither hurries nor
/// delays it.
package struct Chore: Sendable {
    let pause: Duration
    let start: Duration
    let work: @Sendable () async -> Void

    /// - Parameters:
    ///   - pause: from the end of one time to the beginning of the next.
    ///   - start: until the first time; nil: a second, or the pause where that is shorter.
    package static func every(
        _ pause: Duration, from start: Duration? = nil, _ work: @escaping @Sendable () async -> Void
    ) -> Chore {
        Chore(pause: pause, start: start ?? min(pause, .seconds(1)), work: work)
    }

    /// Works until its task is cancelled.
    private func run() async {
        var wait = start
        while (try? await Task.sleep(for: wait)) != nil {
            await work()
            wait = pause
        }
    }

    /// Does them all until its task is cancelled, each in a task of its own: a slow chore delays no other.
    package static func run(_ chores: [Chore]) async {
        await withTaskGroup(of: Void.self) { group in
            for chore in chores { group.addTask { await chore.run() } }
        }
    }
}
