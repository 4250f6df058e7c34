package import Foundation

extension CivilZone {
    /// Whether it is evening or night by the clock alone: from 17:00 to 04:00.
    package func isEvening(_ instant: Date) -> Bool { !(4..<17).contains(time(of: instant).hour) }

    /// The next 17:00.
    fileprivate func evening(after now: Date) -> Date {
        let today = instant(of: date(of: now), at: TimeOfDay(hour: 17, minute: 0))
        return today > now
            ? today : instant(of: date(of: now).adding(days: 1), at: TimeOfDay(hour: 17, minute: 0))
    }
}

extension Person {
    /// Whether it is evening for this person: from 17:00 to 04:00, or if a night begins within 4 hours.
    package func isEvening(at now: Date, in zone: CivilZone) -> Bool {
        if zone.isEvening(now) { return true }
        let next = nights(in: zone)?.nextNight(after: now)
        return next.map { $0.start < now.addingTimeInterval(OneTap.earliness) } ?? false
    }
}

/// When pages must not be white: from the evening to the morning of a person's night.
package struct Darkness: Hashable, Sendable {
    /// When it begins; not after `now` if it is dark already.
    package let begins: Date

    /// - Parameter person: nil: the clock alone decides.
    package init(for person: Person?, at now: Date, in zone: CivilZone) {
        let isNight =
            person.map {
                $0.isEvening(at: now, in: zone) || $0.runningSession(at: now) != nil
                    || $0.plannedNights(in: zone)?.night(containing: now) != nil
            } ?? zone.isEvening(now)
        guard !isNight else {
            begins = now
            return
        }
        let next = person?.nights(in: zone)?.nextNight(after: now)?.start.addingTimeInterval(
            -OneTap.earliness)
        begins = min(zone.evening(after: now), next ?? .distantFuture)
    }
}
