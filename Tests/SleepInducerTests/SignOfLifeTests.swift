import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import SleepInducer

/// The watchdog must not hear of a server whose pages or questions nobody answers.
@Suite struct SignOfLifeTests {
    private static let patience = Duration.milliseconds(300)

    /// Whether a sign comes while something is held, and that it comes afterwards. Looks on from the house's own thread,
    /// because the shared ones may be held. These are real milliseconds.
    private func comes(while hold: @escaping @Sendable (Held) -> Void) async throws -> Bool {
        try await withTaskExecutorPreference(HouseThread.shared) {
            let held = Held()
            hold(held)
            let sign = Task(executorPreference: HouseThread.shared) {
                await SignOfLife.shown(by: MultiThreadedEventLoopGroup.singleton)
                held.isShown.store(true, ordering: .sequentiallyConsistent)
            }
            try await HouseThread.shared.sleep(for: Self.patience)
            let hasCome = held.isShown.load(ordering: .sequentiallyConsistent)
            held.isOver.store(true, ordering: .sequentiallyConsistent)
            await sign.value
            return hasCome
        }
    }

    private final class Held: Sendable {
        let isOver = Atomic(false)
        let isShown = Atomic(false)
        /// Computes, as a reader does that never ends.
        func spin() { while !isOver.load(ordering: .sequentiallyConsistent) {} }
    }

    @Test func itComesWhereAllAreAtWork() async throws {
        #expect(try await comes { _ in })
    }

    @Test func notWhileOneEventLoopIsHeld() async throws {
        let loop = try #require(MultiThreadedEventLoopGroup.singleton.makeIterator().reversed().first)
        #expect(try await !comes { held in loop.execute { held.spin() } })
    }

    @Test func notWhileTheSharedThreadsAreHeld() async throws {
        #expect(
            try await !comes { held in
                for _ in 0..<64 { Task(executorPreference: globalConcurrentExecutor) { held.spin() } }
            })
    }
}
