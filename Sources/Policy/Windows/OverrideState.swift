package import Foundation

/// "I'm Eating": once a calendar day, the restricted apps are open for 45 minutes (AR-012, AR-013, AR-035 to AR-045).
package struct OverrideState: Hashable, Codable, Sendable {
    /// Exactly this long against every collision (C-16), in seconds.
    package static let duration: TimeInterval = 2_700

    /// When it was pressed last; nil: never.
    package var lastUsedDate: Date?
    /// Nil while none is running.
    package var overrideExpiresAt: Date?

    package init(lastUsedDate: Date? = nil, overrideExpiresAt: Date? = nil) {
        self.lastUsedDate = lastUsedDate
        self.overrideExpiresAt = overrideExpiresAt
    }

    /// When the override that runs at an instant ends; nil: none does.
    ///
    /// Where the clock went back it lasts no longer than one that begins now; one that a clock days ahead of the time
    /// made up is none.
    package func end(at now: Date) -> Date? {
        guard let end = overrideExpiresAt, now < end, end.timeIntervalSince(now) <= Self.duration + 86_400
        else { return nil }
        return min(end, now.addingTimeInterval(Self.duration))
    }

    /// What pages say of the one that runs: whole minutes, rounded up; nil: none does.
    package func minutesRemaining(at now: Date) -> Int? {
        end(at: now).map { Int(($0.timeIntervalSince(now) / 60).rounded(.up)) }
    }

    /// Whether today's was used, by the household's calendar (AR-044).
    package func isUsed(at now: Date, in zone: CivilZone) -> Bool {
        lastUsedDate.map { zone.date(of: $0) == zone.date(of: now) } ?? false
    }

    /// Whether a press would be taken: not while one runs, and once a day.
    package func isAvailable(at now: Date, in zone: CivilZone) -> Bool {
        end(at: now) == nil && !isUsed(at: now, in: zone)
    }

    /// When today's use is given back: the next midnight; nil: it is not used (AR-044).
    package func resets(at now: Date, in zone: CivilZone) -> Date? {
        isUsed(at: now, in: zone) ? zone.dayStart(zone.date(of: now).adding(days: 1)) : nil
    }
}
