import Foundation
import Pages
import Policy

/// Exceptions by date, as pages list them: the whole household's, or one person's.
///
/// POST `/dates/{id}/delete` with `from`, and `only` for one of several people.
package struct DateList: Sendable {
    struct Row: Sendable {
        let id: String
        /// `Mon 30 Nov to Sun 6 Dec`
        let when: String
        /// `as on Saturday`
        let what: String
        /// `Mia and Ben`; nil if one person lives here.
        let who: String?
        /// `Acts on Saturday at 21:40, because it makes rules easier.`
        let waits: String?
    }

    /// The page on which the list stands.
    enum Spot: String, Sendable {
        case dates, household, schedule, windows, limits

        var path: String {
            switch self {
            case .dates: "/dates"
            case .household: "/household"
            case .schedule: "/schedule"
            case .windows: "/anti-rot/schedule"
            case .limits: "/limits"
            }
        }
    }

    let rows: [Row]
    let isEmpty: Bool
    /// The word of the page on which the list stands (`Spot`).
    let from: String
    /// The person whose list it is; without one it is the household's.
    let only: Int64?
    /// A link to the form; not beside the form itself.
    let offersAdding: Bool

    init(_ household: Household, of person: PersonID? = nil, on spot: Spot, at now: Date) {
        let clock = ClockFace(zone: household.foundationZone)
        let held = household.dateExceptions(at: now).filter { held in
            person.map(held.people.contains) ?? true
        }
        rows = held.map { held in
            Row(
                id: held.exception.id.uuidString, when: held.exception.dateWords,
                what: held.exception.instead.words,
                who: household.people.count > 1
                    ? held.people.compactMap { household[person: $0]?.name }.listed : nil,
                waits: held.words(clock, now))
        }
        isEmpty = rows.isEmpty
        from = spot.rawValue
        only = person?.rawValue
        offersAdding = spot != .dates
    }

    /// A person's own list beside one of their rules; nil where they have none.
    init?(ifAny household: Household, of person: PersonID, on spot: Spot, at now: Date) {
        self.init(household, of: person, on: spot, at: now)
        if isEmpty { return nil }
    }
}

extension DateException {
    /// `Fri 11 Dec`, `Mon 30 Nov to Sun 6 Dec`.
    var dateWords: String { first == last ? first.short : "\(first.short) to \(last.short)" }
}

extension DateException.Instead {
    /// Within a sentence.
    var words: String {
        switch self {
        case .weekday(let day): "as on \(day.displayName)"
        case .times(let start, let end): "bedtime \(start.text), wake-up \(end.text)"
        case .nothing: "no bedtime, no windows, no limits"
        }
    }
}

extension HeldException {
    fileprivate func words(_ clock: ClockFace, _ now: Date) -> String? {
        if let waitsUntil {
            return "Acts \(clock.on(waitsUntil, from: now)), because it makes rules easier."
        }
        return goesAt.map { "Is taken back \(clock.on($0, from: now)), because that makes rules easier." }
    }
}
