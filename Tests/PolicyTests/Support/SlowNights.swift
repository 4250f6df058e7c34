import Foundation

@testable import Policy

// Nights with exceptions, from the requirements and one date at a time, without Policy's computations. A day is a number
// since 1970-01-01.
extension SlowVerdict {
    /// The weekday by which windows and limits of a day go; nil: none hold.
    func weekday(of day: Int, _ person: Person) -> Weekday? {
        switch instead(of: day, person, forNights: false) {
        case .weekday(let other): other
        case .nothing: nil
        default: weekday(day)
        }
    }

    /// The night that is planned for a day; it ends at the latest with the next day's bedtime.
    func night(of day: Int, _ person: Person) -> Range<Date>? {
        guard let own = wholeNight(of: day, person) else { return nil }
        guard let next = wholeNight(of: day + 1, person), next.lowerBound < own.upperBound else { return own }
        return own.lowerBound < next.lowerBound ? own.lowerBound..<next.lowerBound : nil
    }

    private func wholeNight(of day: Int, _ person: Person) -> Range<Date>? {
        guard let schedule = person.schedule, schedule.isEnabled else { return nil }
        var times = (start: schedule.start, end: schedule.end)
        switch instead(of: day, person, forNights: true) {
        case .nothing: return nil
        case .times(let start, let end): times = (start, end)
        case .weekday, nil:
            var usual = weekday(day)
            if case .weekday(let other) = instead(of: day, person, forNights: true) { usual = other }
            guard schedule.days.contains(usual) else { return nil }
            if let other = schedule.exceptions.first(where: { $0.days.contains(usual) }) {
                times = (other.start, other.end)
            }
        }
        let wake = minute(times.end) > minute(times.start) ? day : day + 1
        let (start, end) = (first(day, minute(times.start)), first(wake, minute(times.end)))
        return start < end ? start..<end : nil
    }

    /// The one that was added last counts.
    private func instead(of day: Int, _ person: Person, forNights: Bool) -> DateException.Instead? {
        var found: DateException.Instead?
        for exception in person.dateExceptions
        where number(exception.first) <= day && day <= number(exception.last) {
            if case .times = exception.instead, !forNights { continue }
            found = exception.instead
        }
        return found
    }
}
