package import Directory
package import NIOCore
import NIOPosix
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

        /// A holder gets no more than a quarter of the places.
        package init(total: Int = 4000, perHolder: Int? = nil) {
            self.total = total
            self.perHolder = perHolder ?? max(1, min(64, total / 4))
        }
    }

    private struct Count {
        var places: Allowance<Holder>
        var byAudience: [Audience: Int] = [:]
        /// Whether the server stops: who comes now would never be ended.
        var isOver = false
    }

    /// At most so many viewers, which is enough for a household, are on the event loop that makes the frames. More would
    /// delay its other work.
    package static let few = 64

    private let home: (any EventLoop)?
    private let count: Mutex<Count>
    private let loops = Mutex<[ObjectIdentifier: LoopViewers]>([:])

    /// - Parameter home: the event loop on which frames are made. A few viewers without TLS are moved there, so that a tick
    ///   wakes no other thread; nil: nobody is moved.
    package init(limits: Limits = Limits(), home: (any EventLoop)? = nil) {
        count = Mutex(Count(places: Allowance(all: limits.total, each: limits.perHolder)))
        self.home = home
    }

    package var total: Int { count.withLock { $0.places.count } }
    /// The audiences that have a viewer; none comes twice.
    package var audiences: [Audience] { count.withLock { Array($0.byAudience.keys) } }

    /// A place that counts until nobody holds it any more: a client may have gone before its stream begins.
    package final class Ticket: Sendable {
        fileprivate let audience: Audience
        private let viewers: Viewers
        private let holder: Holder

        fileprivate init(_ viewers: Viewers, _ audience: Audience, _ holder: Holder) {
            self.viewers = viewers
            self.audience = audience
            self.holder = holder
        }

        deinit {
            viewers.count.withLock { count in
                count.places.giveBack(holder)
                count.byAudience.decrement(audience)
            }
        }
    }

    /// Nil if all places are taken.
    package func enter(_ audience: Audience, from holder: Holder) -> Ticket? {
        count.withLock { count in
            let isShared = holder.address?.isLoopback ?? false
            guard !count.isOver, count.places.givers(for: holder, isShared: isShared) == nil else {
                return nil
            }
            count.places.add(1, to: holder)
            count.byAudience[audience, default: 0] += 1
            return Ticket(self, audience, holder)
        }
    }

    /// Streams to a connection whose response head is written; returns when its channel has closed. A connection
    /// without TLS goes on in a channel of its own, unless bytes for it still wait.
    ///
    /// `first` runs on the viewer's event loop after the viewer is listed, so that no change is lost between the two.
    func serve(
        _ channel: any Channel, isEncrypted: Bool, _ place: Ticket,
        first: @escaping @Sendable () -> EventFrame?
    ) async {
        channel.eventLoop.execute { [self] in
            if !isEncrypted, let socket = channel.takeSocket() {
                let loop = total <= Self.few ? home : nil
                ClientBootstrap(group: loop ?? channel.eventLoop).withConnectedSocket(socket).whenSuccess {
                    [self] in begin($0, .socket(socket), place, first)
                }
            } else {
                begin(channel, channel.routeThroughHandlers, place, first)
            }
        }
        try? await channel.closeFuture.get()
    }

    private func begin(
        _ channel: any Channel, _ route: ViewerHandler.Route, _ place: Ticket, _ first: () -> EventFrame?
    ) {
        let viewers = viewers(on: channel.eventLoop)
        // The place is free when the viewer has left.
        let viewer = ViewerHandler(route) { [self] in
            viewers.strike(place)
            // A loop without viewers is not woken for a tick.
            if viewers.audiences.isEmpty { loops.withLock { $0[ObjectIdentifier(viewers.loop)] = nil } }
        }
        do { try viewer.join(channel.pipeline.syncOperations) } catch { return channel.close(promise: nil) }
        viewers.list(viewer, place)
        viewer.state(.retry)
        let isOver = count.withLock { $0.isOver }
        if !isOver, let frame = first() { viewer.state(frame) } else { viewer.end() }
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

    /// Sends everybody a comment but the audiences who have had it with their tick.
    package func comment(except told: Set<Audience> = []) {
        onEveryLoop { viewers in
            for audience in viewers.audiences where !told.contains(audience) {
                viewers.each(audience) { $0.comment() }
            }
        }
    }

    /// Ends every stream, now and to come, because a shutdown does not wait for viewers.
    package func end() {
        count.withLock { $0.isOver = true }
        onEveryLoop { $0.all { $0.end() } }
    }

    /// Ends the streams of these audiences.
    func end(_ audiences: [Audience]) {
        onEveryLoop { viewers in
            for audience in audiences { viewers.each(audience) { $0.end() } }
        }
    }

    /// Ends the streams that show more than a browser without a login sees; those that still may come again.
    func endSignedIn() { end(audiences.filter(\.isSignedIn)) }

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

    var audiences: [Audience] { Array(viewers.keys) }

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func list(_ viewer: ViewerHandler, _ place: Viewers.Ticket) {
        loop.preconditionInEventLoop()
        viewers[place.audience, default: [:]][ObjectIdentifier(place)] = viewer
    }

    func strike(_ place: Viewers.Ticket) {
        loop.preconditionInEventLoop()
        viewers[place.audience]?[ObjectIdentifier(place)] = nil
        if viewers[place.audience]?.isEmpty == true { viewers[place.audience] = nil }
    }

    func each(_ audience: Audience, _ work: (ViewerHandler) -> Void) {
        loop.preconditionInEventLoop()
        for viewer in (viewers[audience] ?? [:]).values { work(viewer) }
    }

    func all(_ work: (ViewerHandler) -> Void) {
        for audience in audiences { each(audience, work) }
    }
}

extension [Audience: Int] {
    fileprivate mutating func decrement(_ key: Audience) {
        self[key] = self[key].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
