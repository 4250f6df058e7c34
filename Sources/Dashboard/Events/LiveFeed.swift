import Foundation
import Pages
package import Policy
import Synchronization

/// Turns snapshots and passing seconds into frames for all viewers.
package final class LiveFeed: Sendable {
    package let viewers: Viewers
    private let clock: WallClock
    private let state: Mutex<State>
    private let lastFocus: @Sendable (PersonID) -> FocusSession?
    /// A new viewer may be the first, and the seconds of a newer snapshot may be due at other instants.
    private let wakes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    private struct State {
        var snapshot: Snapshot
        /// When viewers last heard: the snapshot's state, or a later look of the ticker.
        var heard: Date
        var commented: Date
    }

    /// After so many seconds without a comment, the next look sends one to every stream. There is a look each second, so
    /// a comment comes after two seconds in most cases, and after 2.25 at most. A page that hears nothing for 2.5 seconds
    /// asks the server, and says within five seconds that it is away.
    private static let silence: TimeInterval = 1.25

    /// - Parameter lastFocus: a person's focus session with the latest end, for `StateText`.
    package init(
        clock: WallClock, viewers: Viewers, first: Snapshot,
        lastFocus: @escaping @Sendable (PersonID) -> FocusSession? = { _ in nil }
    ) {
        self.lastFocus = lastFocus
        self.clock = clock
        self.viewers = viewers
        let now = clock.now()
        state = Mutex(State(snapshot: first, heard: now, commented: now))
    }

    package var snapshot: Snapshot { state.withLock { $0.snapshot } }

    /// Takes a newer snapshot and tells everybody whose state it is; ignores an older one.
    package func publish(_ snapshot: Snapshot) {
        let now = clock.now()
        let isNewer = state.withLock { state in
            guard snapshot.revision >= state.snapshot.revision else { return false }
            (state.snapshot, state.heard) = (snapshot, now)
            return true
        }
        guard isNewer else { return }
        let text = StateText(snapshot, at: now, lastFocus: lastFocus)
        var frames: [Audience: EventFrame] = [:]
        var leaving: [Audience] = []
        for audience in viewers.audiences {
            let frame = text.frame(of: audience)
            if frame == nil { leaving.append(audience) }
            frames[audience] = frame
        }
        viewers.state(frames)
        // A removed person has no state; if their viewer reconnects, it is refused.
        if !leaving.isEmpty { viewers.end(leaving) }
        wake()
    }

    /// Lets the ticker begin anew, because of a new viewer or another countdown.
    func wake() { wakes.continuation.yield() }

    /// Sends ticks and comments until its task is cancelled, then ends every stream. A second call ends at once.
    package func run() async {
        var wakes = wakes.stream.makeAsyncIterator()
        var isOver = false
        while !isOver {
            // The end of this scope cancels the ticker, and waits for it.
            async let _: Void = tick()
            isOver = await wakes.next() == nil
        }
        viewers.end()
    }

    /// While anybody watches: looks at least once a second, and when the next second of a countdown is due.
    private func tick() async {
        while !Task.isCancelled, viewers.total > 0 {
            let now = clock.now()
            let (snapshot, heard, isSilent) = state.withLock { state in
                // Comments must go on after the clock was set back.
                let isSilent = !(0..<Self.silence).contains(now.timeIntervalSince(state.commented))
                if isSilent { state.commented = now }
                defer { state.heard = now }
                return (state.snapshot, state.heard, isSilent)
            }
            var (ticks, next) = ticks(snapshot, since: heard, at: now)
            if isSilent {
                ticks = ticks.mapValues { $0.followed(by: .comment) }
                viewers.comment(except: Set(ticks.keys))
            }
            if !ticks.isEmpty { viewers.tick(ticks) }
            await clock.sleep(next)
        }
    }

    /// A tick for each person whose whole seconds have changed since viewers last heard, and when the next one is due: at
    /// `endsAt − k` seconds.
    private func ticks(
        _ snapshot: Snapshot, since last: Date, at now: Date
    ) -> (frames: [Audience: EventFrame], next: Date) {
        let audiences = viewers.audiences
        let text = StateText(snapshot, at: now)
        var next = Date.distantFuture
        var frames: [Audience: EventFrame] = [:]
        for audience in audiences where frames[audience] == nil {
            guard let countdown = text.countdown(of: audience.person) else { continue }
            var isDue = false
            for end in countdown.ends {
                let left = ClockFace.seconds(from: now, to: end)
                next = min(next, end.addingTimeInterval(TimeInterval(1 - left)))
                if left != ClockFace.seconds(from: last, to: end) { isDue = true }
            }
            guard isDue else { continue }
            let frame = EventFrame(event: "tick", data: countdown.tick.bytes)
            for other in audiences where other.person == audience.person { frames[other] = frame }
        }
        return (frames, next)
    }
}
