import Foundation
import Pages
import Policy

/// The posted exception, and for whom it is.
struct DatesForm {
    let exception: DateException
    let people: [PersonID]

    private enum Word: String { case weekday, times, nothing }

    /// - Parameter id: the id of the new exception.
    init(_ fields: FormFields, id: UUID) throws(FormRejected) {
        var reading = FormReading(fields)
        let first = Self.date("first", &reading)
        let last = (fields.first("last") ?? "").isEmpty ? first : Self.date("last", &reading)
        _ = reading.many("last")
        let people = reading.many("people").compactMap(FormReading.wholeNumber)
        let instead = Self.instead(&reading)
        try reading.finish()
        guard let first, let last, let instead else { throw FormRejected(reading.reasons) }
        exception = DateException(id: id, first: first, last: last, instead: instead)
        self.people = people.map { PersonID(rawValue: Int64($0)) }
        do throws(Refusal) { try exception.check() } catch {
            throw FormRejected([Self.field(of: error): error.message])
        }
    }

    private static func date(_ name: String, _ reading: inout FormReading) -> CivilDate? {
        let reason = "Please give a date."
        guard let text = reading.required(name, reason) else { return nil }
        guard let date = CivilDate(text) else {
            reading.refuse(name, reason)
            return nil
        }
        return date
    }

    /// Reads only the fields of the chosen word.
    private static func instead(_ reading: inout FormReading) -> DateException.Instead? {
        let word = reading.choice("instead", as: Word.self, "Choose what holds instead.")
        let (day, start, end) = (
            reading.optional("weekday"), reading.optional("start"), reading.optional("end")
        )
        switch word {
        case .weekday:
            guard let day = day.flatMap(Weekday.init) else {
                reading.refuse("weekday", "Choose from mon to sun.")
                return nil
            }
            return .weekday(day)
        case .times:
            guard let start = start.flatMap(TimeOfDay.init), let end = end.flatMap(TimeOfDay.init) else {
                reading.refuse("start", "Please give a time between 00:00 and 23:59.")
                return nil
            }
            return .times(start: start, end: end)
        case .nothing: return .nothing
        case nil: return nil
        }
    }

    /// The values that the form shows again after a refusal.
    static func values(_ fields: FormFields) -> DatesPage.Values {
        DatesPage.Values(
            first: fields.first("first") ?? "", last: fields.first("last") ?? "",
            people: Set(fields.all("people")), instead: fields.first("instead") ?? "weekday",
            weekday: fields.first("weekday") ?? "", start: fields.first("start") ?? "",
            end: fields.first("end") ?? "")
    }

    /// The field that a refusal is about.
    static func field(of refusal: Refusal) -> String {
        switch refusal {
        case .datesOutOfOrder, .exceptionTooLong, .exceptionOver: "last"
        case .sameTimes: "start"
        case .nobodyChosen, .unknownPerson, .tooManyDateExceptions: "people"
        default: ""
        }
    }
}
