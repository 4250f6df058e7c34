package import Foundation

/// Where this server was last found on the network, so that a change is noticed even after a restart.
package struct KnownPlace: Hashable, Sendable {
    package var address = Remembered()
    package var upstreams = Remembered()

    package init() {}

    /// Nil and empty mean unknown, for example while a cable is out.
    package mutating func note(address: String?, upstreams: [String], at now: Date) {
        if let address { self.address.note([address], at: now) }
        if !upstreams.isEmpty { self.upstreams.note(upstreams, at: now) }
    }
}

/// A value that seldom changes, with what it was before.
package struct Remembered: Hashable, Sendable {
    /// Empty: nothing was noted yet.
    package var value: [String]
    /// The value before the latest change; nil if it never changed or changed back.
    package var before: [String]?
    package var changedAt: Date?

    package init(_ value: [String] = [], before: [String]? = nil, changedAt: Date? = nil) {
        self.value = value
        self.before = before
        self.changedAt = changedAt
    }

    package mutating func note(_ new: [String], at now: Date) {
        guard new != value else { return }
        if value.isEmpty {
            value = new
        } else if new == before {
            self = Remembered(new)
        } else {
            // After a second change in a row, devices may still have the first value.
            let stillNews = changedAt.map { now.timeIntervalSince($0) < Self.news } ?? false
            self = Remembered(new, before: stillNews ? before : value, changedAt: now)
        }
    }

    /// How long a change is mentioned, in seconds: a week, because a value set by hand stays wrong until it is
    /// corrected.
    package static let news: TimeInterval = 7 * 86_400

    /// The earlier value, while it is worth mentioning.
    func changed(within seconds: TimeInterval, at now: Date) -> [String]? {
        guard let before, let changedAt, now.timeIntervalSince(changedAt) < seconds else { return nil }
        return before
    }
}
