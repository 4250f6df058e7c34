import GRDB
import Policy

/// A person's row, and everything of theirs in the tables that hang from it.
enum PersonRecord {
    static func all(_ db: Database, log: ReadingLog) throws -> [Person] {
        let allowed = try AppSelectionRecord.all(db, .allowed, log: log)
        let schedules = try RecurringScheduleRecord.all(db, log: log)
        let tonight = try TonightChangeRecord.all(db, log: log)
        let sessions = try SleepSessionRecord.all(db, log: log)
        let antiRot = try AntiRotRecords(db, log: log)
        let limits = try LimitsRecords(db, log: log)
        let settings = try LimitSettingsRecord.all(db, log: log)
        let pending = try PendingChangeRecord.all(db, log: log)
        let wishes = try WishRecord.all(db, log: log)
        let focus = try FocusRecord.all(db, log: log)
        let verified = try VerifiedRecord.all(db, log: log)
        let relayed = try RelayedRecord.all(db, log: log)
        return try Row.fetchAll(db, sql: "SELECT * FROM person ORDER BY id").map { row in
            let id = PersonID(rawValue: try row.value("id"))
            var person = Person(
                id: id, name: try row.value("name"),
                role: Person.Role(rawValue: try row.value("role")) ?? .adult,
                defaultStrictness: try row.strictness("default_strictness"),
                allowed: allowed[id] ?? AppSelection(), schedule: schedules[id], tonight: tonight[id],
                session: sessions[id], nightDone: try row.night("night_done"), antiRot: antiRot[id],
                limits: limits[id], focus: focus[id] ?? Focus(),
                relayed: relayed[id] ?? RelayedApps(), helpPresses: try helpPresses(row),
                pending: pending[id] ?? [],
                wishes: wishes[id] ?? [])
            if let own = settings[id] { person.limitSettings = own }
            if let own = verified[id] { person.verified = own }
            return person
        }
    }

    private static func helpPresses(_ row: Row) throws -> HelpPresses? {
        try row.night("help_night").map { HelpPresses(night: $0, count: try row.value("help_presses")) }
    }

    /// Writes the parts of a person that differ from what is stored.
    static func write(_ db: Database, from old: Person?, to new: Person) throws {
        if old == new { return }
        if old?.row != new.row {
            try db.execute(
                sql: """
                    INSERT INTO person (id, name, role, default_strictness, night_done, help_night, help_presses)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET name = excluded.name, role = excluded.role,
                        default_strictness = excluded.default_strictness, night_done = excluded.night_done,
                        help_night = excluded.help_night, help_presses = excluded.help_presses
                    """,
                arguments: [
                    new.id.rawValue, new.name, new.role.rawValue, new.defaultStrictness.rawValue,
                    new.nightDone?.description, new.helpPresses?.night.description, new.helpPresses?.count,
                ])
        }
        if old?.allowed ?? AppSelection() != new.allowed {
            try AppSelectionRecord.write(db, new.allowed.isEmpty ? nil : new.allowed, .allowed, of: new.id)
        }
        if old?.schedule != new.schedule {
            try RecurringScheduleRecord.write(db, new.schedule, of: new.id)
        }
        if old?.tonight != new.tonight { try TonightChangeRecord.write(db, new.tonight, of: new.id) }
        if old?.session != new.session { try SleepSessionRecord.write(db, new.session, of: new.id) }
        try AntiRotRecords.write(db, from: old?.antiRot ?? AntiRot(), to: new.antiRot, of: new.id)
        try LimitsRecords.write(db, from: old?.limits ?? Limits(), to: new.limits, of: new.id)
        if old?.limitSettings ?? LimitSettings() != new.limitSettings {
            try LimitSettingsRecord.write(db, new.limitSettings, of: new.id)
        }
        try FocusRecord.write(db, from: old?.focus ?? Focus(), to: new.focus, of: new.id)
        try VerifiedRecord.write(
            db, from: old?.verified ?? VerifiedMinutes(), to: new.verified, of: new.id)
        if old?.relayed ?? RelayedApps() != new.relayed {
            try RelayedRecord.write(db, new.relayed, of: new.id)
        }
        if old?.pending ?? [] != new.pending { try PendingChangeRecord.write(db, new.pending, of: new.id) }
        if old?.wishes ?? [] != new.wishes { try WishRecord.write(db, new.wishes, of: new.id) }
    }

    static func delete(_ db: Database, _ id: PersonID) throws {
        try db.execute(sql: "DELETE FROM person WHERE id = ?", arguments: [id.rawValue])
    }
}

extension Person {
    /// The person with every instant as a row keeps it, and nothing that points at a device that does not exist.
    func asStored(devices: Set<DeviceID>) -> Person {
        var stored = self
        stored.session = session?.asStored
        stored.antiRot.override = antiRot.override.asStored
        stored.limits = limits.asStored(devices: devices)
        stored.pending = pending.map(\.asStored)
        stored.wishes = wishes.map { $0.asStored(devices: devices) }
        stored.focus = focus.asStored
        stored.verified = verified.asStored
        return stored
    }

    /// The columns of the person's own row, for comparing.
    fileprivate struct OwnColumns: Equatable {
        var name: String
        var role: Role
        var defaultStrictness: StrictnessMode
        var nightDone: CivilDate?
        var helpPresses: HelpPresses?
    }

    fileprivate var row: OwnColumns {
        OwnColumns(
            name: name, role: role, defaultStrictness: defaultStrictness, nightDone: nightDone,
            helpPresses: helpPresses)
    }
}
