package import Foundation
package import Pages
package import Policy
package import Store

/// One line about last night: told once, in the morning before noon.
package struct LastNight: Sendable {
    /// `Last night: 22:00 to 06:30, kept. Help was pressed twice.`
    package let text: String
    /// Identifies the session and the number of Help presses, so that they are told once.
    package let key: String

    /// The hours of the day in which it is told.
    private static let morning = 4..<12

    /// Whether it is told at this hour at all.
    package static func isTold(at now: Date, in zone: CivilZone) -> Bool {
        morning.contains(zone.time(of: now).hour)
    }

    /// Nil if it is not morning, if the person still sleeps, or if there was neither a night nor a press on Help
    /// (`helps`). Tells the schedule's night if there was one, else the last manual session; a session that was taken
    /// back at once does not count.
    package init?(
        _ past: [PastSession], of person: Person, helps: Int = 0, at now: Date, _ clock: ClockFace
    ) {
        let today = clock.zone.date(of: now)
        guard Self.isTold(at: now, in: clock.zone), person.running(at: now) == nil else { return nil }
        let evening = clock.zone.instant(of: today.adding(days: -1), at: TimeOfDay(hour: 12, minute: 0))
        let morning = clock.zone.instant(of: today, at: TimeOfDay(hour: Self.morning.lowerBound, minute: 0))
        let nights = past.filter {
            (evening..<morning).contains($0.startedAt) && $0.night(in: clock.zone) != nil
        }.sorted { $0.startedAt < $1.startedAt }
        let last = nights.last { $0.night != nil } ?? nights.last
        guard last != nil || helps > 0 else { return nil }
        let help = helps > 0 ? "Help was pressed \(Times.words(helps))." : nil
        key = (last?.id.uuidString ?? "\(today)") + (helps > 0 ? "-\(helps)" : "")
        let slept = last.map {
            "\(clock.time($0.startedAt)) to \(clock.time($0.end)), \(Self.word($0.outcome))."
        }
        text = "Last night: \([slept, help].compactMap { $0 }.joined(separator: " "))"
    }

    private static func word(_ outcome: PastSession.Outcome) -> String {
        switch outcome {
        case .ended, .replaced: "kept"
        case .cancelled: "cancelled"
        case .reset: "reset"
        }
    }
}
