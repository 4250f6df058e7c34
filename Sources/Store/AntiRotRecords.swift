import GRDB
import Policy

/// Everybody's Windows layer, from the tables that it is in.
struct AntiRotRecords {
    private let restricted: [PersonID: AppSelection]
    private let windows: [PersonID: [TimeWindow]]
    private let overrides: [PersonID: OverrideState]

    init(_ db: Database, log: ReadingLog) throws {
        restricted = try AppSelectionRecord.all(db, .restricted, log: log)
        windows = try TimeWindowRecord.saved(db, log: log)
        overrides = try OverrideStateRecord.all(db, log: log)
    }

    subscript(person: PersonID) -> AntiRot {
        AntiRot(
            restricted: restricted[person], windows: windows[person],
            override: overrides[person] ?? OverrideState())
    }

    static func write(_ db: Database, from old: AntiRot, to new: AntiRot, of person: PersonID) throws {
        if old.restricted != new.restricted {
            try AppSelectionRecord.write(db, new.restricted, .restricted, of: person)
        }
        if old.windows != new.windows { try TimeWindowRecord.write(db, new.windows, of: person) }
        if old.override != new.override { try OverrideStateRecord.write(db, new.override, of: person) }
    }
}
