package import Policy
package import Store

/// The outcomes of four weeks' nights, week by week; readable without colour.
package struct NightsCalendar: Sendable {
    package enum Outcome: String, Sendable {
        case kept, cancelled, reset, none

        /// The sign in the square.
        var sign: String {
            switch self {
            case .kept: "●"
            case .cancelled: "◐"
            case .reset: "✕"
            case .none: "·"
            }
        }

        var words: String {
            switch self {
            case .kept: "kept"
            case .cancelled: "cancelled"
            case .reset: "reset"
            case .none: "no night"
            }
        }
    }

    struct Cell {
        let day: Int
        let sign: String
        let outcome: String
        let name: String
        /// In the future, or before the first of the four weeks.
        let isOutside: Bool
    }

    struct Week {
        let cells: [Cell]
    }

    let weeks: [Week]
    let weekdays: [String]
    package let sentence: String

    /// `past` are sessions that are over; naps do not count.
    package init(_ past: [PastSession], in zone: CivilZone, today: CivilDate) {
        let outcomes = past.compactMap { session in
            session.night(in: zone).map { ($0, Outcome(session.outcome)) }
        }
        self.init(
            Dictionary(outcomes, uniquingKeysWith: { $0.weight >= $1.weight ? $0 : $1 }), today: today)
    }

    /// `today` is the last day that is shown.
    package init(_ outcomes: [CivilDate: Outcome], today: CivilDate) {
        let first = today.adding(days: -27)
        let monday = first.adding(days: -first.weekday.order)
        let count = (0..<5).filter { monday.adding(days: $0 * 7) <= today }.count
        weeks = (0..<count).map { week in
            Week(
                cells: (0..<7).map { offset in
                    let date = monday.adding(days: week * 7 + offset)
                    let isOutside = date < first || date > today
                    let outcome = isOutside ? .none : outcomes[date] ?? .none
                    return Cell(
                        day: date.day, sign: outcome.sign, outcome: outcome.rawValue,
                        name: "\(date.short): \(outcome.words)", isOutside: isOutside)
                })
        }
        weekdays = Weekday.allCases.map(\.short)
        let shown = outcomes.filter { (first...today).contains($0.key) }.values
        func times(_ outcome: Outcome) -> Int { shown.filter { $0 == outcome }.count }
        let kept = times(.kept)
        sentence =
            shown.isEmpty
            ? "No night has passed yet."
            : "\(kept) night\(kept == 1 ? "" : "s") kept, \(times(.cancelled)) cancelled, \(times(.reset)) reset."
    }
}

extension NightsCalendar.Outcome {
    fileprivate init(_ outcome: PastSession.Outcome) {
        switch outcome {
        case .ended, .replaced: self = .kept
        case .cancelled: self = .cancelled
        case .reset: self = .reset
        }
    }

    /// If a night has two sessions, the worse outcome is shown.
    fileprivate var weight: Int {
        switch self {
        case .none: 0
        case .kept: 1
        case .cancelled: 2
        case .reset: 3
        }
    }
}
