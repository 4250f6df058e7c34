package import Foundation
package import Policy

/// The timer of a suggestion, in the shield's look: GET `/.sleep-inducer/doing` of a blocked Host.
package struct ShieldTimerPage: Page {
    package static let template = "shield-timer"

    /// `Read a book`
    package let title: String
    package let ring: CountdownRing
    /// `20:15`
    package let endsAt: String
    /// Where "I did it" leads.
    package let done: String
    /// Where "Stop" leads: the page that was blocked.
    package let path: String
    /// Whether "I did it" came too early.
    package let isTooSoon: Bool

    package init(
        task: SuggestedTask, timer: SuggestionTimer, done: String, path: String, isTooSoon: Bool = false,
        now: Date, zone: TimeZone
    ) {
        title = task.title
        ring = CountdownRing(startedAt: timer.start, endsAt: timer.endsAt, now: now)
        endsAt = ClockFace(zone: zone).time(timer.endsAt)
        self.done = done
        self.path = path
        self.isTooSoon = isTooSoon
    }
}
