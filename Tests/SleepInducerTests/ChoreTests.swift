import Glibc
import Synchronization
import Testing

@testable import Enforcement

@Suite struct ChoreTests {
    @Test(
        "A long chore that blocks its thread delays no brief one; what is not needed does not begin"
    )
    func long() async throws {
        let counts = Mutex((brief: 0, long: 0))
        let work = Task {
            await Chore.run([
                .every(.milliseconds(5)) { counts.withLock { $0.brief += 1 } },
                .every(.milliseconds(5), isLong: true) {
                    counts.withLock { $0.long += 1 }
                    while counts.withLock({ $0.brief }) < 20 { usleep(1000) }
                },
                .every(.milliseconds(5)) { Issue.record("not needed") }.only { false },
            ])
        }
        while counts.withLock({ $0.brief }) < 30 || counts.withLock({ $0.long }) < 2 {
            try await Task.sleep(for: .milliseconds(5))
        }
        work.cancel()
        await work.value
    }

    @Test("After the wall clock was set, chores of whole seconds meet at its new second")
    func meet() async {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let pauses = Mutex<[Duration]>([])
        await Chore.run(
            [.every(.seconds(1)) {}],
            time: { start + passed.withLock { $0 } },
            untilNextSecond: { .milliseconds(pauses.withLock { $0.isEmpty } ? 5 : 400) },
            sleep: { pause in
                pauses.withLock { $0.append(pause) }
                passed.withLock { $0 += pause }
                if pauses.withLock({ $0.count }) == 2 { throw CancellationError() }
            })
        // The next is 0.4 s away, and one more after it: nearer to a pause of 1 s than 0.4 s is.
        #expect(pauses.withLock { $0 } == [.milliseconds(5), .milliseconds(1_400)])
    }

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
}
