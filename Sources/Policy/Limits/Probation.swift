package import Foundation

/// "Unlock for 1 min": lifts the limits off one app or category for 60 seconds.
package struct Probation: Hashable, Codable, Sendable, Identifiable {
    /// In seconds, by the server's clock.
    package static let duration: TimeInterval = 60

    /// `probation_UUID` for an app, `probation_cat_UUID` for a category.
    package let id: String
    /// An app is exempt from every limit that covers it; a category only from its own limit.
    package let target: LimitTarget
    package let expiresAt: Date

    package init(id: String, target: LimitTarget, expiresAt: Date) {
        self.id = id
        self.target = target
        self.expiresAt = expiresAt
    }

    package init(_ unique: UUID, target: LimitTarget, at now: Date) {
        let prefix =
            switch target {
            case .app: "probation_"
            case .category: "probation_cat_"
            }
        self.init(id: prefix + unique.uuidString, target: target, expiresAt: now + Self.duration)
    }

    package func isRunning(at now: Date) -> Bool { now < expiresAt }

    /// Nil if it is over. A clock that went back neither shortens it nor makes it longer than 60 seconds.
    func settled(at now: Date) -> Probation? {
        guard isRunning(at: now) else { return nil }
        let latest = now + Self.duration
        // Tolerates a second: instants are rounded when stored, and clock corrections are smaller.
        return expiresAt <= latest + 1 ? self : Probation(id: id, target: target, expiresAt: latest)
    }
}
