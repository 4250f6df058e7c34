import Foundation
import Pages
package import Policy
import Synchronization

/// Turns snapshots and passing seconds into frames for all viewers.
package final class LiveFeed: Sendable {
    package let viewers: Viewers
    private let clock: WallClock
    /// The newest snapshot, and when its state was sent, or the ticker looked after that.
    private let latest: Mutex<(snapshot: Snapshot, heard: Date)>
    private let lastFocus: @Sendable (PersonID) -> FocusSession?
    /// The ticker's sleep. A newer snapshot ends it early, because its seconds may be due at other instants.
    private let nap = Nap()

    /// After so many seconds without a comment, the next look sends one to every stream. There is a look each second, so
    /// a comment comes after two seconds in most cases, and after 2.25 at most. A page that hears nothing for 2.5 seconds
    /// asks the server, and says within five seconds that it is away.
    private static let silence: TimeInterval = 1.25
    /// How long the feed sleeps while nobody watches. `wake` ends it.
    private static let rest = Duration.seconds(60)

    /// - Parameter lastFocus: a person's focus session with the latest end, for `StateText`.
    package init(
        clock: WallClock, viewers: Viewers, first: Snapshot,
        lastFocus: @escaping @Sendable (PersonID) -> FocusSession? = { _ in nil }
    ) {
        self.lastFocus = lastFocus
        self.clock = clock
        self.viewers = viewers
        latest = Mutex((first, clock.now()))
    }

    package var snapshot: Snapshot { latest.withLock { $0.snapshot } }

    /// Takes a newer snapshot and tells everybody whose state it is; ignores an older one.
    package func publish(_ snapshot: Snapshot) {
        let now = clock.now()
        let isNewer = latest.withLock { latest in
            guard snapshot.revision >= latest.snapshot.revision else { return false }
            latest = (snapshot, now)
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

    /// Ends the ticker's sleep, because of a new viewer or another countdown.
    func wake() { nap.end() }

    /// Sends ticks and comments until its task is cancelled, then ends every stream.
    package func run() async {
        var commented = clock.now()
        while !Task.isCancelled {
            guard viewers.total > 0 else {
                await nap.take { try? await Task.sleep(for: Self.rest) }
                continue
            }
            let now = clock.now()
            let (snapshot, heard) = latest.withLock { latest in
                defer { latest.heard = now }
                return latest
            }
            var (ticks, next) = ticks(snapshot, since: heard, at: now)
            // Comments must go on after the clock was set back.
            if !(0..<Self.silence).contains(now.timeIntervalSince(commented)) {
                ticks = ticks.mapValues { $0.followed(by: .comment) }
                viewers.comment(except: Set(ticks.keys))
                commented = now
            }
            if !ticks.isEmpty { viewers.tick(ticks) }
            await nap.take { [clock, next] in await clock.sleep(next) }
        }
        viewers.end()
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
        for person in Set(audiences.map(\.person)) {
            guard let countdown = text.countdown(of: person) else { continue }
            var isDue = false
            for end in countdown.ends {
                let left = ClockFace.seconds(from: now, to: end)
                next = min(next, end.addingTimeInterval(TimeInterval(1 - left)))
                if left != ClockFace.seconds(from: last, to: end) { isDue = true }
            }
            guard isDue else { continue }
            let frame = EventFrame(event: "tick", data: countdown.tick.bytes)
            for audience in audiences where audience.person == person { frames[audience] = frame }
        }
        return (frames, next)
    }
}
