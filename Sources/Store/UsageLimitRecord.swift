import Foundation
import GRDB
import Policy

/// The rows of a person's limits, one per app or category, under their monitors' names (TH-004, TH-006).
enum UsageLimitRecord: ListedRecord {
    static let table = "usage_limit"
    static let noun = "limit"

    static func element(_ row: Row) throws -> UsageLimit {
        let document = UsageLimitDocument(
            id: try row.value("id"), kind: try row.value("target_kind"), target: try row.value("target"),
            minutes: try row.value("minutes"), minutesByDay: try row.json("minutes_by_day"),
            weeklyMinutes: try row.valueIfAny("weekly_minutes"))
        guard let limit = document.limit else { throw UnreadableColumn(column: "minutes") }
        return limit
    }

    static func columns(
        _ limit: UsageLimit
    ) throws -> KeyValuePairs<String, (any DatabaseValueConvertible)?> {
        let document = UsageLimitDocument(limit)
        return [
            "id": document.id, "target_kind": document.kind, "target": document.target,
            "minutes": document.minutes, "minutes_by_day": try jsonText(document.minutesByDay),
            "weekly_minutes": document.weeklyMinutes,
        ]
    }
}

/// A limit in JSON, weekdays by name.
struct UsageLimitDocument: Codable {
    /// `monitor_UUID` for an app, `monitor_cat_UUID` for a category (TH-004).
    var id: String
    var kind: String
    var target: String
    var minutes: Int
    var minutesByDay: [String: Int]
    var weeklyMinutes: Int?

    /// Nil where it is none that can be kept: another kind or weekday, minutes out of range.
    var limit: UsageLimit? {
        guard let target = LimitTarget(kind: kind, id: target),
            let id = UUID(uuidString: String(id.suffix(36))),
            UsageLimit.range.contains(minutes), weeklyMinutes.map(UsageLimit.weeklyRange.contains) ?? true
        else { return nil }
        var days: [Weekday: Int] = [:]
        for (name, minutes) in minutesByDay {
            guard let day = Weekday(rawValue: name), UsageLimit.range.contains(minutes) else { return nil }
            days[day] = minutes
        }
        return UsageLimit(
            id: id, target: target, minutes: minutes, minutesByDay: days, weeklyMinutes: weeklyMinutes)
    }
}

extension UsageLimitDocument {
    init(_ limit: UsageLimit) {
        let prefix =
            switch limit.target {
            case .app: "monitor_"
            case .category: "monitor_cat_"
            }
        self.init(
            id: prefix + limit.id.uuidString, kind: limit.target.kind, target: limit.target.id,
            minutes: limit.minutes,
            minutesByDay: Dictionary(
                uniqueKeysWithValues: limit.minutesByDay.map { ($0.key.rawValue, $0.value) }),
            weeklyMinutes: limit.weeklyMinutes)
    }
}
