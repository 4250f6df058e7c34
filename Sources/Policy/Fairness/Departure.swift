package import Foundation

/// An adult has asked to leave on a device, and a layer that blocks there still asks for its time (`LeaveHold`).
///
/// Its end was fixed when it was asked: nobody can put it off. It comes earlier where what held is over earlier.
package struct Departure: Hashable, Codable, Sendable {
    package let askedAt: Date
    package var due: Date

    package init(askedAt: Date, due: Date) {
        self.askedAt = askedAt
        self.due = due
    }
}

/// Somebody left on a device.
package struct Left: Hashable, Codable, Sendable {
    package let person: PersonID
    package var at: Date
    /// For how long the household is told, and leaving is counted, in seconds.
    package static let news: TimeInterval = 7 * 86_400

    package init(person: PersonID, at: Date) {
        self.person = person
        self.at = at
    }

    func isRecent(at now: Date) -> Bool { (0..<Self.news).contains(now.timeIntervalSince(at)) }
}
