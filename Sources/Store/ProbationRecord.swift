import GRDB
import Policy

/// The rows of a person's probations, the seeds' `ProbationToken`s (TH-020).
enum ProbationRecord: ListedRecord {
    static let table = "probation"
    static let noun = "probation"

    static func element(_ row: Row) throws -> Probation {
        Probation(
            id: try row.value("id"), target: try row.target(), expiresAt: try row.instant("expires_at"))
    }

    static func columns(
        _ probation: Probation
    ) throws -> KeyValuePairs<String, (any DatabaseValueConvertible)?> {
        [
            "id": probation.id, "target_kind": probation.target.kind, "target": probation.target.id,
            "expires_at": probation.expiresAt.milliseconds,
        ]
    }
}
