import Foundation
import Pages
package import Policy
import Synchronization

/// Turns snapshots and the passing of seconds into frames for everybody who watches.
package final class LiveFeed: Sendable {
    package let viewers: Viewers
    private let clock: WallClock
    private let latest: Mutex<Snapshot>
    private let lastFocus: @Sendable (PersonID) -> FocusSession?
    /// The ticker's sleep, cut short by a newer snapshot: its seconds may fall on other instants.
    private let nap = Mutex<Task<Void, Never>?>(nil)

    /// Seconds between two comments on every stream: a page that hears nothing for longer asks, and within five seconds
    /// it says that the server is away.
    private static let commentInterval: TimeInterval = 2

    /// - Parameter lastFocus: the focus session of a person that ended last, for `StateText`.
    package init(
        clock: WallClock, viewers: Viewers, first: Snapshot,
        lastFocus: @escaping @Sendable (PersonID) -> FocusSession? = { _ in nil }
    ) {
        self.lastFocus = lastFocus
        self.clock = clock
        self.viewers = viewers
        latest = Mutex(first)
    }

    package var snapshot: Snapshot { latest.withLock { $0 } }

    /// Takes a newer snapshot and tells everybody whose state it is; an older one is passed over.
    package func publish(_ snapshot: Snapshot) {
        let isNewer = latest.withLock { latest in
            guard snapshot.revision >= latest.revision else { return false }
            latest = snapshot
            return true
        }
        guard isNewer else { return }
        let text = StateText(snapshot, at: clock.now(), lastFocus: lastFocus)
        var frames: [Audience: EventFrame] = [:]
        var leaving: [Audience] = []
        for audience in viewers.audiences {
            let frame = text.frame(of: audience)
            if frame == nil { leaving.append(audience) }
            frames[audience] = frame
        }
        viewers.state(frames)
        // Of somebody who was removed there is nothing more to tell; who comes again is told so.
        if !leaving.isEmpty { viewers.end(leaving) }
        wake()
    }

    /// Looks again when the next second is due: for somebody who has just come, or another countdown.
    func wake() { nap.withLock { $0?.cancel() } }

    /// Sends ticks and comments until its task is cancelled, then ends every stream.
    package func run() async {
        var sent: [PersonID: [Int]] = [:]
        var commented = clock.now()
        while !Task.isCancelled {
            let now = clock.now()
            let snapshot = snapshot
            let next = tick(snapshot, at: now, &sent)
            // A clock that was set back must not hush the comments.
            if now >= commented.addingTimeInterval(Self.commentInterval) || now < commented {
                viewers.comment()
                commented = now
            }
            await sleep(
                until: min(next, commented.addingTimeInterval(Self.commentInterval)), after: snapshot.revision
            )
        }
        viewers.end()
    }

    /// Until the instant, a second at the most, or the next snapshot after the one that the instant is for.
    private func sleep(until instant: Date, after revision: Int) async {
        let task = Task { [clock] in await clock.sleep(instant) }
        nap.withLock { $0 = task }
        if snapshot.revision != revision { task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Sends one tick to every person whose whole seconds have changed, and says when the next one is due: at
    /// `endsAt − k` seconds (a second ahead at the most, while nothing counts). The first second of a countdown
    /// stands in the state that was just sent.
    private func tick(_ snapshot: Snapshot, at now: Date, _ sent: inout [PersonID: [Int]]) -> Date {
        let audiences = viewers.audiences
        let text = StateText(snapshot, at: now)
        var next = now.addingTimeInterval(1)
        var frames: [Audience: EventFrame] = [:]
        let watched = Set(audiences.map(\.person))
        sent = sent.filter { watched.contains($0.key) }
        for person in watched {
            let ends = text.ends(of: person)
            guard !ends.isEmpty else {
                sent[person] = nil
                continue
            }
            let remaining = ends.map { ClockFace.seconds(from: now, to: $0) }
            for (end, left) in zip(ends, remaining) {
                next = min(next, end.addingTimeInterval(TimeInterval(1 - left)))
            }
            guard let before = sent.updateValue(remaining, forKey: person), before != remaining,
                let tick = text.tick(of: person)
            else { continue }
            let frame = EventFrame(event: "tick", data: tick.bytes)
            for audience in audiences where audience.person == person { frames[audience] = frame }
        }
        if !frames.isEmpty { viewers.tick(frames) }
        return next
    }
}
