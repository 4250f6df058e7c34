import Pages
import Policy

/// The buttons of the question that a schedule inside its own hours asks.
enum ScheduleAnswer: String {
    case now, tomorrow
    /// To the form, with what was typed; nothing is saved.
    case back
}

/// The posted nightly schedule. A missing `days` means every day; an empty one means none.
struct ScheduleForm {
    let schedule: RecurringSchedule
    /// The answer to "Start now or from tomorrow?"; nil while nobody has asked.
    let answer: ScheduleAnswer?

    private static let noTime = "Please give a time between 00:00 and 23:59."

    init(_ fields: FormFields) throws(FormRejected) {
        var reading = FormReading(fields)
        let isEnabled = reading.isOn("isEnabled")
        answer =
            fields.contains("begin")
            ? reading.choice("begin", as: ScheduleAnswer.self, "Choose Start now or From tomorrow.") : nil
        let start = reading.time("start")
        let end = reading.time("end")
        let strictness = reading.choice("strictness", as: StrictnessMode.self, "Choose Strict or Flexible.")
        let days = Self.days(reading.many("days"), "days", &reading)
        let exceptions = Self.exceptions(&reading)
        guard let start, let end, let strictness else {
            try reading.finish()
            throw FormRejected(reading.reasons)
        }
        let schedule = RecurringSchedule(
            isEnabled: isEnabled, start: start, end: end, strictness: strictness,
            days: fields.contains("days") ? days : Set(Weekday.allCases), exceptions: exceptions)
        if reading.reasons.isEmpty {
            do { try schedule.check() } catch { reading.refuse(Self.field(of: error), error) }
        }
        try reading.finish()
        self.schedule = schedule
    }

    /// The values that the form shows again after a refusal.
    static func values(_ fields: FormFields) -> SchedulePage.Values {
        SchedulePage.Values(
            isEnabled: fields.contains("isEnabled"), start: fields.first("start") ?? "",
            end: fields.first("end") ?? "", strictness: fields.first("strictness") ?? "",
            days: Set(fields.contains("days") ? fields.all("days") : Weekday.allCases.map(\.rawValue)),
            exceptions: indices.filter { !typedDays($0, fields).isEmpty }.map { index in
                SchedulePage.Values.Exception(
                    days: typedDays(index, fields), start: fields.first("exceptionStart\(index)") ?? "",
                    end: fields.first("exceptionEnd\(index)") ?? "")
            })
    }

    /// Reads one more than allowed, so that too many exceptions are refused and not dropped.
    private static let indices = 0...RecurringSchedule.maximumExceptions

    private static func typedDays(_ index: Int, _ fields: FormFields) -> Set<String> {
        Set(fields.all("exceptionDays\(index)").filter { !$0.isEmpty })
    }

    private static func days(_ values: [String], _ name: String, _ reading: inout FormReading) -> Set<Weekday>
    {
        let typed = values.filter { !$0.isEmpty }
        let days = typed.compactMap(Weekday.init)
        if days.count < typed.count { reading.refuse(name, "Choose from mon to sun.") }
        if Set(days).count < days.count { reading.refuse(name, "A day was sent more than once.") }
        return Set(days)
    }

    /// Ignores exceptions without days.
    private static func exceptions(_ reading: inout FormReading) -> [ScheduleException] {
        indices.compactMap { index in
            let name = "exception\(index)"
            let days = days(reading.many("exceptionDays\(index)"), name, &reading)
            let start = reading.optional("exceptionStart\(index)")
            let end = reading.optional("exceptionEnd\(index)")
            guard !days.isEmpty else { return nil }
            guard let start = start.flatMap(TimeOfDay.init), let end = end.flatMap(TimeOfDay.init) else {
                reading.refuse(name, noTime)
                return nil
            }
            if start == end { reading.refuse(name, .sameTimes) }
            return ScheduleException(days: days, start: start, end: end)
        }
    }

    private static func field(of refusal: Refusal) -> String {
        switch refusal {
        case .sameTimes: "end"
        case .noWeekdays, .nightsOverlap: "days"
        default: "exception0"
        }
    }
}
