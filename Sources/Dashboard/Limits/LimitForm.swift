import Foundation
import Pages
import Policy

/// A posted limit: `app` or `category`, `minutes`, and optionally `weekly` and `mon` … `sun`; an empty field means
/// none. `leavesOut`, repeated, are apps of the category that do not count.
struct LimitForm {
    let target: LimitTarget
    let minutes: Int
    let minutesByDay: [Weekday: Int]
    let weeklyMinutes: Int?
    let leavesOut: Set<String>

    init(_ fields: FormFields) throws(FormRejected) {
        var reading = FormReading(fields)
        let target = Self.target(&reading)
        let minutes = Self.minutes(reading.optional("minutes") ?? "", "minutes", &reading)
        if minutes == nil { reading.refuse("minutes", .limitOutOfRange) }
        var byDay: [Weekday: Int] = [:]
        for day in Weekday.allCases {
            byDay[day] = Self.minutes(reading.optional(day.rawValue) ?? "", day.rawValue, &reading)
        }
        weeklyMinutes = Self.weekly(&reading)
        leavesOut = Set(reading.many("leavesOut").filter { !$0.isEmpty })
        try reading.finish()
        guard let target, let minutes else { throw FormRejected(reading.reasons) }
        self.target = target
        self.minutes = minutes
        minutesByDay = byDay
    }

    func limit(id: UUID) -> UsageLimit {
        UsageLimit(
            id: id, target: target, minutes: minutes, minutesByDay: minutesByDay,
            weeklyMinutes: weeklyMinutes,
            leavesOut: leavesOut)
    }

    /// The values that the form shows again after a refusal.
    static func typed(_ fields: FormFields) -> LimitFields.Typed {
        let names = ["minutes", "weekly"] + Weekday.allCases.map(\.rawValue)
        let leftOut = fields.all("leavesOut").joined(separator: " ")
        return names.reduce(into: leftOut.isEmpty ? [:] : ["leavesOut": leftOut]) {
            $0[$1] = fields.first($1)
        }
    }

    /// The target of the form; nil if there is none, several, or both an app and a category.
    static func target(_ fields: FormFields) -> LimitTarget? {
        var reading = FormReading(fields)
        return target(&reading)
    }

    private static func target(_ reading: inout FormReading) -> LimitTarget? {
        let app = reading.optional("app") ?? ""
        let category = reading.optional("category") ?? ""
        switch (app.isEmpty, category.isEmpty) {
        case (false, true) where reading.reasons.isEmpty: return .app(app)
        case (true, false) where reading.reasons.isEmpty: return .category(category)
        case (false, false): reading.refuse("target", "Choose an app or a category, not both.")
        default: reading.refuse("target", .unknownTarget)
        }
        return nil
    }

    /// Nil for an empty field, and for a refused value.
    private static func minutes(_ text: String, _ name: String, _ reading: inout FormReading) -> Int? {
        guard !text.isEmpty else { return nil }
        guard let minutes = FormReading.wholeNumber(text), UsageLimit.range.contains(minutes) else {
            reading.refuse(name, .limitOutOfRange)
            return nil
        }
        return minutes
    }

    private static func weekly(_ reading: inout FormReading) -> Int? {
        guard let text = reading.optional("weekly"), !text.isEmpty else { return nil }
        guard let minutes = FormReading.wholeNumber(text), UsageLimit.weeklyRange.contains(minutes) else {
            reading.refuse("weekly", .weeklyOutOfRange)
            return nil
        }
        return minutes
    }
}
