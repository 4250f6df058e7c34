import Foundation
import Pages
import Policy

/// Sentences about tonight and the usual nights.
struct BedtimeWords {
    /// `Asleep since 22:00, until 06:30.`; `Tonight at 22:45, until 07:00.`
    let now: String
    /// `30 minutes later than planned.`; nil if tonight is as planned.
    let tonight: String?
    let lines: [String]

    init(_ person: Person, _ household: Household, _ clock: ClockFace, _ now: Date) {
        let nights = person.nights(in: household.zone)
        let mode: String?
        if let session = person.running(at: now) {
            let end = person.asleepUntil(at: now, in: household.zone) ?? session.endsAt
            self.now = "\(clock.asleep(session, until: end, from: now))."
            mode = Self.mode(session.strictness, of: person)
        } else if let next = nights?.nextNight(after: now), let schedule = person.schedule {
            self.now = "\(clock.coming(next.start, from: now)), \(clock.until(next.end, from: next.start))."
            mode = Self.mode(schedule.strictness, of: person)
        } else {
            self.now = "No bedtime is planned."
            mode = nil
        }
        tonight = person.tonight?.words(in: nights, clock: clock, now: now)
        let plan = person.schedule.flatMap { $0.isEnabled ? Self.plan($0) : nil }
        lines = [self.now, mode, tonight, plan].compactMap { $0 }
    }

    private static func mode(_ mode: StrictnessMode, of person: Person) -> String {
        switch mode {
        case .strict:
            "Strict: a running session cannot be cancelled. Help and Emergency Reset still work."
        case .flexible:
            "Flexible: \(person.role == .adult ? "you" : "an adult") can cancel a session. It takes 30 seconds."
        }
    }

    /// `Every day 22:45 to 07:00; Saturday 23:30 to 08:30.`
    private static func plan(_ schedule: RecurringSchedule) -> String {
        let usual = schedule.days.subtracting(schedule.exceptions.flatMap(\.days))
        let parts =
            (usual.isEmpty ? [] : [(usual, schedule.start, schedule.end)])
            + schedule.exceptions.map { ($0.days.intersection(schedule.days), $0.start, $0.end) }
        return "The plan: "
            + parts.filter { !$0.0.isEmpty }.map { "\($0.0.words) \($0.1.text) to \($0.2.text)" }.joined(
                separator: "; ")
            + "."
    }
}
