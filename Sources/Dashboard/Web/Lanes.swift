import Directory
import NIOCore
import NIOPosix
import Synchronization

/// The threads that answer requests. Holders take turns (`Turns`): after each piece of work a request goes to the end of
/// its holder's line, so a holder with a thousand requests makes itself wait, and nobody else. A piece that waits for the
/// disk keeps its thread, and one holder has at most half of them.
final class Lanes: Sendable {
    static let pages = Lanes(threads: max(4, 2 * System.coreCount))
    /// For what leads out of a block, so that no page can be in its way.
    static let waysOut = Lanes(threads: 2)
    /// Hashing one passcode takes much memory.
    static let passcodes = Lanes(threads: 1)

    /// Where the tasks of one holder run.
    final class Lane: TaskExecutor {
        private let lanes: Lanes
        fileprivate let holder: Holder

        fileprivate init(_ lanes: Lanes, _ holder: Holder) {
            self.lanes = lanes
            self.holder = holder
        }

        func enqueue(_ job: consuming ExecutorJob) { lanes.enqueue(Piece(job: UnownedJob(job), lane: self)) }
    }

    fileprivate struct Piece: Sendable {
        let job: UnownedJob
        let lane: Lane
    }

    private let turns: Mutex<Turns<Holder, Piece>>
    private let threads: NIOThreadPool

    private init(threads count: Int) {
        turns = Mutex(Turns(most: count))
        threads = NIOThreadPool(numberOfThreads: count)
        threads.start()
    }

    func lane(of holder: Holder) -> Lane { Lane(self, holder) }

    private func enqueue(_ piece: Piece) {
        let begins = turns.withLock { $0.enter(piece, of: piece.lane.holder) }
        if begins { start(piece) }
    }

    private func start(_ piece: Piece) {
        threads.submit { [self] _ in work(piece) }
    }

    /// Does a piece of work, then those whose turn it is.
    private func work(_ first: Piece) {
        var next: Piece? = first
        while let piece = next {
            piece.job.runSynchronously(on: piece.lane.asUnownedTaskExecutor())
            turns.withLock { $0.leave(piece.lane.holder) }
            next = turns.withLock { $0.next() }
            // Where one place became free for two holders, another thread goes on with the second.
            if next != nil, let other = turns.withLock({ $0.next() }) { start(other) }
        }
    }
}

extension HomeSite {
    /// Returns when the threads that answer requests have done something; never, if they do nothing any more.
    package static func showLife() async {
        for lanes in [Lanes.pages, .waysOut] {
            await Task(executorPreference: lanes.lane(of: Holder(nil))) {}.value
        }
    }
}
