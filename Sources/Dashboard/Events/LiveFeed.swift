import Foundation
package import Policy
import Synchronization

/// Turns snapshots and the passing of seconds into frames for everybody who watches.
package final class LiveFeed: Sendable {
    package let viewers: Viewers
    private let clock: WallClock
    private let latest: Mutex<Snapshot>

    /// Seconds between two comments on every stream.
    private static let commentInterval: TimeInterval = 15

    package init(clock: WallClock, viewers: Viewers, first: Snapshot) {
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
        let text = StateText(snapshot, at: clock.now())
        var frames: [Audience: EventFrame] = [:]
        for audience in viewers.audiences { frames[audience] = text.frame(of: audience) }
        viewers.state(frames)
    }

    /// Sends ticks and comments until its task is cancelled, then ends every stream.
    package func run() async {
        var sent: [PersonID: Int] = [:]
        var commented = clock.now()
        while !Task.isCancelled {
            let now = clock.now()
            let next = tick(at: now, &sent)
            // A clock that was set back must not hush the comments.
            if now >= commented.addingTimeInterval(Self.commentInterval) || now < commented {
                viewers.comment()
                commented = now
            }
            await clock.sleep(min(next, commented.addingTimeInterval(Self.commentInterval)))
        }
        viewers.end()
    }

    /// Sends one tick to every person whose whole seconds have changed, and says when the next one is due: at
    /// `endsAt − k` seconds (a second ahead at the most, while nothing counts).
    private func tick(at now: Date, _ sent: inout [PersonID: Int]) -> Date {
        let audiences = viewers.audiences
        let snapshot = snapshot
        let text = StateText(snapshot, at: now)
        var next = now.addingTimeInterval(1)
        var frames: [Audience: EventFrame] = [:]
        for person in Set(audiences.map(\.person)) {
            guard let session = snapshot.household[person: person]?.running(at: now) else {
                sent[person] = nil
                continue
            }
            let remaining = session.remaining(at: now)
            next = min(next, session.endsAt.addingTimeInterval(TimeInterval(1 - remaining)))
            guard sent[person] != remaining, let tick = text.tick(of: person) else { continue }
            sent[person] = remaining
            let frame = EventFrame(event: "tick", data: tick.bytes)
            for audience in audiences where audience.person == person { frames[audience] = frame }
        }
        if !frames.isEmpty { viewers.tick(frames) }
        return next
    }
}
