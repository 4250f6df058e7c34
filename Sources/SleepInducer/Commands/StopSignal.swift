import Synchronization
import UnixSignals

/// Hears SIGTERM and SIGINT from the first start to the end. A server that begins anew also stops when it is told to.
final class StopSignal: Sendable {
    private struct State {
        var isGiven = false
        var stop: (@Sendable () async -> Void)?
    }

    private let state = Mutex(State())

    var isGiven: Bool { state.withLock { $0.isGiven } }

    /// Listens until the program ends.
    func listen() async {
        for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
            let stop = state.withLock { state in
                state.isGiven = true
                return state.stop
            }
            await stop?()
        }
    }

    /// Sets what to stop on a signal; stops it at once if the signal came already.
    func stops(_ stop: @escaping @Sendable () async -> Void) async {
        let isGiven = state.withLock { state in
            state.stop = stop
            return state.isGiven
        }
        if isGiven { await stop() }
    }
}
