package import Foundation

/// An adult asked to leave on a device, and a layer that blocks there has not had its time yet (`LeaveHold`).
///
/// The end was fixed when the adult asked: nobody can put it off. It comes earlier if what held it is over earlier.
package struct Departure: Hashable, Codable, Sendable {
    package let askedAt: Date
    package var due: Date

    package init(askedAt: Date, due: Date) {
        self.askedAt = askedAt
        self.due = due
    }
}

/// A person left on a device.
package struct Left: Hashable, Codable, Sendable {
    package let person: PersonID
    package var at: Date
    /// How long the household is told about it, and how long it counts as a recent leave, in seconds.
    package static let news: TimeInterval = 7 * 86_400

    package init(person: PersonID, at: Date) {
        self.person = person
        self.at = at
    }

    func isRecent(at now: Date) -> Bool { (0..<Self.news).contains(now.timeIntervalSince(at)) }
}
