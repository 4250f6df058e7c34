import NIOCore
import NIOPosix
import Synchronization

/// The thread of the house's own work. The work of one second wakes this thread once. On the threads that Swift's tasks
/// share, each piece of it wakes another thread, which costs more than the work.
///
/// Only what is brief belongs here, because each piece waits for the one before. What waits for the disk or for another
/// machine belongs elsewhere (`Chore`'s `isLong`, `onSharedThreads`).
final class HouseThread: TaskExecutor {
    /// The one of this process, as long as it runs.
    static let shared = HouseThread()

    /// Its event loop, for live pages too, so that a tick wakes no other thread.
    let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Does work that is not a task.
    func execute(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }

    /// Does work on this thread, with what it calls and its child tasks.
    func run(_ work: @Sendable () async -> Void) async {
        await withTaskExecutorPreference(self) { await work() }
    }

    /// Wakes this thread and no other. Returns early, with a `CancellationError`, if the task is cancelled.
    func sleep(for duration: Duration) async throws {
        await Sleeper().sleep(for: TimeAmount(duration), on: loop)
        try Task.checkCancellation()
    }
}

/// One sleep of a task. A loop's callback needs no promise, and the house sleeps several times a second.
private final class Sleeper: NIOScheduledCallbackHandler, Sendable {
    private struct State {
        var isOver = false
        var task: CheckedContinuation<Void, Never>?
        var alarm: NIOScheduledCallback?
    }

    private let state = Mutex(State())

    func sleep(for duration: TimeAmount, on loop: any EventLoop) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { task in
                let isOver = state.withLock { state in
                    if state.isOver { return true }
                    state.alarm = alarm(in: duration, on: loop)
                    state.task = task
                    return false
                }
                if isOver { task.resume() }
            }
        } onCancel: {
            wake()?.cancel()
        }
    }

    private func alarm(in duration: TimeAmount, on loop: any EventLoop) -> NIOScheduledCallback {
        do { return try loop.scheduleCallback(in: duration, handler: self) } catch {
            preconditionFailure("The house's thread lives as long as the process: \(error)")
        }
    }

    func handleScheduledCallback(eventLoop: some EventLoop) { _ = wake() }

    /// - Returns: the alarm, which nobody needs any more.
    private func wake() -> NIOScheduledCallback? {
        let (task, alarm) = state.withLock { state in
            state.isOver = true
            return (state.task.take(), state.alarm.take())
        }
        task?.resume()
        return alarm
    }
}
