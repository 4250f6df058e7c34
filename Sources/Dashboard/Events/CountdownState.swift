import Foundation
import Pages
package import Policy

/// The seconds that count down for a person, as a `tick` of the contract tells them.
package struct CountdownState: Sendable {
    private let now: Date
    private let asleepUntil: Date?
    private let cancelRemaining: Int?
    private let focus: (end: Date, remaining: Int)?
    private let overrideEnd: Date?

    /// Nil if nothing counts down.
    init?(of person: Person, at now: Date, in zone: CivilZone) {
        self.now = now
        asleepUntil = person.asleepUntil(at: now, in: zone)
        cancelRemaining = person.running(at: now)?.cancelRemaining(at: now)
        let timer = person.focus.timer
        focus = timer.end(after: now).map { ($0, timer.remaining(at: now)) }
        overrideEnd = person.antiRot.override.end(at: now)
        if ends.isEmpty { return nil }
    }

    var ends: [Date] { [asleepUntil, overrideEnd, focus?.end].compactMap { $0 } }

    package var tick: JSONValue {
        .object([
            ("now", .instant(now)), ("remaining", seconds(to: asleepUntil)),
            ("cancelRemaining", Self.number(cancelRemaining)),
            ("focusRemaining", Self.number(focus?.remaining)),
            ("overrideRemaining", seconds(to: overrideEnd)),
        ])
    }

    private func seconds(to end: Date?) -> JSONValue {
        Self.number(end.map { ClockFace.seconds(from: now, to: $0) })
    }

    private static func number(_ seconds: Int?) -> JSONValue { seconds.map { .int($0) } ?? .null }
}
