import Foundation
import NIOPosix
import Store
import Testing

@testable import SleepInducer

@Suite struct HouseThreadTests {
    private let thread = HouseThread.shared

    private static func current() -> pthread_t { pthread_self() }

    @Test("Tasks, their children and what wakes them stay on one thread")
    func isOne() async throws {
        let threads = await thread.run(counting: 20)
        #expect(threads.count == 1 && !threads.contains(Self.current()))
    }

    @Test(
        "What waits is not on an event loop, where waiting would end the process")
    func waitsElsewhere() async throws {
        let loops = await withTaskExecutorPreference(thread) {
            (
                MultiThreadedEventLoopGroup.currentEventLoop != nil,
                await onSharedThreads { MultiThreadedEventLoopGroup.currentEventLoop != nil }
            )
        }
        #expect(loops == (true, false))
    }

    @Test("A sleep ends early when its task is cancelled")
    func isCancelled() async {
        let sleeper = Task { try await thread.sleep(for: .seconds(3600)) }
        await Task.yield()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}

extension HouseThread {
    /// The threads on which some tasks wake up.
    fileprivate func run(counting tasks: Int) async -> Set<pthread_t> {
        await withTaskExecutorPreference(self) {
            await withTaskGroup { group in
                for _ in 0..<tasks {
                    group.addTask {
                        try? await self.sleep(for: .milliseconds(1))
                        return pthread_self()
                    }
                }
                return await group.reduce(into: []) { $0.insert($1) }
            }
        }
    }
}
