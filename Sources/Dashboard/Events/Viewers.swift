package import Directory
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP2
package import Policy
import Synchronization

/// What a viewer may see: one person's whole state, or without a login only clock and countdown.
package struct Audience: Hashable, Sendable {
    package var person: PersonID
    package var isSignedIn: Bool
    /// Whether the viewer may see the person's minutes (`Asker.seesUsage`).
    package var seesUsage: Bool

    package init(person: PersonID, isSignedIn: Bool, seesUsage: Bool = true) {
        self.person = person
        self.isSignedIn = isSignedIn
        self.seesUsage = seesUsage
    }
}

/// Everybody who watches `/events`, counted in total and kept by event loop.
package final class Viewers: Sendable {
    package struct Limits: Sendable {
        package var total: Int
        /// Per holder; this machine's loopback may take all.
        package var perHolder: Int

        package init(total: Int = 4000, perHolder: Int = 64) {
            self.total = total
            self.perHolder = perHolder
        }
    }

    private struct Count {
        var total = 0
        var byHolder: [Holder: Int] = [:]
        var byAudience: [Audience: Int] = [:]
    }

    private let limits: Limits
    private let count = Mutex(Count())
    private let loops = Mutex<[ObjectIdentifier: LoopViewers]>([:])

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    package var total: Int { count.withLock { $0.total } }
    package var audiences: Set<Audience> { count.withLock { Set($0.byAudience.keys) } }

    /// Takes a place; false if all are taken. `leave` must free each place.
    package func enter(_ audience: Audience, from holder: Holder) -> Bool {
        count.withLock { count in
            let mine = count.byHolder[holder, default: 0]
            guard count.total < limits.total, mine < limits.perHolder || holder.address?.isLoopback ?? false
            else {
                return false
            }
            count.total += 1
            count.byHolder[holder] = mine + 1
            count.byAudience[audience, default: 0] += 1
            return true
        }
    }

    package func leave(_ audience: Audience, from holder: Holder) {
        count.withLock { count in
            count.total -= 1
            count.byHolder.decrement(holder)
            count.byAudience.decrement(audience)
        }
    }

    /// Streams to a connection whose response head is written; returns when the connection ends.
    ///
    /// `first` runs on the event loop after the viewer is listed, so that no change is lost between the two.
    func serve(
        _ channel: any Channel, _ audience: Audience, first: @escaping @Sendable () -> EventFrame?
    ) async {
        let ended = channel.eventLoop.makePromise(of: Void.self)
        channel.eventLoop.execute { [self] in
            let viewers = viewers(on: channel.eventLoop)
            do {
                let pipeline = channel.pipeline.syncOperations
                let codec = try? pipeline.handler(type: HTTP2FramePayloadToHTTPServerCodec.self)
                let viewer = ViewerHandler(isStream: codec != nil) { ended.succeed() }
                let key = ObjectIdentifier(viewer)
                if let codec {
                    try pipeline.addHandler(viewer, position: .before(codec))
                } else {
                    let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
                    try pipeline.addHandler(viewer, position: .before(encoder))
                }
                viewers.list(viewer, audience)
                ended.futureResult.assumeIsolated().whenComplete { _ in viewers.strike(key, audience) }
                // An HTTP/2 stream has its own limits, and NIO traps if it gets others.
                if codec == nil {
                    _ = channel.setOption(
                        ChannelOptions.writeBufferWaterMark, value: .init(low: 4096, high: 16384))
                }
                viewer.state(.retry)
                if let frame = first() { viewer.state(frame) } else { viewer.end() }
            } catch {
                channel.close(promise: nil)
                ended.succeed()
            }
        }
        try? await ended.futureResult.get()
    }

    /// Sends each audience its new state.
    package func state(_ frames: [Audience: EventFrame]) {
        onEveryLoop { viewers in
            for (audience, frame) in frames { viewers.each(audience) { $0.state(frame) } }
        }
    }

    package func tick(_ frames: [Audience: EventFrame]) {
        onEveryLoop { viewers in
            for (audience, frame) in frames { viewers.each(audience) { $0.tick(frame) } }
        }
    }

    package func comment() {
        onEveryLoop { $0.all { $0.comment() } }
    }

    /// Ends every stream, because a shutdown does not wait for viewers.
    package func end() {
        onEveryLoop { $0.all { $0.end() } }
    }

    /// Ends the streams of these audiences.
    func end(_ audiences: [Audience]) {
        onEveryLoop { viewers in
            for audience in audiences { viewers.each(audience) { $0.end() } }
        }
    }

    private func onEveryLoop(_ work: @escaping @Sendable (LoopViewers) -> Void) {
        for viewers in loops.withLock({ Array($0.values) }) {
            viewers.loop.execute { work(viewers) }
        }
    }

    private func viewers(on loop: any EventLoop) -> LoopViewers {
        loops.withLock { loops in
            if let viewers = loops[ObjectIdentifier(loop)] { return viewers }
            let viewers = LoopViewers(loop)
            loops[ObjectIdentifier(loop)] = viewers
            return viewers
        }
    }
}

/// The viewers of one event loop; used only on that loop.
private final class LoopViewers: @unchecked Sendable {
    let loop: any EventLoop
    private var viewers: [Audience: [ObjectIdentifier: ViewerHandler]] = [:]

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func list(_ viewer: ViewerHandler, _ audience: Audience) {
        loop.preconditionInEventLoop()
        viewers[audience, default: [:]][ObjectIdentifier(viewer)] = viewer
    }

    func strike(_ key: ObjectIdentifier, _ audience: Audience) {
        loop.preconditionInEventLoop()
        viewers[audience]?[key] = nil
        if viewers[audience]?.isEmpty == true { viewers[audience] = nil }
    }

    func each(_ audience: Audience, _ work: (ViewerHandler) -> Void) {
        loop.preconditionInEventLoop()
        for viewer in Array((viewers[audience] ?? [:]).values) { work(viewer) }
    }

    func all(_ work: (ViewerHandler) -> Void) {
        for audience in Array(viewers.keys) { each(audience, work) }
    }
}

extension [Holder: Int] {
    fileprivate mutating func decrement(_ key: Holder) {
        self[key] = self[key].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}

extension [Audience: Int] {
    fileprivate mutating func decrement(_ key: Audience) {
        self[key] = self[key].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
