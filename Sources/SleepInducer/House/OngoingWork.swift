import ServiceLifecycle

/// Work that goes on until the server stops, and what to do then.
struct OngoingWork: Service {
    let work: @Sendable () async -> Void
    let stop: @Sendable () async -> Void

    init(_ work: @escaping @Sendable () async -> Void, atStop stop: @escaping @Sendable () async -> Void = {})
    {
        self.work = work
        self.stop = stop
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
        await stop()
    }
}
