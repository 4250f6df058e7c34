import NIOCore
import Synchronization

/// The resolver's part on every event loop of a group.
final class Loops: Sendable {
    private let known: Mutex<(upstreams: Upstreams, served: ServedNames)>
    private let privateAnswersAllowed: [String]
    let all: [NIOLoopBoundBox<ResolverLoop>]
    /// One for each loop in `all`.
    private let news: [Responder.News]
    /// What each had counted in all when it last told.
    private let metrics: Mutex<[Metrics]>
    private let byLoop: [ObjectIdentifier: NIOLoopBoundBox<ResolverLoop>]

    init(_ configuration: Resolver.Configuration, _ group: any EventLoopGroup) {
        privateAnswersAllowed = configuration.privateAnswersAllowed
        let served = ServedNames(
            configuration.network, privateAnswersAllowed: configuration.privateAnswersAllowed)
        let upstreams = Upstreams(configuration.network)
        known = Mutex((upstreams, served))
        let loops = Array(group.makeIterator())
        let news = loops.map { _ in Responder.News() }
        all = zip(loops, news).map { eventLoop, news in
            NIOLoopBoundBox.makeBoxSendingValue(
                ResolverLoop(
                    configuration, served: served, upstreams: upstreams, news: news, eventLoop: eventLoop),
                eventLoop: eventLoop)
        }
        self.news = news
        metrics = Mutex(Array(repeating: Metrics(), count: loops.count))
        byLoop = Dictionary(uniqueKeysWithValues: all.map { (ObjectIdentifier($0.eventLoop), $0) })
    }

    /// The servers that are asked now.
    var upstreams: Upstreams { known.withLock { $0.upstreams } }
    /// The names that are decided before every rule now.
    var served: ServedNames { known.withLock { $0.served } }

    /// Gives every loop the servers and names of another network; servers that stay keep their health.
    func follow(_ network: Resolver.Network) async {
        let served = ServedNames(network, privateAnswersAllowed: privateAnswersAllowed)
        let upstreams = known.withLock { known in
            known = (Upstreams(network, after: known.upstreams), served)
            return known.upstreams
        }
        _ = await ask { $0.follow(upstreams, served) }
    }

    /// The part on an event loop of the group; the caller must be on that loop.
    func of(_ eventLoop: any EventLoop) -> ResolverLoop { byLoop[ObjectIdentifier(eventLoop)]!.value }

    /// Sends an event to every loop.
    func send(_ event: @escaping @Sendable (ResolverLoop) -> Void) {
        for loop in all { loop.eventLoop.execute { event(loop.value) } }
    }

    /// Whether any loop has noted or handed over something.
    var haveNews: Bool { news.contains(where: \.isAny) }

    /// Collects what loops have handed over, and asks those that have answered since. The others would wake up for nothing.
    /// - Returns: what they noted, and what all loops have counted since the start.
    func collect() async -> (parts: [Collected], metrics: Metrics) {
        var parts: [Collected] = []
        func add(_ index: Int, _ part: Collected) {
            parts.append(part)
            metrics.withLock { $0[index] = part.metrics }
        }
        var asked: [(index: Int, parts: EventLoopFuture<[Collected]>)] = []
        for (index, loop) in all.enumerated() {
            let news = news[index]
            if news.isThere.exchange(false, ordering: .relaxed) {
                let parts = loop.eventLoop.submit {
                    // The part that was handed over is older, and the metrics of the last part stay.
                    [news.take(), loop.value.responder.collect()].compactMap { $0 }
                }
                asked.append((index, parts))
            } else if let part = news.take() {
                add(index, part)
            }
        }
        for (index, parts) in asked {
            for part in (try? await parts.get()) ?? [] { add(index, part) }
        }
        return (parts, metrics.withLock { $0.reduce(into: Metrics()) { $0 += $1 } })
    }

    /// Asks every loop.
    func ask<Value: Sendable>(_ question: @escaping @Sendable (ResolverLoop) -> Value) async -> [Value] {
        // All at once, so that none waits until another wakes up.
        let asked = all.map { loop in loop.eventLoop.submit { question(loop.value) } }
        var values: [Value] = []
        for value in asked {
            if let value = try? await value.get() { values.append(value) }
        }
        return values
    }
}
