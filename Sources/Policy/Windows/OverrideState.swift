package import Foundation

/// "I'm Eating": once a calendar day, the restricted apps are open for 45 minutes.
package struct OverrideState: Hashable, Codable, Sendable {
    /// In seconds; exactly this long, whatever else opens or closes meanwhile.
    package static let duration: TimeInterval = 2_700

    /// When it was last pressed; nil if never.
    package var lastUsedDate: Date?
    /// Nil if none runs.
    package var overrideExpiresAt: Date?

    package init(lastUsedDate: Date? = nil, overrideExpiresAt: Date? = nil) {
        self.lastUsedDate = lastUsedDate
        self.overrideExpiresAt = overrideExpiresAt
    }

    /// When the override that runs at an instant ends; nil if none runs.
    ///
    /// If the clock went back, it ends no later than an override that begins now. An end days ahead does not count.
    package func end(at now: Date) -> Date? {
        guard let end = overrideExpiresAt, now < end, end.timeIntervalSince(now) <= Self.duration + 86_400
        else { return nil }
        return min(end, now.addingTimeInterval(Self.duration))
    }

    /// Whether today's override was used, in the household's calendar.
    package func isUsed(at now: Date, in zone: CivilZone) -> Bool {
        lastUsedDate.map { zone.date(of: $0) == zone.date(of: now) } ?? false
    }

    /// Whether a press would be accepted: once a day, and not while one runs.
    package func isAvailable(at now: Date, in zone: CivilZone) -> Bool {
        end(at: now) == nil && !isUsed(at: now, in: zone)
    }

    /// When today's override is available again: at the next midnight; nil if it is unused.
    package func resets(at now: Date, in zone: CivilZone) -> Date? {
        isUsed(at: now, in: zone) ? zone.dayStart(zone.date(of: now).adding(days: 1)) : nil
    }
}
