package import Foundation

/// The two hours after a night: how long it was quiet, and how many nights in a row there were.
///
/// A night belongs to the civil date on which it was planned to end, so there is one for each morning, whatever the
/// clocks do. That date counts if
/// - its kept sessions are at least three hours of quiet together,
/// - each of them was begun by the schedule, or is at least three hours long and ends between 04:00 and 12:00 ("Bedtime
///   now" is a night too),
/// - and no session of that date was ended by the emergency reset.
///
/// A cancelled session counts neither for nor against its date. A session that was taken back within 8 seconds is none.
package struct Morning: Hashable, Sendable {
    /// In seconds.
    package static let length: TimeInterval = 2 * 3_600
    /// In seconds; a shorter one is a nap.
    package static let shortest: TimeInterval = 3 * 3_600

    /// When the night ended.
    package let began: Date
    /// Whole minutes of quiet in the night.
    package let minutes: Int
    /// How many dates in a row had a night, this one included: at least 1.
    package let nights: Int

    /// The morning at an instant; nil if the last night ended more than two hours ago, or did not count.
    package init?(after sessions: [PastNight], at now: Date, in zone: CivilZone) {
        let past = sessions.filter { !$0.wasTakenBack && $0.end <= now && $0.mayBeNight(in: zone) }
        let byDate = Dictionary(grouping: past) { zone.date(of: $0.plannedEnd) }
        guard let last = past.max(by: { $0.end < $1.end }) else { return nil }
        var date = zone.date(of: last.plannedEnd)
        guard last.ending == .kept, now < last.end + Self.length,
            let quiet = Self.quiet(of: byDate[date] ?? [])
        else { return nil }
        began = last.end
        minutes = Int(quiet / 60)
        var count = 0
        while Self.quiet(of: byDate[date] ?? []) != nil {
            count += 1
            // Not `date - 1`: a zone may have skipped that day.
            date = zone.date(of: zone.dayStart(date) - 1)
        }
        nights = count
    }

    /// Whether it is this morning at an instant: not before its night is over.
    package func contains(_ instant: Date) -> Bool {
        began <= instant && instant < began + Self.length
    }

    /// The seconds that a date's kept sessions cover together; nil if they make no night.
    private static func quiet(of sessions: [PastNight]) -> TimeInterval? {
        guard !sessions.contains(where: { $0.ending == .reset }) else { return nil }
        var (covered, end) = (0.0, Date.distantPast)
        for session in sessions.filter({ $0.ending == .kept }).sorted(by: { $0.start < $1.start }) {
            covered += max(0, session.end.timeIntervalSince(max(session.start, end)))
            end = max(end, session.end)
        }
        return covered >= shortest ? covered : nil
    }
}

extension PastNight {
    /// Whether the schedule began it, or it was planned to last a night and to end in the morning.
    fileprivate func mayBeNight(in zone: CivilZone) -> Bool {
        if isScheduled { return true }
        let isLong = plannedEnd.timeIntervalSince(start) >= Morning.shortest
        return isLong && (4..<12).contains(zone.time(of: plannedEnd).hour)
    }
}
