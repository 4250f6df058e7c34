package import Foundation

/// An adult has asked to leave on a device, and something that was promised before still holds there.
///
/// Both ends were fixed when it was asked: nobody can put them off by a new session or a longer wait.
package struct Departure: Hashable, Codable, Sendable {
    package let askedAt: Date
    /// When loosening has waited as long as it does; `askedAt` where nothing waits.
    package var due: Date
    /// The strict session that ran then; nil: none did.
    package let session: UUID?

    package init(askedAt: Date, due: Date, session: UUID?) {
        self.askedAt = askedAt
        self.due = due
        self.session = session
    }
}

/// Whose a device was until they left on it.
package struct Left: Hashable, Codable, Sendable {
    package let person: PersonID
    package var at: Date
    /// For how long the household is told, in seconds.
    package static let news: TimeInterval = 7 * 86_400

    package init(person: PersonID, at: Date) {
        self.person = person
        self.at = at
    }
}
