package import Foundation

/// A session began or ended; for the log and for subscribers.
package struct SessionEvent: Hashable, Sendable {
    package enum Reason: String, Codable, Sendable {
        case elapsed, cancelled, reset
        /// Woken for a while: the night goes on by itself.
        case paused
    }

    package enum Kind: Hashable, Sendable {
        case started
        case ended(reason: Reason)
    }

    package var kind: Kind
    package var person: PersonID
    package var session: SleepSession
    /// When it was due, which can be long before the server noticed.
    package var instant: Date

    package init(kind: Kind, person: PersonID, session: SleepSession, instant: Date) {
        self.kind = kind
        self.person = person
        self.session = session
        self.instant = instant
    }
}
