package import Foundation
import Pages
package import Policy

/// Exceptions by date, and the form that adds one.
///
/// POST `/dates` `first`, `last` (empty: one day), `people` (repeated), `instead` of `weekday`, `times` or `nothing`,
/// with `weekday`, or with `start` and `end`. GET `/dates?week=next` proposes the next week.
package struct DatesPage: Page {
    package static let template = "dates"

    /// The form's values: proposed, or refused input.
    package struct Values: Sendable {
        package var first: String
        package var last: String
        package var people: Set<String>
        package var instead: String
        package var weekday: String
        package var start: String
        package var end: String

        package init(
            first: String, last: String, people: Set<String>, instead: String, weekday: String,
            start: String, end: String
        ) {
            self.first = first
            self.last = last
            self.people = people
            self.instead = instead
            self.weekday = weekday
            self.start = start
            self.end = end
        }
    }

    package let title = "Exceptions"
    let dates: DateList
    let first: String
    let last: String
    /// `date`, or `text` for refused input, which a date field would drop.
    let firstType: String
    let lastType: String
    /// Today, before which no day can be chosen.
    let today: String
    /// Proposes the next week, for the same people; nil beside refused input, which the way there would drop.
    let nextWeek: String?
    let people: [Choice]
    let hasSeveral: Bool
    let isWeekday: Bool
    let isTimes: Bool
    let isNothing: Bool
    let weekdays: [Choice]
    let start: String
    let startType: String
    let end: String
    let endType: String
    /// By field name.
    package let errors: [String: String]

    /// - Parameter person: for whom the page was asked; nil for the people whom it proposes.
    package init(
        household: Household, values: Values, errors: [String: String] = [:], person: PersonID? = nil,
        now: Date
    ) {
        dates = DateList(household, on: .dates, at: now)
        first = values.first
        last = values.last
        firstType = Self.fieldType(values.first)
        lastType = Self.fieldType(values.last)
        today = household.zone.date(of: now).description
        let named = person.map { "&person=\($0.rawValue)" } ?? ""
        nextWeek = errors.isEmpty ? "/dates?week=next" + named : nil
        people = household.people.map {
            let value = String($0.id.rawValue)
            return Choice(value, $0.name, isSelected: values.people.contains(value))
        }
        hasSeveral = people.count > 1
        isTimes = values.instead == "times"
        isNothing = values.instead == "nothing"
        isWeekday = !isTimes && !isNothing
        weekdays = Weekday.allCases.map {
            Choice($0.rawValue, $0.displayName, isSelected: $0.rawValue == values.weekday)
        }
        start = values.start
        startType = SchedulePage.fieldType(values.start)
        end = values.end
        endType = SchedulePage.fieldType(values.end)
        self.errors = errors
    }

    private static func fieldType(_ text: String) -> String {
        text.isEmpty || CivilDate(text) != nil ? "date" : "text"
    }
}

extension DatesPage.Values {
    /// Today, as on Saturday: for a person, else for the children, else for everybody.
    init(proposedFor person: Person?, in household: Household, at now: Date) {
        let children = household.people.filter { $0.role == .child }
        let chosen = person.map { [$0] } ?? (children.isEmpty ? household.people : children)
        let times = (chosen.first?.schedule ?? .default).times(on: .sat)
        self.init(
            first: household.zone.date(of: now).description, last: "",
            people: Set(chosen.map { String($0.id.rawValue) }), instead: "weekday",
            weekday: Weekday.sat.rawValue, start: times.start.description, end: times.end.description)
    }

    /// From Monday to Sunday, as school holidays are.
    mutating func proposeNextWeek(after today: CivilDate) {
        let monday = today.adding(days: 7 - today.weekday.order)
        (first, last) = (monday.description, monday.adding(days: 6).description)
    }
}
