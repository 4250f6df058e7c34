import Synchronization
import Testing

@testable import Watch

@Suite struct ChoreTests {
    @Test("A chore that takes long keeps no other waiting, and is not begun twice")
    func besideEachOther() async throws {
        let counts = Mutex((quick: 0, slow: 0))
        let work = Task {
            await Chore.run([
                .every(.milliseconds(5)) { counts.withLock { $0.quick += 1 } },
                .every(.milliseconds(5)) {
                    counts.withLock { $0.slow += 1 }
                    try? await Task.sleep(for: .seconds(3600))
                },
                .every(.milliseconds(5), from: .seconds(3600)) { Issue.record("not yet") },
            ])
        }
        while counts.withLock({ $0.quick }) < 20 { try await Task.sleep(for: .milliseconds(5)) }
        work.cancel()
        await work.value
        #expect(counts.withLock { $0.slow } == 1)
    }

    @Test func aBeatIsAWholeSecondLaterThanTheOneBefore() {
        let (first, now) = (Beat.next, ContinuousClock.now)
        #expect(first > now - .seconds(1) && first <= now + .seconds(1))
        let steps = (Beat.next - first) / .seconds(1)
        #expect(steps == steps.rounded())
    }
}
