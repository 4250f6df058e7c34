package import Foundation

/// Other rules on some dates than their weekdays have: school holidays, one late evening, a day in bed.
///
/// It belongs to a person. One that several people have is the same for each of them, with the same id. Where several are
/// about one date, the one that was added last counts.
package struct DateException: Hashable, Sendable, Identifiable {
    package enum Instead: Hashable, Sendable {
        /// Night, windows and minutes of this weekday.
        case weekday(Weekday)
        /// Another bedtime and wake-up time; windows and limits stay.
        case times(start: TimeOfDay, end: TimeOfDay)
        /// No bedtime, no windows and no limits.
        case nothing
    }

    /// The most days of one, and how many a person can have.
    package static let longest = 366
    package static let maximumCount = 30

    package let id: UUID
    package var first: CivilDate
    /// Included; its night ends on the next morning.
    package var last: CivilDate
    package var instead: Instead

    package init(id: UUID, first: CivilDate, last: CivilDate, instead: Instead) {
        self.id = id
        self.first = first
        self.last = last
        self.instead = instead
    }

    package func covers(_ date: CivilDate) -> Bool { first <= date && date <= last }

    /// How many dates it is about.
    var days: Int { last.dayNumber - first.dayNumber + 1 }

    var dates: some Sequence<CivilDate> { (0..<max(0, days)).lazy.map(first.adding(days:)) }

    /// Whether it holds for nights only.
    fileprivate var isOnlyForNights: Bool { if case .times = instead { true } else { false } }

    /// Refuses dates in the wrong order, too many of them, and equal times.
    package func check() throws(Refusal) {
        guard first <= last else { throw .datesOutOfOrder }
        guard days <= Self.longest else { throw .exceptionTooLong }
        if case .times(let start, let end) = instead, start == end { throw .sameTimes }
    }
}

extension [DateException] {
    /// What holds instead for the night of a date; nil: what its weekday says.
    func night(on date: CivilDate) -> DateException.Instead? { last { $0.covers(date) }?.instead }

    /// The weekday by which a date's windows and limits go; nil: none hold.
    package func weekday(on date: CivilDate) -> Weekday? {
        switch last(where: { $0.covers(date) && !$0.isOnlyForNights })?.instead {
        case .weekday(let day): day
        case .nothing: nil
        case .times, nil: date.weekday
        }
    }

    /// How many days further than usual a search looks for what these days may lack.
    var reach: Int { reduce(0) { $0 + $1.days } }
}

extension DateException {
    /// `2026-11-30 to 2026-12-06: as on Saturday`, as the log has it.
    package var logWords: String {
        let dates = first == last ? "\(first)" : "\(first) to \(last)"
        return switch instead {
        case .weekday(let day): "\(dates): as on \(day.displayName)"
        case .times(let start, let end): "\(dates): \(start) to \(end)"
        case .nothing: "\(dates): no rules"
        }
    }
}
