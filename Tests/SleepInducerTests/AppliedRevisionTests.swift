import Foundation
import Logging
import Testing

@testable import Enforcement
@testable import SleepInducer

/// The wait between a change and its answer.
@Suite(.timeLimit(.minutes(1))) struct AppliedRevisionTests {
    private func applied(_ patience: Duration) -> AppliedRevision {
        AppliedRevision(patience: patience, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("Everybody who waits for a revision goes on with it or a later one, and nobody before")
    func order() async {
        let applied = applied(.seconds(30))
        await applied.reach(0)
        applied.note(3)
        await applied.reach(2)
        await withTaskGroup(of: Int.self) { waiters in
            for revision in [7, 5, 6] {
                waiters.addTask {
                    await applied.reach(revision)
                    return revision
                }
            }
            applied.note(5)
            #expect(await waiters.next() == 5)
            applied.note(4)
            applied.note(7)
            #expect(await Set([waiters.next(), waiters.next()]) == [6, 7])
        }
    }

    @Test("An answer does not wait for ever")
    func bounded() async {
        let applied = applied(.milliseconds(50))
        let begun = ContinuousClock.now
        await applied.reach(1)
        #expect(ContinuousClock.now - begun >= .milliseconds(50))
        applied.note(1)
    }
}
