import NIOCore
import NIOPosix

/// The thread of the house's own work. The work of one second wakes this thread once. On the threads that Swift's tasks
/// share, each piece of it wakes another thread, which costs more than the work.
///
/// Only what is brief belongs here, because each piece waits for the one before. What waits for the disk or for another
/// machine belongs elsewhere (`Chore`'s `isLong`, `onSharedThreads`).
final class HouseThread: TaskExecutor {
    /// Of this process, as long as it runs.
    static let shared = HouseThread()

    private let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

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
        let alarm = loop.scheduleTask(in: TimeAmount(duration)) {}
        do {
            try await withTaskCancellationHandler {
                try await alarm.futureResult.get()
            } onCancel: {
                alarm.cancel()
            }
        } catch { throw CancellationError() }
    }
}
