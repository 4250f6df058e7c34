import GRDB
import Policy

/// The lists of everybody's Limits layer, from the tables that they are in.
struct LimitsRecords {
    private let list: [PersonID: [UsageLimit]]
    private let probations: [PersonID: [Probation]]
    private let reached: [PersonID: [ReachedLimit]]
    private let extraTime: [PersonID: [ExtraTime]]
    private let requests: [PersonID: [TimeRequest]]

    init(_ db: Database, log: ReadingLog) throws {
        list = try UsageLimitRecord.all(db, log: log)
        probations = try ProbationRecord.all(db, log: log)
        reached = try ReachedLimitRecord.all(db, log: log)
        extraTime = try ExtraTimeRecord.all(db, log: log)
        requests = try TimeRequestRecord.all(db, log: log)
    }

    subscript(person: PersonID) -> Limits {
        Limits(
            list: list[person] ?? [], probations: probations[person] ?? [], reached: reached[person] ?? [],
            extraTime: extraTime[person] ?? [], requests: requests[person] ?? [])
    }

    static func write(_ db: Database, from old: Limits, to new: Limits, of person: PersonID) throws {
        if old.list != new.list { try UsageLimitRecord.write(db, new.list, of: person) }
        if old.probations != new.probations { try ProbationRecord.write(db, new.probations, of: person) }
        if old.reached != new.reached { try ReachedLimitRecord.write(db, new.reached, of: person) }
        if old.extraTime != new.extraTime { try ExtraTimeRecord.write(db, new.extraTime, of: person) }
        if old.requests != new.requests { try TimeRequestRecord.write(db, new.requests, of: person) }
    }
}
