import Foundation
import Policy

/// One allowed window from a form. A missing `days` means every day; an empty one means none.
struct WindowForm {
    let window: TimeWindow

    init(_ fields: FormFields, id: UUID = UUID()) throws(FormRejected) {
        var reading = FormReading(fields)
        let label = reading.optional("label") ?? ""
        let start = reading.time("start")
        let end = reading.time("end")
        let typed = reading.many("days").filter { !$0.isEmpty }
        let days = typed.compactMap(Weekday.init)
        if days.count < typed.count { reading.refuse("days", "Choose from mon to sun.") }
        if Set(days).count < days.count { reading.refuse("days", "A day was sent more than once.") }
        let isEveryDay = !fields.contains("days")
        if !isEveryDay, typed.isEmpty { reading.refuse("days", .noWeekdays) }
        try reading.finish()
        guard let start, let end else { throw FormRejected(reading.reasons) }
        window = TimeWindow(
            id: id, label: label, start: start, end: end, days: isEveryDay ? Set(Weekday.allCases) : Set(days)
        )
    }

    /// The values that the form shows again after a refusal.
    static func values(_ fields: FormFields) -> AntiRotSchedulePage.Values {
        AntiRotSchedulePage.Values(
            label: fields.first("label") ?? "", start: fields.first("start") ?? "",
            end: fields.first("end") ?? "",
            days: Set(fields.contains("days") ? fields.all("days") : Weekday.allCases.map(\.rawValue)))
    }

    /// The field that a refusal is about.
    static func field(of refusal: Refusal) -> String {
        switch refusal {
        case .labelTooLong: "label"
        case .windowsOverlap: "start"
        case .windowSameTimes: "end"
        case .noWeekdays: "days"
        default: ""
        }
    }
}
