import Foundation
import Pages
import Policy

/// Sentences about tonight and the usual nights.
struct BedtimeWords {
    let lines: [String]

    init(_ person: Person, _ household: Household, _ clock: ClockFace, _ now: Date) {
        let nights = person.nights(in: household.zone)
        var lines: [String] = []
        if let session = person.running(at: now) {
            let end = person.asleepUntil(at: now, in: household.zone) ?? session.endsAt
            lines.append("\(clock.asleep(session, until: end, from: now)).")
            lines.append(Self.mode(session.strictness))
        } else if let next = nights?.nextNight(after: now), let schedule = person.schedule {
            lines.append(
                "\(clock.coming(next.start, from: now)), \(clock.until(next.end, from: next.start)).")
            lines.append(Self.mode(schedule.strictness))
        } else {
            lines.append("No bedtime is planned.")
        }
        if let change = person.tonight {
            lines.append(change.words(in: nights, clock: clock, now: now))
        }
        if let schedule = person.schedule, schedule.isEnabled { lines.append(Self.plan(schedule)) }
        self.lines = lines
    }

    private static func mode(_ mode: StrictnessMode) -> String {
        switch mode {
        case .strict:
            "Strict: a running session cannot be cancelled. Help and Emergency Reset still work."
        case .flexible: "Flexible: a session can be cancelled, after 30 seconds."
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
