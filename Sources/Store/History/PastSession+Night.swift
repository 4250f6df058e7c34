package import Foundation
package import Policy

extension PastSession {
    /// In seconds; a shorter manual session is a nap.
    private static let shortestNight: TimeInterval = 3 * 3_600

    /// When it really ended.
    package var end: Date { min(endedAt ?? endsAt, endsAt) }

    /// The night that it was, by the date of its bedtime: the schedule's, or one by hand that began between noon and four in
    /// the morning. Nil for a nap, and for what was taken back at once.
    package func night(in zone: CivilZone) -> CivilDate? {
        guard end > startedAt + OneTap.patience else { return nil }
        if let night { return night }
        let isLong = endsAt.timeIntervalSince(startedAt) >= Self.shortestNight
        return isLong && !(4..<12).contains(zone.time(of: startedAt).hour) ? zone.date(of: startedAt) : nil
    }
}
