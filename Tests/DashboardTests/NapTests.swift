import Synchronization
import Testing

@testable import Dashboard

@Suite struct NapTests {
    private func forEver() async { try? await Task.sleep(for: .seconds(3600)) }

    @Test("A nap ends when somebody ends it, before or while it is taken, or when its sleep is over")
    func ends() async {
        let nap = Nap()
        nap.end()
        await nap.take(forEver)
        await nap.take {}
        for _ in 0..<200 {
            async let over: Void = nap.take(forEver)
            await Task.yield()
            nap.end()
            await over
        }
    }

    @Test("An end that came while nobody slept ends one nap, and no second one")
    func endsOnce() async {
        let nap = Nap()
        nap.end()
        await nap.take(forEver)
        let isOver = Mutex(false)
        let second = Task {
            await nap.take(forEver)
            isOver.withLock { $0 = true }
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(!isOver.withLock { $0 })
        second.cancel()
        await second.value
    }
}
