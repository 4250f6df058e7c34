import NIOCore

/// The resolver's part on every event loop of a group.
struct Loops: Sendable {
    let upstreams: Upstreams
    let all: [NIOLoopBoundBox<ResolverLoop>]
    private let byLoop: [ObjectIdentifier: NIOLoopBoundBox<ResolverLoop>]

    init(_ configuration: Resolver.Configuration, _ group: any EventLoopGroup) {
        let served = ServedNames(
            ownNames: configuration.ownNames, searchDomains: configuration.searchDomains,
            privateAnswersAllowed: configuration.privateAnswersAllowed,
            proxyNames: configuration.proxyNames)
        let upstreams = Upstreams(configuration)
        self.upstreams = upstreams
        all = group.makeIterator().map { eventLoop in
            NIOLoopBoundBox.makeBoxSendingValue(
                ResolverLoop(configuration, served: served, upstreams: upstreams, eventLoop: eventLoop),
                eventLoop: eventLoop)
        }
        byLoop = Dictionary(uniqueKeysWithValues: all.map { (ObjectIdentifier($0.eventLoop), $0) })
    }

    /// The part on an event loop of the group; the caller must be on that loop.
    func of(_ eventLoop: any EventLoop) -> ResolverLoop { byLoop[ObjectIdentifier(eventLoop)]!.value }

    /// Sends an event to every loop.
    func send(_ event: @escaping @Sendable (ResolverLoop) -> Void) {
        for loop in all { loop.eventLoop.execute { event(loop.value) } }
    }

    /// Asks every loop.
    func ask<Value: Sendable>(_ question: @escaping @Sendable (ResolverLoop) -> Value) async -> [Value] {
        // All at once, so that none waits for the other to wake up.
        let asked = all.map { loop in loop.eventLoop.submit { question(loop.value) } }
        var values: [Value] = []
        for value in asked {
            if let value = try? await value.get() { values.append(value) }
        }
        return values
    }
}
