import GRDB
import Policy

/// The rows of minutes that were granted on top of a person's limits, one per target and day.
enum ExtraTimeRecord: ListedRecord {
    static let table = "extra_time"
    static let noun = "grant of more time"

    static func element(_ row: Row) throws -> ExtraTime {
        ExtraTime(target: try row.target(), day: try row.day("day"), minutes: try row.value("minutes"))
    }

    static func columns(_ extra: ExtraTime) throws -> KeyValuePairs<String, (any DatabaseValueConvertible)?> {
        [
            "target_kind": extra.target.kind, "target": extra.target.id, "day": extra.day.description,
            "minutes": extra.minutes,
        ]
    }
}
