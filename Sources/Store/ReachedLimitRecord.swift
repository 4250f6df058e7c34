import GRDB
import Policy

/// The rows of the limits that a person has reached, the seeds' `PersistentBlockedTokens` (TH-027).
enum ReachedLimitRecord: ListedRecord {
    static let table = "reached_limit"
    static let noun = "reached limit"

    static func element(_ row: Row) throws -> ReachedLimit {
        ReachedLimit(
            target: try row.target(), day: try row.day("day"),
            use: TargetUse(day: try row.value("day_minutes"), week: try row.value("week_minutes")),
            since: try row.instant("since"))
    }

    static func columns(
        _ reached: ReachedLimit
    ) throws -> KeyValuePairs<String, (any DatabaseValueConvertible)?> {
        [
            "target_kind": reached.target.kind, "target": reached.target.id,
            "day": reached.day.description, "day_minutes": reached.use.day,
            "week_minutes": reached.use.week, "since": reached.since.milliseconds,
        ]
    }
}
