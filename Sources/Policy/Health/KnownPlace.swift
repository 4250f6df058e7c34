package import Foundation

/// Where this server was found so far, so that a change of it is noticed over restarts too.
package struct KnownPlace: Hashable, Sendable {
    package var address = Remembered()
    package var upstreams = Remembered()

    package init() {}

    /// Nil and empty are what nobody could tell, for example while a cable is out.
    package mutating func note(address: String?, upstreams: [String], at now: Date) {
        if let address { self.address.note([address], at: now) }
        if !upstreams.isEmpty { self.upstreams.note(upstreams, at: now) }
    }
}

/// A value that seldom changes, with what it was before.
package struct Remembered: Hashable, Sendable {
    /// Empty: nothing was noted yet.
    package var value: [String]
    /// What it was before the latest change; nil: it never changed, or is again what it was.
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
            // A second change in a row: what devices were told is still the first.
            let stillNews = changedAt.map { now.timeIntervalSince($0) < Self.news } ?? false
            self = Remembered(new, before: stillNews ? before : value, changedAt: now)
        }
    }

    /// How long a change is said, in seconds: a week, because what was set by hand stays wrong until somebody mends it.
    package static let news: TimeInterval = 7 * 86_400

    /// What it was, while that is worth saying.
    func changed(within seconds: TimeInterval, at now: Date) -> [String]? {
        guard let before, let changedAt, now.timeIntervalSince(changedAt) < seconds else { return nil }
        return before
    }
}
