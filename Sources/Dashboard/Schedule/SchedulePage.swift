package import Pages
package import Policy

/// The nightly schedule: POST `/schedule` with `isEnabled`, `start`, `end`, `strictness`, `days`,
/// and for exceptions on some weekdays `exceptionDaysN`, `exceptionStartN`, `exceptionEndN` with N from 0; an exception
/// without days is ignored.
package struct SchedulePage: Page {
    package static let template = "schedule"

    /// The form's values: stored, or refused input.
    package struct Values: Sendable {
        package struct Exception: Sendable {
            package var days: Set<String>
            package var start: String
            package var end: String

            package init(days: Set<String>, start: String, end: String) {
                self.days = days
                self.start = start
                self.end = end
            }
        }

        package var isEnabled: Bool
        package var start: String
        package var end: String
        package var strictness: String
        package var days: Set<String>
        package var exceptions: [Exception]

        package init(
            isEnabled: Bool, start: String, end: String, strictness: String, days: Set<String>,
            exceptions: [Exception] = []
        ) {
            self.isEnabled = isEnabled
            self.start = start
            self.end = end
            self.strictness = strictness
            self.days = days
            self.exceptions = exceptions
        }

        package init(_ schedule: RecurringSchedule) {
            self.init(
                isEnabled: schedule.isEnabled, start: schedule.start.description,
                end: schedule.end.description, strictness: schedule.strictness.rawValue,
                days: Set(schedule.days.map(\.rawValue)),
                exceptions: schedule.exceptions.map {
                    Exception(
                        days: Set($0.days.map(\.rawValue)), start: $0.start.description,
                        end: $0.end.description)
                })
        }
    }

    struct ExceptionRow {
        let index: Int
        let number: Int
        let days: [Choice]
        let start: String
        let startType: String
        let end: String
        let endType: String
        let isNew: Bool
        let error: String?
    }

    package let title = "Nightly Schedule"
    package let isEnabled: Bool
    package let start: String
    package let startType: String
    package let end: String
    package let endType: String
    package let modes: [Choice]
    package let days: [Choice]
    let exceptions: [ExceptionRow]
    package let hasExceptions: Bool
    /// `Every night 22:00–07:00 · 9 h`, or `Off`; the script writes the same.
    package let summary: String
    package let isSessionRunning: Bool
    /// By field name; `exception0`, `exception1`… for the exceptions.
    package let errors: [String: String]
    /// The person's exceptions by date; nil without any.
    let dates: DateList?

    package init(
        values: Values, isSessionRunning: Bool, errors: [String: String] = [:], dates: DateList? = nil
    ) {
        isEnabled = values.isEnabled
        start = values.start
        startType = Self.fieldType(values.start)
        end = values.end
        endType = Self.fieldType(values.end)
        modes = Choice.strictness(StrictnessMode(rawValue: values.strictness))
        days = Choice.weekdays(values.days)
        let blank = Values.Exception(days: [], start: "23:00", end: "08:00")
        exceptions = (values.exceptions + [blank]).enumerated().map { index, exception in
            ExceptionRow(
                index: index, number: index + 1, days: Choice.weekdays(exception.days),
                start: exception.start, startType: Self.fieldType(exception.start), end: exception.end,
                endType: Self.fieldType(exception.end), isNew: index == values.exceptions.count,
                error: errors["exception\(index)"])
        }
        hasExceptions = !values.exceptions.isEmpty
        summary =
            values.isEnabled
            ? ScheduleSummary.text(
                ScheduleSummary.Times(start: values.start, end: values.end, days: values.days),
                exceptions: values.exceptions.map {
                    ScheduleSummary.Times(start: $0.start, end: $0.end, days: $0.days)
                }) : "Off"
        self.isSessionRunning = isSessionRunning
        self.errors = errors
        self.dates = dates
    }

    /// A browser would empty a time field with `25:61`; a text field keeps the input.
    static func fieldType(_ text: String) -> String {
        TimeOfDay(text) != nil ? "time" : "text"
    }
}
