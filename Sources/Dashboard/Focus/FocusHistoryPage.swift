package import Foundation
import Pages
package import Policy

/// Totals per day and week, all sessions, and the import and export of files.
///
/// GET `/focus/history?after=…` (a `FocusCursor`) · `/focus/history.csv` ·
/// `/sessions.json` · `/timer-state.json` · POST `/focus/history/{id}/delete` and `/restore` with `after` (the list's
/// position) · `/focus/import` with `file` (multipart).
package struct FocusHistoryPage: Page {
    package static let template = "focus-history"

    struct Row {
        let id: String
        /// `Sat 21 Nov`.
        let day: String
        /// `14:10`.
        let start: String
        /// `25m`; nil in files of other programs.
        let label: String?
        /// `25m`, `12m`, `40s`.
        let duration: String
        let completed: Bool
    }

    struct Figure {
        let name: String
        let value: String
        let detail: String
    }

    /// One page of the list, newest first.
    package struct Slice: Sendable {
        package var sessions: [FocusSession]
        /// The end of the page before; nil on the first page.
        package var start: FocusCursor?
        package var hasOlder: Bool

        package init(_ sessions: [FocusSession], after start: FocusCursor? = nil, hasOlder: Bool = false) {
            self.sessions = sessions
            self.start = start
            self.hasOlder = hasOlder
        }
    }

    package let title = "Focus history"
    let figures: [Figure]
    let days: UsageChart
    let weeks: UsageChart
    let rows: [Row]
    /// Shown if there are no rows.
    let emptyText: String?
    /// The cursor of this page of the list, for the way back to it.
    let after: String?
    /// The query of the next page; nil if there is none.
    let olderQuery: String?
    let isFirst: Bool
    /// The session that was just deleted and can be restored.
    let removed: Row?
    let importError: String?
    /// The largest file, in bytes and in words.
    let maximumBytes = FocusHistoryPage.maximumImport
    let maximum = FocusHistoryPage.maximumImportText
    /// Added to the links, so that they are about the same person: `?person=2` or nothing; `personMore` follows a
    /// query.
    let personQuery: String
    let personMore: String

    static let maximumImport = 4 << 20
    static let maximumImportText = "4 MB"
    /// Sessions on one page.
    package static let pageSize = 20

    /// `days` are the last 14 and `weeks` the last 12, both up to today.
    package init(
        _ slice: Slice, days: [FocusTotal], weeks: [FocusTotal], today: CivilDate, person: PersonID? = nil,
        removed: FocusSession? = nil, importError: String? = nil, zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        figures = [
            Self.figure("Today", days.last), Self.figure("This week", weeks.last),
            Self.figure("12 weeks", Self.sum(weeks)),
        ]
        self.days = .focusDays(days, today: today)
        self.weeks = .focusWeeks(weeks, today: today)
        rows = slice.sessions.map { Row($0, clock: clock) }
        emptyText =
            !rows.isEmpty
            ? nil
            : slice.start == nil
                ? "Nothing yet. What you focus on stands here when it ends." : "Nothing older."
        after = slice.start?.text
        let more = person.map { "&person=\($0.rawValue)" } ?? ""
        let last = slice.hasOlder ? slice.sessions.last : nil
        olderQuery = last.map { "?after=\(FocusCursor($0).text)\(more)" }
        isFirst = slice.start == nil
        self.removed = removed.map { Row($0, clock: clock) }
        self.importError = importError
        personQuery = person.map { "?person=\($0.rawValue)" } ?? ""
        personMore = more
    }

    private static func figure(_ name: String, _ total: FocusTotal?) -> Figure {
        let (sessions, completed) = (total?.sessions ?? 0, total?.completed ?? 0)
        let detail =
            sessions == 1
            ? "1 session, \(completed) completed" : "\(sessions) sessions, \(completed) completed"
        return Figure(name: name, value: (total?.seconds ?? 0).focusText, detail: detail)
    }

    private static func sum(_ totals: [FocusTotal]) -> FocusTotal? {
        totals.last.map { last in
            FocusTotal(
                date: last.date, seconds: totals.map(\.seconds).reduce(0, +),
                sessions: totals.map(\.sessions).reduce(0, +),
                completed: totals.map(\.completed).reduce(0, +))
        }
    }
}

extension FocusHistoryPage.Row {
    fileprivate init(_ session: FocusSession, clock: ClockFace) {
        id = session.id.uuidString
        day = clock.zone.date(of: session.start).short
        start = clock.time(session.start)
        label = session.presetLabel
        duration = session.durationSeconds.focusText
        completed = session.completed
    }
}
