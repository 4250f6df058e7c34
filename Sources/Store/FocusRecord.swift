import Foundation
import GRDB
import Policy

/// The row of a person's focus: timer, last preset, switch and shortcuts; none while nothing of it was touched.
enum FocusRecord {
    /// A timer that cannot be read is logged and counts as idle; nothing else of the row is lost with it.
    static func all(_ db: Database, log: ReadingLog) throws -> [PersonID: Focus] {
        var all: [PersonID: Focus] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM focus") {
            guard let person: Int64 = try? row.value("person") else { continue }
            all[PersonID(rawValue: person)] = focus(row, log: log)
        }
        return all
    }

    /// What finished goes into the history in the same transaction, once (MF-088).
    static func write(_ db: Database, from old: Focus, to new: Focus, of person: PersonID) throws {
        for session in new.finished { try FocusSessionRecord.add(db, session, of: person) }
        if old.withHistoryWritten != new.withHistoryWritten { try write(db, new, of: person) }
    }

    private static func write(_ db: Database, _ focus: Focus, of person: PersonID) throws {
        guard focus.withHistoryWritten != Focus() else {
            return try db.execute(sql: "DELETE FROM focus WHERE person = ?", arguments: [person.rawValue])
        }
        let columns = focus.timer.columns
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO focus
                (person, timer, total, remaining, session, start, since, ends_at, seen, last_preset, shields,
                    dnd_shortcut, grayscale_shortcut)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                person.rawValue, focus.timer.stateName, focus.timer.totalSeconds, columns.remaining,
                columns.session?.uuidString, columns.start?.milliseconds, columns.since?.milliseconds,
                columns.endsAt?.milliseconds, columns.seen?.milliseconds, focus.lastPreset.minutes,
                focus.shieldsWhileFocusing, focus.shortcuts.dndShortcutName,
                focus.shortcuts.grayscaleShortcutName,
            ])
    }

    /// Each part for itself: of what cannot be read, what holds where nothing was saved.
    private static func focus(_ row: Row, log: ReadingLog) -> Focus {
        func read<T>(_ noun: String, or other: T, _ value: () throws -> T) -> T {
            do { return try value() } catch {
                log.warning("A stored \(noun) cannot be read and counts as untouched: \(error)")
                return other
            }
        }
        let preset = read("focus length", or: Preset.standard) {
            guard let preset = Preset(minutes: try row.value("last_preset")) else {
                throw UnreadableColumn(column: "last_preset")
            }
            return preset
        }
        let shortcuts = read("shortcut's name", or: FocusShortcuts()) {
            FocusShortcuts(
                dndShortcutName: try row.value("dnd_shortcut"),
                grayscaleShortcutName: try row.value("grayscale_shortcut"))
        }
        return Focus(
            timer: read("focus timer", or: FocusTimer(preset)) { try timer(row) }, lastPreset: preset,
            shieldsWhileFocusing: read("focus switch", or: false) { try row.value("shields") },
            shortcuts: shortcuts)
    }

    private static func timer(_ row: Row) throws -> FocusTimer {
        let state: FocusTimer.State
        switch try row.value("timer", String.self) {
        case "idle": state = .idle(remaining: try row.value("remaining"))
        case "running":
            state = .running(
                FocusTimer.Running(
                    session: try row.uuid("session"), start: try row.instant("start"),
                    since: try row.instant("since"), endsAt: try row.instant("ends_at"),
                    seen: try row.instant("seen")))
        case "paused":
            let remaining: Int = try row.value("remaining")
            // Older versions went on being paused where a new length was chosen, with nothing run of it.
            state =
                if let start = try row.instantIfAny("start") {
                    .paused(
                        FocusTimer.Paused(
                            session: try row.uuid("session"), start: start, since: try row.instant("since"),
                            remaining: remaining))
                } else {
                    .idle(remaining: remaining)
                }
        default: throw UnreadableColumn(column: "timer")
        }
        guard let timer = FocusTimer(totalSeconds: try row.value("total"), state: state) else {
            throw UnreadableColumn(column: "timer")
        }
        return timer
    }
}

extension Focus {
    /// As it is once what finished stands in the history.
    var withHistoryWritten: Focus {
        var written = self
        written.finished = []
        return written
    }

    /// With its instants as a row keeps them; a timer's are whole seconds.
    var asStored: Focus {
        var stored = self
        stored.finished = finished.map {
            FocusSession(
                id: $0.id, start: $0.start.asStored, end: $0.end.asStored,
                durationSeconds: $0.durationSeconds, presetLabel: $0.presetLabel, completed: $0.completed)
        }
        return stored
    }
}

extension Household {
    /// As it is once everybody's finished sessions stand in the history; the same where none waits.
    var withHistoryWritten: Household {
        guard people.contains(where: { !$0.focus.finished.isEmpty }) else { return self }
        var written = self
        for index in people.indices { written.people[index].focus = people[index].focus.withHistoryWritten }
        return written
    }
}

extension FocusTimer {
    /// What a row keeps of each state.
    fileprivate struct Columns {
        var remaining: Int?
        var session: UUID?
        var start: Date?
        var since: Date?
        var endsAt: Date?
        var seen: Date?
    }

    fileprivate var columns: Columns {
        switch state {
        case .idle(let remaining): Columns(remaining: remaining)
        case .running(let running):
            Columns(
                session: running.session, start: running.start, since: running.since,
                endsAt: running.endsAt, seen: running.seen)
        case .paused(let paused):
            Columns(
                remaining: paused.remaining, session: paused.session, start: paused.start,
                since: paused.since)
        }
    }
}
